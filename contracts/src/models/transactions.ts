import type { ReceivedStatus, Sealed } from '@oja/domain';
import { equality, newestFirst, type ReadModel, sorted } from './model.js';

export type TransactionLine = {
  readonly productId: string;
  readonly sellerId: string;
  /** The names as at the time of the order. */
  readonly businessName: string;
  readonly name: string;
  /** Image reference of the title picture. */
  readonly image: string;
  readonly quantity: number;
  /** What the shopper paid for one piece; kobo. */
  readonly price: number;
};

/** The status of a seller's share. */
export const shareStatuses = ['held', 'disputed', 'released', 'paid-out', 'refunded'] as const;
export type ShareStatus = (typeof shareStatuses)[number];

type TransactionShare = {
  readonly sellerId: string;
  readonly businessName: string;
  /** What the seller gets, in kobo. */
  readonly share: number;
  /** What the shopper paid for this seller's goods, in kobo. */
  readonly paid: number;
  readonly status: ShareStatus;
  /** Sealed for stream `transaction-<id>`, field `complaint`; null without a dispute. */
  readonly complaint: Sealed | null;
};

export type TransactionRefund = {
  readonly refundId: string;
  /** What is refunded: a seller's goods, or a payment held aside. */
  readonly of: 'goods' | 'held-aside';
  /** The seller of the goods; null for money held aside. */
  readonly sellerId: string | null;
  /** In hundredths of the currency: kobo, unless a payment in another currency is held aside. */
  readonly amount: number;
  readonly currency: string;
  /** `void`: the bank has taken the whole payment back, so nothing is refunded unless it is given back. */
  readonly status: 'requested' | 'completed' | 'failed' | 'void';
};

/** One order, from placement to completion. Id: the transaction's. */
export type TransactionDocument = {
  readonly transactionId: string;
  /** Buyers have no accounts, so the buyer's id is the transaction's. */
  readonly buyerId: string;
  /** The status of the payment. */
  readonly status: 'pending' | 'success' | 'expired' | 'reversed';
  /** The reference that was paid, otherwise the newest. */
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  readonly subtotal: number;
  readonly deliveryFee: number;
  readonly currency: string;
  readonly channel: string | null;
  /** ISO 8601. */
  readonly placedAt: string;
  readonly paidAt: string | null;
  readonly deliveredAt: string | null;
  /** When the buyer last answered that nothing had arrived. */
  readonly notYetAt: string | null;
  /** Sealed for stream `transaction-<id>`, under these field names. */
  readonly buyer: {
    readonly fullName: Sealed;
    readonly email: Sealed;
    readonly homeAddress: Sealed;
    readonly phoneNumber: Sealed;
  };
  /** Sealed for the same stream, field `secret`: the secret half of the order key. */
  readonly secret: Sealed;
  readonly received: ReceivedStatus;
  /** DELIVERED or REFUNDED. */
  readonly closed: boolean;
  /** Paid, and the buyer has neither confirmed nor complained. */
  readonly unconfirmed: boolean;
  readonly lines: readonly TransactionLine[];
  readonly shares: readonly TransactionShare[];
  /** Refunds to the buyer, completed or not, oldest first. */
  readonly refunds: readonly TransactionRefund[];
  /** The buyer's record was removed or erased, so its personal values can no longer be read. */
  readonly removed: boolean;
};

/** An erased buyer. Id: the transaction's. Separate, because the event comes from another stream. */
type BuyerErasureDocument = { readonly at: string };

export type TransactionsCollections = {
  readonly transactions: TransactionDocument;
  readonly erasures: BuyerErasureDocument;
};

export const transactions = {
  name: 'transactions',
  version: 4,
  collections: {
    transactions: [
      newestFirst([], ['placedAt']),
      newestFirst(['status'], ['placedAt']),
      newestFirst(['status'], ['paidAt']),
      sorted(['received'], ['placedAt']),
      newestFirst(['received', 'removed'], ['placedAt']),
      sorted(['unconfirmed'], ['paidAt']),
      equality('removed'),
    ],
    erasures: [],
  },
} as const satisfies ReadModel<keyof TransactionsCollections>;
