import { newest, type ReadModel, sorted } from './model.js';

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

export const actKinds = ['suspension', 'admin', 'dispute', 'record'] as const;

/** What an admin or operator did to somebody; id: the event's. `kind` and `subject` are whose timeline tells it too. */
export type ActDocument = TimelineDocument & { readonly act: (typeof actKinds)[number] };

export type TimelineCollections = {
  readonly entries: TimelineDocument;
  readonly acts: ActDocument;
  readonly orders: OrderedGoodsDocument;
};

export const timeline = {
  name: 'timeline',
  version: 4,
  collections: {
    entries: [sorted(['kind', 'subject'], ['position'])],
    acts: [newest([], ['position']), newest(['act'], ['position'])],
    orders: [],
  },
} as const satisfies ReadModel<keyof TimelineCollections>;
