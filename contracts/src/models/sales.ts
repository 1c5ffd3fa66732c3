import { equality, newest, type ReadModel, words } from './model.js';
import type { ShareStatus } from './transactions.js';

/** One thing that happened to a seller's part of an order, in words for its seller. */
type SaleStep = {
  readonly type: string;
  /** ISO 8601, as the log has it. */
  readonly at: string;
  readonly text: string;
};

export const saleId = (sellerId: string, transactionId: string) => `${sellerId}/${transactionId}`;

/**
 * A seller's part of one order: what they are to hand over, and what becomes of their money. It holds nothing of the
 * buyer; id: see `saleId`.
 */
export type SaleDocument = {
  readonly sellerId: string;
  readonly transactionId: string;
  /** Until then it is nobody's business but the buyer's. */
  readonly paid: boolean;
  /** ISO 8601; empty until it is paid. */
  readonly paidAt: string;
  readonly status: ShareStatus;
  /** What the seller gets, in kobo. */
  readonly share: number;
  /** As they were when the order was placed. */
  readonly lines: readonly {
    readonly productId: string;
    readonly name: string;
    /** Reference of the title picture. */
    readonly image: string;
    readonly quantity: number;
  }[];
  /** The names of the goods and the order's id, folded: for words. */
  readonly searchKey: string;
  /** Oldest first. */
  readonly steps: readonly SaleStep[];
};

export type SalesCollections = { readonly sales: SaleDocument };

export const sales = {
  name: 'sales',
  version: 1,
  collections: {
    sales: [
      newest(['sellerId', 'paid'], ['paidAt']),
      newest(['sellerId', 'paid', 'status'], ['paidAt']),
      equality('transactionId'),
      words('searchKey'),
    ],
  },
} as const satisfies ReadModel<keyof SalesCollections>;
