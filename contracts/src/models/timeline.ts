import { equality, newest, type ReadModel, sorted } from './model.js';

export type TimelineKind = 'transaction' | 'product' | 'seller';

/** One thing that happened; id: `<kind>/<subject>/<event>`. */
export type TimelineDocument = {
  readonly kind: TimelineKind;
  readonly subject: string;
  readonly eventId: string;
  readonly type: string;
  readonly position: string;
  readonly at: string;
  readonly actor: string;
  /** In words, never with a personal value. */
  readonly text: string;
};

/** What was ordered of whom, kept until it is paid; id: the transaction's. */
export type OrderedGoodsDocument = {
  readonly lines: readonly {
    readonly productId: string;
    readonly sellerId: string;
    readonly quantity: number;
    /** All pieces together, what the shopper pays; kobo. */
    readonly price: number;
  }[];
};

export const actKinds = ['suspension', 'admin', 'dispute', 'payout', 'record'] as const;

/**
 * What an admin or operator did to somebody or with their money; id: the event's. `kind` and `subject` are whose
 * timeline tells it too; only admins read it, so `actor` has the whole name of an operator, and `text` their reason.
 */
export type ActDocument = TimelineDocument & {
  readonly act: (typeof actKinds)[number];
  /** Whose share of the order was moved or settled; null where no money was. */
  readonly sellerId: string | null;
  /** Kobo; of a settled dispute what the seller gets or the buyer has back. */
  readonly amount: number | null;
};

export type TimelineCollections = {
  readonly entries: TimelineDocument;
  readonly acts: ActDocument;
  readonly orders: OrderedGoodsDocument;
};

export const timeline = {
  name: 'timeline',
  version: 5,
  collections: {
    entries: [sorted(['kind', 'subject'], ['position'])],
    acts: [newest([], ['position']), newest(['act'], ['position']), equality('subject')],
    orders: [],
  },
} as const satisfies ReadModel<keyof TimelineCollections>;
