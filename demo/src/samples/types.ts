import type { AttributeName, Condition } from '@oja/domain/rules';

/** How many sample items to make. The same numbers and seed give the same items on any machine at any time. */
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

/** Times are ages in hours before the moment of seeding: the generator itself has no clock. */
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
  /** Every attribute of the subcategory except the condition, under its wire name. */
  readonly attributes: SampleAttributes;
  /** Null where the subcategory has no condition. */
  readonly condition: Condition | null;
  /** The price that the seller typed, in whole naira. */
  readonly priceTypedNaira: number;
  /** The price that the seller's client sends and shoppers pay, in whole naira. */
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
 * What became of an order. `paid`: delivery is awaited. `notYet`: the buyer answered No once.
 * `disputed`: the buyer reported a problem. `abandoned`: it was never paid.
 */
export type SampleOutcome = 'paid' | 'delivered' | 'notYet' | 'disputed' | 'abandoned';

export interface SampleOrder {
  readonly index: number;
  readonly buyer: SampleBuyer;
  readonly lines: readonly SampleOrderLine[];
  readonly outcome: SampleOutcome;
  /** The buyer's words for a disputed order; otherwise null. */
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

/** Each list can be iterated any number of times; its items are made while iterating, oldest first. */
export interface Samples {
  readonly sellers: Iterable<SampleSeller>;
  readonly products: Iterable<SampleProduct>;
  readonly orders: Iterable<SampleOrder>;
  readonly reviews: Iterable<SampleReview>;
}
