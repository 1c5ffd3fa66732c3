import {
  counted,
  equality,
  type Index,
  late,
  newest,
  type ReadModel,
  sorted,
  words,
} from './model.js';
import type { ShareStatus } from './transactions.js';

/** A product with everything that lists, search, its own page and its owner show. */
export type ProductDocument = {
  readonly productId: string;
  readonly sellerId: string;
  readonly name: string;
  /** Folded: for words, and for the order A-Z. */
  readonly nameKey: string;
  /** What shoppers pay, and what the seller typed; kobo. */
  readonly price: number;
  readonly sellerPrice: number;
  /** Null where the subcategory has none, … */
  readonly condition: 'New' | 'Used' | null;
  /** … which counts as New when goods are filtered. */
  readonly shownCondition: 'New' | 'Used';
  readonly description: string;
  readonly state: string;
  readonly localGovt: string;
  readonly subcategoryId: number;
  readonly subcategory: string;
  /** The subcategory's top category. */
  readonly category: string;
  /** By their names on the wire; which there are is the subcategory's matter. */
  readonly attributes: { readonly [name: string]: string | number };
  /** References, the title picture first. */
  readonly images: readonly string[];
  readonly status: 'AVAILABLE' | 'UNAVAILABLE' | 'REMOVED';
  /** How many are left to be sold; null: nobody counts them. */
  readonly stock: number | null;
  /** Of the seller, as they are now; the names are '' before the seller's own events were seen. */
  readonly businessName: string;
  readonly businessNameKey: string;
  readonly isSuspended: boolean;
  /** Available, and of a seller who is not suspended: in the lists of shoppers. */
  readonly shown: boolean;
  /** ISO 8601. */
  readonly listedAt: string;
  readonly updatedAt: string;
  /** Paid quantity of the 30 days that end with the newest day on which things are paid. */
  readonly trending: number;
  /** Paid transactions that are not closed and hold it: while there is one it cannot be removed. */
  readonly openTransactions: number;
};

/** A seller's public face, which nobody has any more who was erased; id: the seller's. */
export type StoreDocument = {
  readonly sellerId: string;
  readonly businessName: string;
  /** The key under which names are one: what a store's address is made of. */
  readonly businessNameKey: string;
  /** When they registered; null before the seller's own events have been seen, and once they are erased. */
  readonly since: string | null;
  readonly isSuspended: boolean;
  /** The names are '' then, and `since` is null. */
  readonly isErased: boolean;
  /** Of the newest product that is not removed; null while there is none. */
  readonly newest: {
    readonly productId: string;
    readonly listedAt: string;
    readonly state: string;
    readonly localGovt: string;
  } | null;
  /** Orders of theirs whose buyer has confirmed the delivery. */
  readonly ordersConfirmed: number;
};

/** What is known of an order here: which goods it holds; id: the transaction's. */
export type CatalogueOrderDocument = {
  readonly lines: readonly {
    readonly productId: string;
    readonly sellerId: string;
    readonly quantity: number;
  }[];
  /** Empty until it is paid. */
  readonly shares: readonly { readonly sellerId: string; readonly status: ShareStatus }[];
  /** Paid and not closed. */
  readonly open: boolean;
  readonly confirmed: boolean;
  /** The day it was paid, YYYY-MM-DD in UTC. */
  readonly paidOn: string | null;
};

/** What orders say of a product; id: the product's. Kept apart, since an order may be seen first. */
export type SalesDocument = { readonly trending: number; readonly openTransactions: number };

/** Paid quantity of one product on one day; id: `<product>/<day>`. Gone when the window has passed
 * it; kept, and not counted, while it is far ahead. */
type SalesDayDocument = {
  readonly productId: string;
  readonly day: string;
  readonly quantity: number;
};

/** The days, YYYY-MM-DD in UTC, of the newest orders that were paid, the oldest first; id: 'newest'. */
type SalesClockDocument = { readonly days: readonly string[] };

export type CatalogueCollections = {
  readonly products: ProductDocument;
  readonly stores: StoreDocument;
  readonly orders: CatalogueOrderDocument;
  readonly sales: SalesDocument;
  readonly days: SalesDayDocument;
  readonly clock: SalesClockDocument;
};

/** Equal in the fields, in each order that a list of goods can have. */
const ordered = (...fields: readonly string[]) => [
  sorted(fields, ['nameKey']),
  newest(fields, ['listedAt']),
  newest(fields, ['trending', 'listedAt']),
];

/**
 * What a search without words and prices is counted of, by place and condition: all goods, those of a category and those
 * of a subcategory.
 */
const totals = [['shown'], ['shown', 'category'], ['shown', 'subcategoryId', 'category']].map(
  (chosen) => counted(...chosen, 'state', 'localGovt', 'shownCondition'),
);

/**
 * In no order that anybody asks for: any other search that many goods match is counted along it, by place and
 * condition, with all that a search may ask for at hand. One way only: to have it the other way too would be one more
 * index on MongoDB, the widest.
 */
const countable: Index = {
  kind: 'sorted',
  fields: ['shown'],
  by: ['localGovt', 'shownCondition', 'category', 'subcategoryId', 'state', 'nameKey', 'price'],
  order: 'asc',
};

export const catalogue = {
  name: 'catalogue',
  version: 5,
  collections: {
    products: [
      ...late(
        // What a search of all goods goes past is told by the index alone.
        sorted(['shown'], ['nameKey'], ['price', 'state']),
        newest(['shown'], ['listedAt'], ['price', 'state', 'nameKey']),
        newest(['shown'], ['trending', 'listedAt'], ['price', 'state', 'nameKey']),
        ...ordered('shown', 'category'),
        ...ordered('shown', 'subcategoryId'),
        newest(['shown', 'sellerId'], ['listedAt']),
        ...ordered('shown', 'localGovt'),
        ...ordered('shown', 'shownCondition'),
        equality('shown', 'state'),
        equality('shown', 'subcategory'),
        equality('shown', 'businessNameKey'),
        sorted(['shown'], ['price']),
        countable,
      ),
      ...totals,
      counted('shown', 'category', 'subcategory'),
      newest(['sellerId'], ['listedAt']),
      newest(['sellerId', 'status'], ['listedAt']),
      words('nameKey'),
    ],
    stores: [equality('businessNameKey')],
    orders: [],
    sales: [],
    days: [equality('day')],
    clock: [],
  },
} as const satisfies ReadModel<keyof CatalogueCollections>;
