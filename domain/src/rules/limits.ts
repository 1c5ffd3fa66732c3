/** Every number that bounds what people may type or order, with its meaning. Lengths are in characters. */
export const limits = {
  sellerName: { min: 6, max: 100 },
  businessName: { min: 4, max: 60 },
  password: { min: 8, max: 128 },
  productName: { max: 120 },
  description: { max: 5_000 },
  attribute: { max: 60 },
  /** Whole naira, as the seller types it. */
  typedPriceNaira: { min: 1, max: 8_000_000 },
  images: { min: 2, max: 6 },
  imageBytes: { max: 5 * 1024 * 1024 },
  quantity: { min: 1, max: 99 },
  cartLines: { max: 50 },
  /** Goods that pass by on the home page; its list begins behind them. */
  carousel: { size: 8 },
  /** Kept in a browser alone: as many as one call answers. */
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
  /** Products a page, and the most a client may ask for. */
  page: { size: 24, max: 60 },
} as const;

/** The newest transactions that admins are answered at once, and the most a page of them may have. */
export const NEWEST_TRANSACTIONS = 5_000;

/** How many of one product a seller may count. Apart from the others: shoppers' pages do not need it. */
export const MOST_STOCK = 99_999;

/** How often a day the buyer of an order may ask for its receipt by mail. */
export const RECEIPTS_A_DAY = 3;

/**
 * The code that shows that letters reach a seller: its digits, how often it may be mistyped, and how many are sent a
 * day, for one seller and to one address.
 */
export const emailCodes = { digits: 6, tries: 5, aDay: 5 } as const;

/** The price slider in whole naira. At its full range it filters nothing out. */
export const priceSlider = { min: 1_000, max: 100_000, step: 1_000 } as const;

/** The highest price that a filter can name, in whole naira, where it is typed: no order comes to more. */
export const HIGHEST_PRICE = 10_000_000;
