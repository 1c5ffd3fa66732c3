import type { Sealed } from '@oja/domain';
import { equality, newest, type ReadModel } from './model.js';

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

/** One paid order for one seller, unread; id: `<seller>/<transaction>`. Cleared ones are deleted. */
export type NotificationDocument = {
  readonly sellerId: string;
  readonly transactionId: string;
  /** Of the event that made it: newest first, and what a clear goes up to. */
  readonly position: string;
  readonly createdAt: string;
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
export type SubscriptionDocument = {
  readonly sellerId: string;
  readonly subscriptionId: string;
  /** Sealed on stream `inbox-<seller>`, field `subscription:<subscription>`. */
  readonly subscription: Sealed;
};

/** The seller's part of an order until it is paid; id: the transaction's. */
export type NotificationOrderDocument = {
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
  version: 1,
  collections: {
    items: [equality('sellerId'), newest(['sellerId'], ['position'])],
    inboxes: [],
    subscriptions: [equality('sellerId')],
    orders: [],
  },
} as const satisfies ReadModel<keyof NotificationsCollections>;
