import { equality, newestFirst, type ReadModel, sorted } from './model.js';

export type TimelineKind = 'transaction' | 'product' | 'seller';

/** One entry of a timeline. Id: `<kind>/<subject>/<event>`. */
export type TimelineDocument = {
  readonly kind: TimelineKind;
  readonly subject: string;
  readonly eventId: string;
  readonly type: string;
  readonly position: string;
  readonly at: string;
  readonly actor: string;
  /** Plain text without personal values. */
  readonly text: string;
};

/** What later entries of an order say and their own events do not contain. Id: the transaction's. */
export type TimelineOrderDocument = {
  readonly lines: readonly {
    readonly productId: string;
    readonly sellerId: string;
    readonly quantity: number;
    /** What the shopper pays for all pieces together; kobo. */
    readonly price: number;
  }[];
  /** Refunds of payments that are held aside, in another currency than the naira. */
  readonly foreignRefunds: readonly { readonly refundId: string; readonly currency: string }[];
};

export const actKinds = ['suspension', 'admin', 'dispute', 'payout', 'record'] as const;

/**
 * What an admin or operator did to a person or their money. Id: the event's. The same entry is in the timeline of
 * `kind` and `subject`. Only admins read this one, so `actor` includes an operator's name and `text` their reason.
 */
export type ActDocument = TimelineDocument & {
  readonly act: (typeof actKinds)[number];
  /** The seller whose share was moved or settled; null when no money was involved. */
  readonly sellerId: string | null;
  /** Kobo. For a settled dispute: what the seller gets, or what the buyer gets back. */
  readonly amount: number | null;
};

export type TimelineCollections = {
  readonly entries: TimelineDocument;
  readonly acts: ActDocument;
  readonly orders: TimelineOrderDocument;
};

export const timeline = {
  name: 'timeline',
  version: 7,
  collections: {
    entries: [sorted(['kind', 'subject'], ['position'])],
    acts: [newestFirst([], ['position']), newestFirst(['act'], ['position']), equality('subject')],
    orders: [],
  },
} as const satisfies ReadModel<keyof TimelineCollections>;
