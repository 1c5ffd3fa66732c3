import type { PayoutDestination } from '@oja/domain';
import { newest, type ReadModel } from './model.js';
import type { ShareStatus } from './transactions.js';

export const payoutStatuses = ['on-its-way', 'sent', 'failed', 'came-back'] as const;
/**
 * What is to be said of one besides. bank: the bank did not keep it; stopped: ended here, without the bank's word; taken-back:
 * the buyer's payment was taken back before, so it is not paid again; late: ended here, and arrived after all.
 */
export const payoutReasons = ['bank', 'stopped', 'taken-back', 'late'] as const;

/** One payout of a seller's part of an order, as often as it was tried; id: the payout's. Times are ISO 8601. */
export type PayoutDocument = {
  readonly sellerId: string;
  readonly transactionId: string;
  /** Kobo. */
  readonly amount: number;
  readonly method: 'transfer' | 'manual';
  /** Bound to the order's stream; null where it was paid by hand, or asked for before this was kept. */
  readonly account: PayoutDestination | null;
  readonly status: (typeof payoutStatuses)[number];
  readonly reason: (typeof payoutReasons)[number] | null;
  readonly requestedAt: string;
  /** When it was sent, failed or came back. */
  readonly endedAt: string | null;
};

/** What was paid out to a seller and has stayed there, by the month in Lagos, the oldest first; id: the seller's. Kobo. */
export type PaidOutDocument = {
  readonly months: readonly { readonly month: string; readonly amount: number }[];
};

export const soldDayId = (sellerId: string, day: string) => `${sellerId}/${day}`;

/**
 * What a seller sold on one day in Lagos, by the day of the payment: their own part, in kobo, without what went back to
 * the buyer; id: see `soldDayId`.
 */
export type SoldDayDocument = {
  readonly orders: number;
  readonly sum: number;
  /** A product that was renamed stands here under each name. */
  readonly products: readonly {
    readonly productId: string;
    readonly name: string;
    readonly pieces: number;
    readonly sum: number;
  }[];
};

/** What an order adds to the days of its sellers; id: the transaction's. */
export type IncomeOrderDocument = {
  /** The day in Lagos; null until it is paid. */
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

/** What sellers sold by the day, and what was paid out to them. */
export const income = {
  name: 'income',
  version: 2,
  collections: {
    payouts: [newest(['sellerId'], ['requestedAt'])],
    paidOut: [],
    days: [],
    orders: [],
  },
} as const satisfies ReadModel<keyof IncomeCollections>;
