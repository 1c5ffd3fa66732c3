import { equality, type ReadModel } from './model.js';

/**
 * Whole kobo. Balanced: cash = held + payable + paidOut + house + refundsDue + heldAside
 * − providerFees − losses. `cash` is what came in and was not given back to a buyer, less the
 * provider's fees; what was paid out stays counted on both sides.
 */
export type LedgerAccounts = {
  readonly cash: number;
  /** Shares of sellers whose delivery is not confirmed. */
  readonly held: number;
  /** Released, not yet paid out. */
  readonly payable: number;
  readonly paidOut: number;
  /** The market's own: price raises and delivery fees. */
  readonly house: number;
  /** Refunds that were asked and are not completed. */
  readonly refundsDue: number;
  /** Payments that match no order, until they are refunded. */
  readonly heldAside: number;
  readonly providerFees: number;
  /** Given back to a buyer after the seller was paid. */
  readonly losses: number;
};

/** id: 'all' for the market, else the transaction's. */
export type LedgerDocument = LedgerAccounts & { readonly balanced: boolean };

/** id: the seller's. */
export type EarningsDocument = {
  readonly sellerId: string;
  readonly held: number;
  readonly payable: number;
  readonly paidOut: number;
};

/** What each seller of an order is owed, and where it stands; id: the transaction's. */
export type LedgerOrderDocument = {
  readonly shares: readonly {
    readonly sellerId: string;
    readonly share: number;
    readonly status: 'none' | 'held' | 'payable' | 'paid-out' | 'refunded';
  }[];
  /** Payments held aside that were not given back yet; of another currency: 0, since they are no kobo. */
  readonly asides: readonly {
    readonly refundId: string;
    readonly amount: number;
  }[];
};

export type LedgerCollections = {
  readonly accounts: LedgerDocument;
  readonly earnings: EarningsDocument;
  readonly orders: LedgerOrderDocument;
};

/** The market's own accounts. */
export const LEDGER_ID = 'all';

export const ledger = {
  name: 'ledger',
  version: 2,
  collections: { accounts: [equality('balanced')], earnings: [], orders: [] },
} as const satisfies ReadModel<keyof LedgerCollections>;
