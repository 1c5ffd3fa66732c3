import { equality, newestFirst, type ReadModel, textIndex } from './model.js';
import type { ShareStatus } from './transactions.js';

/** One step in the history of a seller's part of an order, in words for the seller. */
type SaleStep = {
  /** That of its event, but `PayoutStopped` for a failed payout that no bank has refused and that is still owed. */
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
};

/** An open bank dispute of a payment of an order. It concerns the sellers if that payment is, or becomes, the one that counts. */
export type OpenDispute = {
  readonly reference: string;
  readonly disputeId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly eventId: string;
};

export const saleId = (sellerId: string, transactionId: string) => `${sellerId}/${transactionId}`;

/**
 * A seller's part of one order: what to hand over, and the status of their money. It contains
 * nothing about the buyer. Id: see `saleId`.
 */
export type SaleDocument = {
  readonly sellerId: string;
  readonly transactionId: string;
  /** An unpaid order is not shown to its sellers. */
  readonly paid: boolean;
  /** ISO 8601; empty until it is paid. */
  readonly paidAt: string;
  /** The reference of the payment that counts; null until it is paid. */
  readonly paymentReference: string | null;
  /** The bank disputes that are open; empty once it is paid. */
  readonly earlyDisputes: readonly OpenDispute[];
  readonly status: ShareStatus;
  /** How the newest payout is made; null if none was asked for. */
  readonly payoutMethod: 'transfer' | 'manual' | null;
  /** What the seller gets, in kobo. */
  readonly share: number;
  /** As at the time of the order. */
  readonly lines: readonly {
    readonly productId: string;
    readonly name: string;
    /** Image reference of the title picture. */
    readonly image: string;
    readonly quantity: number;
  }[];
  /** The folded product names and order id, for word search. */
  readonly searchKey: string;
  /** Oldest first. */
  readonly steps: readonly SaleStep[];
};

export type SalesCollections = { readonly sales: SaleDocument };

export const sales = {
  name: 'sales',
  version: 8,
  collections: {
    sales: [
      newestFirst(['sellerId', 'paid'], ['paidAt'], ['searchKey']),
      newestFirst(['sellerId', 'paid', 'status'], ['paidAt'], ['searchKey']),
      equality('transactionId'),
      // Each order has a word that no other has, its id, and is looked for among those of its seller.
      textIndex('searchKey'),
    ],
  },
} as const satisfies ReadModel<keyof SalesCollections>;
