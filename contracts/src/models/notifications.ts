import type { Sealed, sellerEvents, transactionEvents } from '@oja/domain';
import { equality, newest, type ReadModel, sorted } from './model.js';

export type NotificationLine = {
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  /** Reference of the title picture. */
  readonly image: string | null;
};

/** 'New order for:Bag,Shoe': the names behind the colon, as everything in a notice is spelled. */
export const noticeMessage = (lines: readonly Pick<NotificationLine, 'name'>[]): string =>
  `New order for:${lines.map(({ name }) => name).join(',')}`;

/** What a seller has word of: an order that was paid, and what becomes of its money and of their store. */
export const noticedEvents = [
  'PaymentVerified',
  'PaymentDisputed',
  'PaymentDisputeClosed',
  'PaymentReversed',
  'PaymentRestored',
  'DeliveryDisputed',
  'DisputeResolved',
  'SellerShareReleased',
  'PayoutCompleted',
  'PayoutFailed',
  'RefundRequested',
  'SellerSuspended',
  'SellerReinstated',
] as const satisfies readonly (keyof typeof transactionEvents | keyof typeof sellerEvents)[];
export type NoticedEvent = (typeof noticedEvents)[number];

/**
 * The letter in which a seller who wants letters has word of a notice; subject: the notice's id. It is owed as long as
 * the notice stands: a read model of letters beside it would say the same, and whoever has cleared a notice knows.
 */
export type NewsLetterKind = 'seller-news';

/**
 * The notices that are written about. An order itself is seen where it is to be handed over, and what settles a dispute
 * is followed by the release or the refund, which has a letter of its own.
 */
export type WrittenEvent = Exclude<NoticedEvent, 'PaymentVerified' | 'DisputeResolved'>;
export const isWrittenAbout = (type: string): type is WrittenEvent =>
  type !== 'PaymentVerified' &&
  type !== 'DisputeResolved' &&
  noticedEvents.some((noticed) => noticed === type);

export const noticeId = (sellerId: string, eventId: string) => `${sellerId}/${eventId}`;

/** What one seller has word of, unread; id: see `noticeId`. Cleared ones are deleted. */
export type NotificationDocument = {
  readonly sellerId: string;
  readonly eventId: string;
  readonly type: NoticedEvent;
  /** Null: it is about the store. */
  readonly transactionId: string | null;
  /** Of the event that made it: newest first, and what a clear goes up to. */
  readonly position: string;
  readonly createdAt: string;
  /** In words for the seller: of the order's money only their own part. */
  readonly message: string;
  /** The same without the goods. */
  readonly told: string;
  /** Of the seller's part of the order; none where it is about the store. */
  readonly lines: readonly NotificationLine[];
};

/** id: the seller's. */
export type InboxDocument = {
  readonly sellerId: string;
  readonly unread: number;
  /** Everything up to here has been cleared; null: nothing has. */
  readonly clearedUpTo: string | null;
};

/** A browser that wants pushes; id: `<seller>/<subscription>`. */
type SubscriptionDocument = {
  readonly sellerId: string;
  readonly subscriptionId: string;
  /** Sealed on stream `inbox-<seller>`, field `subscription:<subscription>`. */
  readonly subscription: Sealed;
};

/** Each seller's part of an order; id: the transaction's. */
type NotificationOrderDocument = {
  readonly sellers: readonly {
    readonly sellerId: string;
    readonly lines: readonly NotificationLine[];
  }[];
};

export type NotificationsCollections = {
  readonly items: NotificationDocument;
  readonly inboxes: InboxDocument;
  readonly subscriptions: SubscriptionDocument;
  readonly orders: NotificationOrderDocument;
};

export const notifications = {
  name: 'notifications',
  version: 3,
  collections: {
    items: [
      equality('sellerId'),
      equality('eventId'),
      newest(['sellerId'], ['position']),
      sorted([], ['createdAt']),
    ],
    inboxes: [],
    subscriptions: [equality('sellerId')],
    orders: [],
  },
} as const satisfies ReadModel<keyof NotificationsCollections>;
