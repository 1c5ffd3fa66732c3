import { KOBO_PER_NAIRA } from './money.js';

/** Limits on what people may type or order. Lengths are in characters. */
export const limits = {
  sellerName: { min: 6, max: 100 },
  businessName: { min: 4, max: 60 },
  password: { min: 8, max: 128 },
  productName: { max: 120 },
  description: { max: 5_000 },
  attribute: { max: 60 },
  /** Whole naira, as the seller types it, before the raise. */
  typedPriceNaira: { min: 1, max: 8_000_000 },
  images: { min: 2, max: 6 },
  imageBytes: { max: 5 * 1024 * 1024 },
  quantity: { min: 1, max: 99 },
  cartLines: { max: 50 },
  /** Products in the home page's carousel. The list below it begins after them. */
  carousel: { size: 8 },
  /** Saved products live only in the browser. The limit is the most ids that one call accepts. */
  savedGoods: { max: 50 },
  seenGoods: { max: 20 },
  /** Kobo. */
  orderAmount: { max: 1_000_000_000 },
  buyerName: { max: 120 },
  email: { max: 254 },
  address: { min: 8, max: 300 },
  phone: { max: 20 },
  comment: { min: 1, max: 1_000 },
  contactSubject: { max: 200 },
  contactMessage: { max: 5_000 },
  pushEndpoint: { max: 1_000 },
  pushSubscriptions: { max: 16 },
  /** Products per page: the default, and the most a client may ask for. */
  page: { size: 24, max: 60 },
} as const;

/** How many transactions the admin call returns without a `limit`, and the largest `limit` it accepts. */
export const NEWEST_TRANSACTIONS = 5_000;

/** The largest stock count of a product. Kept out of `limits`, because shoppers' pages do not need it. */
export const MOST_STOCK = 99_999;

/** How many times in 24 hours a buyer may request the receipt of an order by e-mail. */
export const RECEIPTS_A_DAY = 3;

/**
 * The code that proves that letters reach a seller: its number of digits, the wrong tries allowed,
 * and the codes sent in 24 hours, both per seller and per e-mail address.
 */
export const emailCodes = { digits: 6, tries: 5, aDay: 5 } as const;

/** The price slider, in whole naira. */
export const priceSlider = { min: 1_000, max: 100_000, step: 1_000 } as const;

/**
 * Whether prices, in whole naira, are the full range of the slider. It filters nothing, so that goods above its maximum can
 * be found. A higher maximum was typed in and does filter.
 */
export const isFullRange = (from: number, to: number): boolean =>
  from <= priceSlider.min && to === priceSlider.max;

/** The highest price that a filter may name, in whole naira. No order may cost more. */
export const HIGHEST_PRICE = limits.orderAmount.max / KOBO_PER_NAIRA;
