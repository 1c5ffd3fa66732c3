import type { PayoutDestination } from '@oja/domain';
import { newestFirst, type ReadModel } from './model.js';
import type { ShareStatus } from './transactions.js';

export const payoutStatuses = ['on-its-way', 'sent', 'failed', 'came-back'] as const;
/**
 * Why a payout stands as it does. bank: the bank did not keep the money. stopped: ended here,
 * before the bank's outcome was known. taken-back: the buyer's payment had been reversed, so it is
 * not paid again. late: ended here, but arrived after all.
 */
export const payoutReasons = ['bank', 'stopped', 'taken-back', 'late'] as const;

/** One attempt to pay out a seller's share of an order. Id: the payout's. Times are ISO 8601. */
export type PayoutDocument = {
  readonly sellerId: string;
  readonly transactionId: string;
  /** Kobo. */
  readonly amount: number;
  readonly method: 'transfer' | 'manual';
  /** Sealed for the order's stream. Null for a manual payout, and for payouts older than this field. */
  readonly account: PayoutDestination | null;
  readonly status: (typeof payoutStatuses)[number];
  readonly reason: (typeof payoutReasons)[number] | null;
  readonly requestedAt: string;
  /** When it was sent, failed or came back; null before. */
  readonly endedAt: string | null;
};

/** What was paid out to a seller and has stayed there, in kobo, by month in Lagos, oldest first. Id: the seller's. */
export type PaidOutDocument = {
  readonly months: readonly { readonly month: string; readonly amount: number }[];
};

export const soldDayId = (sellerId: string, day: string) => `${sellerId}/${day}`;

/**
 * A seller's sales on one Lagos day, by day of payment: the seller's own share in kobo, without
 * refunds to buyers. Id: see `soldDayId`.
 */
export type SoldDayDocument = {
  readonly orders: number;
  readonly sum: number;
  /** A product that was renamed has an entry for each name. */
  readonly products: readonly {
    readonly productId: string;
    readonly name: string;
    readonly pieces: number;
    readonly sum: number;
  }[];
};

/** What an order contributes to its sellers' days. Id: the transaction's. */
export type IncomeOrderDocument = {
  /** The Lagos day of payment; null until the order is paid. */
  readonly paidOn: string | null;
  readonly shares: readonly { readonly sellerId: string; readonly status: ShareStatus }[];
  readonly lines: readonly (SoldDayDocument['products'][number] & { readonly sellerId: string })[];
};

export type IncomeCollections = {
  readonly payouts: PayoutDocument;
  readonly paidOut: PaidOutDocument;
  readonly days: SoldDayDocument;
  readonly orders: IncomeOrderDocument;
};

/** Sales by day, and payouts, for each seller. */
export const income = {
  name: 'income',
  version: 4,
  collections: {
    payouts: [newestFirst(['sellerId'], ['requestedAt'])],
    paidOut: [],
    days: [],
    orders: [],
  },
} as const satisfies ReadModel<keyof IncomeCollections>;
