import { equality, type ReadModel } from './model.js';

/**
 * Whole kobo. Balanced when cash = held + payable + paidOut + house + refundsDue + heldAside −
 * providerFees − losses. `cash` is what came in, minus refunds to buyers and the provider's fees.
 * Payouts stay counted on both sides.
 */
export type LedgerAccounts = {
  readonly cash: number;
  /** Sellers' shares of orders whose delivery is not confirmed. */
  readonly held: number;
  /** Shares that are released but not paid out. */
  readonly payable: number;
  readonly paidOut: number;
  /** The market's own income: price raises and delivery fees. */
  readonly house: number;
  /** Refunds that were requested but are not completed. */
  readonly refundsDue: number;
  /** Payments that do not pay their order, until they are refunded. */
  readonly heldAside: number;
  readonly providerFees: number;
  /** Money given back to a buyer after the seller was paid, and payouts to a seller who was paid already. */
  readonly losses: number;
};

/** Id: 'all' for the whole market, otherwise the transaction's. */
export type LedgerDocument = LedgerAccounts & { readonly balanced: boolean };

/** Id: the seller's. Kobo. What was paid out twice counts twice. */
export type EarningsDocument = {
  readonly sellerId: string;
  readonly held: number;
  readonly payable: number;
  readonly paidOut: number;
};

/** Each seller's share of an order (kobo) and its status. Id: the transaction's. */
export type LedgerOrderDocument = {
  readonly shares: readonly {
    readonly sellerId: string;
    readonly share: number;
    readonly status: 'none' | 'held' | 'payable' | 'paid-out' | 'refunded';
    /** Ids of payouts that arrived although the share was paid otherwise or taken back. */
    readonly doubled: readonly string[];
  }[];
  /** Payments that were held aside, refunded or not: a refund may come undone. A payment in another currency counts as 0, because it is not kobo. */
  readonly asides: readonly {
    readonly refundId: string;
    readonly amount: number;
  }[];
  /**
   * What disputes gave back of the payment in parts, absent where none ever did. `open`: what no refund counts yet, in
   * kobo; a loss, unless all of the payment is `gone`.
   */
  readonly returned?: { readonly open: number; readonly gone: boolean };
};

export type LedgerCollections = {
  readonly accounts: LedgerDocument;
  readonly earnings: EarningsDocument;
  readonly orders: LedgerOrderDocument;
};

/** The id of the whole market's accounts. */
export const LEDGER_ID = 'all';

export const ledger = {
  name: 'ledger',
  version: 4,
  collections: { accounts: [equality('balanced')], earnings: [], orders: [] },
} as const satisfies ReadModel<keyof LedgerCollections>;
