import type { Sealed } from '@oja/domain';
import { equality, newest, type ReadModel, sorted } from './model.js';

export type TransactionLine = {
  readonly productId: string;
  readonly sellerId: string;
  /** As they were when the order was placed. */
  readonly businessName: string;
  readonly name: string;
  /** Reference of the title picture. */
  readonly image: string;
  readonly quantity: number;
  /** One piece, what the shopper paid; kobo. */
  readonly price: number;
};

/** What became of a seller's part. */
export type ShareStatus = 'held' | 'disputed' | 'released' | 'paid-out' | 'refunded';
/** As the user spells it on the wire; the last two are closed. */
export type Received = 'PENDING' | 'DISPUTED' | 'DELIVERED' | 'REFUNDED';

type TransactionShare = {
  readonly sellerId: string;
  readonly businessName: string;
  /** What the seller gets, in kobo. */
  readonly share: number;
  /** What the shopper paid for this seller's goods, in kobo. */
  readonly paid: number;
  readonly status: ShareStatus;
  /** Sealed on stream `transaction-<id>`, field `complaint`; null without a dispute. */
  readonly complaint: Sealed | null;
};

export type TransactionRefund = {
  readonly refundId: string;
  /** What it is for: a seller's goods, or a payment that is not this order's and is held aside. */
  readonly of: 'goods' | 'held-aside';
  /** Whose goods; null for money held aside. */
  readonly sellerId: string | null;
  /** In hundredths of the currency: kobo, unless it is held aside for its currency. */
  readonly amount: number;
  readonly currency: string;
  readonly status: 'requested' | 'completed' | 'failed';
};

/** One order from placing to closing; id: the transaction's. */
export type TransactionDocument = {
  readonly transactionId: string;
  /** A buyer is known by their order alone: the transaction's id. */
  readonly buyerId: string;
  /** 'success' once paid; 'pending' before, 'expired', 'reversed'. */
  readonly status: 'pending' | 'success' | 'expired' | 'reversed';
  /** The reference that was paid, else the newest; and all there were. */
  readonly reference: string;
  readonly references: readonly string[];
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
  /** When the buyer last said 'No'. */
  readonly notYetAt: string | null;
  /** Sealed on stream `transaction-<id>`, fields by these names. */
  readonly buyer: {
    readonly fullName: Sealed;
    readonly email: Sealed;
    readonly homeAddress: Sealed;
    readonly phoneNumber: Sealed;
  };
  /** Sealed there too, field `secret`: what opens the order to its buyer. */
  readonly secret: Sealed;
  readonly received: Received;
  /** DELIVERED or REFUNDED. */
  readonly closed: boolean;
  /** Paid, and the buyer has neither confirmed nor complained. */
  readonly unconfirmed: boolean;
  readonly lines: readonly TransactionLine[];
  readonly shares: readonly TransactionShare[];
  /** Money that went back or is to go back to the buyer, oldest first. */
  readonly refunds: readonly TransactionRefund[];
  /** Kobo. */
  readonly providerFees: number;
  /** The buyer's record was removed or erased: nothing personal of it can be read any more. */
  readonly removed: boolean;
};

/** A buyer who is to be forgotten; id: the transaction's. Kept apart: another stream tells it. */
type BuyerErasureDocument = { readonly at: string };

export type TransactionsCollections = {
  readonly transactions: TransactionDocument;
  readonly erasures: BuyerErasureDocument;
};

export const transactions = {
  name: 'transactions',
  version: 2,
  collections: {
    transactions: [
      newest([], ['placedAt']),
      newest(['status'], ['placedAt']),
      newest(['status'], ['paidAt']),
      sorted(['received'], ['placedAt']),
      newest(['received', 'removed'], ['placedAt']),
      sorted(['unconfirmed'], ['paidAt']),
      equality('removed'),
      equality('reference'),
      equality('buyerId'),
      { kind: 'multikey', field: 'references' },
    ],
    erasures: [],
  },
} as const satisfies ReadModel<keyof TransactionsCollections>;
