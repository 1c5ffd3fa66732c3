import type { AttributeName, Condition } from '@oja/domain/rules';

/**
 * How many sample things to make. The same numbers and seed make the same things, on any machine
 * and at any time.
 */
export interface SampleSize {
  readonly products: number;
  readonly sellers: number;
  readonly orders: number;
  readonly seed: number;
}

export interface SamplePlace {
  readonly state: string;
  readonly localGovt: string;
}

/**
 * Times are told as ages, in hours before the moment of seeding: the generator itself knows no
 * clock.
 */
export interface SampleSeller {
  readonly index: number;
  readonly name: string;
  readonly businessName: string;
  readonly phone_1: string;
  readonly password: string;
  readonly home: SamplePlace;
  readonly joinedHoursAgo: number;
}

/** Values under their wire names; water resistance is 1 or 0. */
export type SampleAttributes = Readonly<Partial<Record<AttributeName, string | number>>>;

export interface SampleProduct {
  readonly index: number;
  readonly sellerIndex: number;
  readonly prod_name: string;
  readonly description: string;
  readonly subcategoryId: number;
  /** Every attribute of the subcategory's table but the condition, under its wire name. */
  readonly attributes: SampleAttributes;
  /** Only where the subcategory's table has a condition. */
  readonly condition: Condition | null;
  /** What the seller typed, in whole naira. */
  readonly priceTypedNaira: number;
  /** What the seller's client sends and shoppers pay, in whole naira. */
  readonly priceNaira: number;
  readonly state: string;
  readonly localGovt: string;
  /** 3 or 4 picture names, the title picture first. */
  readonly images: readonly string[];
  readonly listedHoursAgo: number;
}

export interface SampleBuyer {
  readonly full_name: string;
  readonly email: string;
  readonly home_address: string;
  readonly phone_number: string;
}

export interface SampleOrderLine {
  readonly productIndex: number;
  readonly sellerIndex: number;
  readonly quantity: number;
}

/**
 * What became of an order. `paid`: the delivery is awaited. `notYet`: the buyer has said No once.
 * `disputed`: the buyer has reported a problem. `abandoned`: it was never paid.
 */
export type SampleOutcome = 'paid' | 'delivered' | 'notYet' | 'disputed' | 'abandoned';

export interface SampleOrder {
  readonly index: number;
  readonly buyer: SampleBuyer;
  readonly lines: readonly SampleOrderLine[];
  readonly outcome: SampleOutcome;
  /** The buyer's words, for a disputed order. */
  readonly complaint: string | null;
  readonly placedHoursAgo: number;
}

export interface SampleReview {
  readonly index: number;
  readonly stars: 1 | 2 | 3 | 4 | 5;
  readonly comment_text: string;
  /** A sample seller's business name; null for an anonymous review. */
  readonly businessName: string | null;
  readonly postedHoursAgo: number;
}

/** Each list can be walked any number of times and is made as it is walked, oldest first. */
export interface Samples {
  readonly sellers: Iterable<SampleSeller>;
  readonly products: Iterable<SampleProduct>;
  readonly orders: Iterable<SampleOrder>;
  readonly reviews: Iterable<SampleReview>;
}
