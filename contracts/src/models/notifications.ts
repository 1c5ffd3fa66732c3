import type { Sealed, sellerEvents, transactionEvents } from '@oja/domain';
import { equality, newestFirst, type ReadModel, sorted } from './model.js';
import type { OpenDispute } from './sales.js';

export type NotificationLine = {
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  /** Image reference of the title picture. */
  readonly image: string | null;
};

/**
 * Formats 'New order for:Bag,Shoe'. As in the other lists of a notice, the items follow the colon without a space.
 */
export const noticeMessage = (lines: readonly Pick<NotificationLine, 'name'>[]): string =>
  `New order for:${lines.map(({ name }) => name).join(',')}`;

/**
 * Events that a seller is notified about: a paid order, what happens to its money and to their store, and
 * another bank account or password, which may not be their doing. The first account is none of the news.
 */
export const noticeEvents = [
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
  'PayoutAccountSet',
  'SellerPasswordChanged',
  'SellerPasswordReset',
] as const satisfies readonly (keyof typeof transactionEvents | keyof typeof sellerEvents)[];
export type NoticeEvent = (typeof noticeEvents)[number];

/**
 * The letter about a notice, for a seller who wants letters. Its subject is the notice's id. It is
 * owed as long as the notice exists: no other read model of letters is needed, and a seller who has
 * cleared the notice has seen it.
 */
export type NewsLetterKind = 'seller-news';

/**
 * Not a paid order: the seller sees it when they hand it over. Not a settled dispute: the release or refund that
 * follows has its own letter. Of another bank account or password the seller is warned, wanted or not.
 */
const eventsWithoutLetter = [
  'PaymentVerified',
  'DisputeResolved',
  'PayoutAccountSet',
  'SellerPasswordChanged',
  'SellerPasswordReset',
] as const satisfies readonly NoticeEvent[];

/** Events that are also sent as a letter of news. */
export type NewsLetterEvent = Exclude<NoticeEvent, (typeof eventsWithoutLetter)[number]>;
export const isNewsLetterEvent = (type: string): type is NewsLetterEvent =>
  noticeEvents.some((noticed) => noticed === type) &&
  !eventsWithoutLetter.some((one) => one === type);

export const noticeId = (sellerId: string, eventId: string) => `${sellerId}/${eventId}`;

/** An unread notice of a seller. Id: see `noticeId`. Cleared notices are deleted. */
export type NotificationDocument = {
  readonly sellerId: string;
  readonly eventId: string;
  readonly type: NoticeEvent;
  /** Null when the notice is about the store. */
  readonly transactionId: string | null;
  /** Log position of its event. Notices are sorted by it, newest first, and cleared up to it. */
  readonly position: string;
  readonly createdAt: string;
  /** The text for the seller. Of the order's money it names only their own share. */
  readonly message: string;
  /** The same text without the goods. */
  readonly told: string;
  /** The goods in the seller's part of the order; empty for a notice about the store. */
  readonly lines: readonly NotificationLine[];
  /** A payout has failed that is not owed any more, because the payment was taken back. */
  readonly forfeited?: boolean;
  /** A payout was made by hand, not by a transfer. */
  readonly byHand?: boolean;
  /** What is payable is not paid out while the cardholder's bank disputes the payment. */
  readonly awaitsBank?: boolean;
};

/** Id: the seller's. */
export type InboxDocument = {
  readonly sellerId: string;
  readonly unread: number;
  /** All notices up to this log position are cleared; null when none ever were. */
  readonly clearedUpTo: string | null;
  /** The seller has given a bank account. */
  readonly hasPayoutAccount: boolean;
};

/** A browser that receives push messages. Id: `<seller>/<subscription>`. */
type SubscriptionDocument = {
  readonly sellerId: string;
  readonly subscriptionId: string;
  /** Sealed for stream `inbox-<seller>`, field `subscription:<subscription>`. */
  readonly subscription: Sealed;
};

/** Each seller's part of an order. Id: the transaction's. */
type NotificationOrderDocument = {
  readonly sellers: readonly {
    readonly sellerId: string;
    readonly lines: readonly NotificationLine[];
  }[];
  /** The reference of the payment that counts; null until the order is paid. */
  readonly paymentReference: string | null;
  /** The bank disputes that are open, of whichever of its payments. */
  readonly openDisputes: readonly OpenDispute[];
  /** The ids of payouts that somebody makes by hand: no bank has refused one that is ended. */
  readonly payoutsByHand: readonly string[];
};

export type NotificationsCollections = {
  readonly items: NotificationDocument;
  readonly inboxes: InboxDocument;
  readonly subscriptions: SubscriptionDocument;
  readonly orders: NotificationOrderDocument;
};

export const notifications = {
  name: 'notifications',
  version: 10,
  collections: {
    items: [
      equality('sellerId'),
      equality('eventId'),
      newestFirst(['sellerId'], ['position']),
      sorted([], ['createdAt']),
    ],
    inboxes: [],
    subscriptions: [equality('sellerId')],
    orders: [],
  },
} as const satisfies ReadModel<keyof NotificationsCollections>;
