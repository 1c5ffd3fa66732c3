import type { Condition } from '@oja/domain/rules';
import {
  countIndex,
  equality,
  type Index,
  late,
  newestFirst,
  type ReadModel,
  sorted,
  wordIndex,
} from './model.js';
import type { ShareStatus } from './transactions.js';

/** A product, with everything that lists, the search, its page and its owner see. */
export type ProductDocument = {
  readonly productId: string;
  readonly sellerId: string;
  readonly name: string;
  /** The folded name, for word search and alphabetical order. */
  readonly nameKey: string;
  /** What shoppers pay, and what the seller typed. Kobo. */
  readonly price: number;
  readonly sellerPrice: number;
  /** Null when the subcategory has no condition. */
  readonly condition: Condition | null;
  /** The same for filters, with null counted as New. */
  readonly shownCondition: Condition;
  readonly description: string;
  readonly state: string;
  readonly localGovt: string;
  readonly subcategoryId: number;
  readonly subcategory: string;
  /** The top category of the subcategory. */
  readonly category: string;
  /** Attribute name on the wire → value. Which attributes exist depends on the subcategory. */
  readonly attributes: { readonly [name: string]: string | number };
  /** Image references, title picture first. */
  readonly images: readonly string[];
  readonly status: 'AVAILABLE' | 'UNAVAILABLE' | 'REMOVED';
  /** Pieces left for sale; null when the seller does not track stock. */
  readonly stock: number | null;
  /** Current data of the seller. The names are '' until the seller's own events have been projected. */
  readonly businessName: string;
  readonly businessNameKey: string;
  readonly isSuspended: boolean;
  /** Whether shoppers see it in lists: it is available and the seller is not suspended. */
  readonly shown: boolean;
  /** ISO 8601. */
  readonly listedAt: string;
  readonly updatedAt: string;
  /** Quantity sold in the 30 days that end with the newest day of a payment. */
  readonly trending: number;
  /** The number of paid, open orders that contain it. Above 0, the product cannot be removed. */
  readonly openTransactions: number;
};

/** The public data of a seller, blank once the seller is erased. Id: the seller's. */
export type StoreDocument = {
  readonly sellerId: string;
  readonly businessName: string;
  /** The folded name (see `businessNameKey`); the store's URL is resolved by it. */
  readonly businessNameKey: string;
  /** Null until the seller's own events have been projected, and after erasure. */
  readonly since: string | null;
  readonly isSuspended: boolean;
  /** After erasure the names are '' and `since` is null. */
  readonly isErased: boolean;
  /** The newest product that is not removed; null when there is none. */
  readonly newest: {
    readonly productId: string;
    readonly listedAt: string;
    readonly state: string;
    readonly localGovt: string;
  } | null;
  /** How many of the seller's orders have a confirmed delivery. */
  readonly ordersConfirmed: number;
};

/** What this read model keeps of an order. Id: the transaction's. */
export type CatalogueOrderDocument = {
  readonly lines: readonly {
    readonly productId: string;
    readonly sellerId: string;
    readonly quantity: number;
  }[];
  /** Empty until the order is paid. */
  readonly shares: readonly { readonly sellerId: string; readonly status: ShareStatus }[];
  /** Paid and not closed. */
  readonly open: boolean;
  readonly confirmed: boolean;
  /** The day of payment, YYYY-MM-DD in UTC; null until it is paid. */
  readonly paidOn: string | null;
};

/**
 * Sales figures of a product. Id: the product's. Separate from the product, because an order's
 * events may be projected before the product's.
 */
export type SalesDocument = { readonly trending: number; readonly openTransactions: number };

/**
 * Quantity of one product paid on one day. Id: `<product>/<day>`. Deleted when the 30-day window
 * has passed it. A day far in the future is kept but not counted.
 */
type SalesDayDocument = {
  readonly productId: string;
  readonly day: string;
  readonly quantity: number;
};

/** The days (YYYY-MM-DD in UTC) of the newest payments, oldest first. Id: 'newest'. */
type SalesClockDocument = { readonly days: readonly string[] };

export type CatalogueCollections = {
  readonly products: ProductDocument;
  readonly stores: StoreDocument;
  readonly orders: CatalogueOrderDocument;
  readonly sales: SalesDocument;
  readonly days: SalesDayDocument;
  readonly clock: SalesClockDocument;
};

/**
 * What else a search may ask of the products of an alphabetical list. Names that begin alike lie together there, and
 * their prices, places and conditions are alike as well, so a walk can pass thousands before one fits.
 */
const besideNames = ['price', 'shownCondition', 'localGovt', 'state'];

/** Indexes that filter by the fields, one for each sort order of a product list. */
const ordered = (...fields: readonly string[]) => [
  sorted(
    fields,
    ['nameKey'],
    besideNames.filter((field) => !fields.includes(field)),
  ),
  newestFirst(fields, ['listedAt']),
  newestFirst(fields, ['trending', 'listedAt']),
];

/**
 * Counts for searches without words or prices, by place and condition: for all products, for a
 * category, and for a subcategory.
 */
const totals = [['shown'], ['shown', 'category'], ['shown', 'subcategoryId', 'category']].map(
  (chosen) => countIndex(...chosen, 'state', 'localGovt', 'shownCondition'),
);

/**
 * Covers every field that a search may filter by, so that any other large search is counted from the index alone.
 * No list uses its order.
 */
const countable: Index = {
  kind: 'sorted',
  fields: ['shown'],
  by: ['localGovt', 'shownCondition', 'category', 'subcategoryId', 'state', 'nameKey', 'price'],
  order: 'asc',
};

export const catalogue = {
  name: 'catalogue',
  version: 9,
  collections: {
    products: [
      ...late(
        // The extra fields let a search of all products filter from the index alone.
        sorted(['shown'], ['nameKey'], besideNames),
        newestFirst(['shown'], ['listedAt'], ['price', 'state', 'nameKey']),
        newestFirst(['shown'], ['trending', 'listedAt'], ['price', 'state', 'nameKey']),
        // Of those that could serve a list the first is taken, so the narrower one comes first.
        ...ordered('shown', 'subcategoryId'),
        ...ordered('shown', 'category'),
        newestFirst(['shown', 'sellerId'], ['listedAt']),
        ...ordered('shown', 'localGovt'),
        ...ordered('shown', 'shownCondition'),
        equality('shown', 'state'),
        equality('shown', 'subcategory'),
        equality('shown', 'businessNameKey'),
        sorted(['shown'], ['price']),
        countable,
        newestFirst(['sellerId'], ['listedAt']),
      ),
      ...totals,
      countIndex('shown', 'category', 'subcategory'),
      // By it, the projector also finds all products of a seller.
      newestFirst(['sellerId', 'status'], ['listedAt']),
      wordIndex('nameKey'),
    ],
    stores: [equality('businessNameKey')],
    orders: [],
    sales: [],
    days: [equality('day')],
    clock: [],
  },
} as const satisfies ReadModel<keyof CatalogueCollections>;
