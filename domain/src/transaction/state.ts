import type { Sealed } from '../decider.js';
import type { OrderLine } from './events.js';

/**
 * Where one seller's share stands. `none`: not paid yet; `reversed`: the provider took the payment
 * back (with a payout id: a payout was under way then, and may still arrive).
 */
type ShareStatus =
  | 'none'
  | 'held'
  | 'disputed'
  | 'released'
  | 'payout-requested'
  | 'paid-out'
  | 'refunded'
  | 'reversed';

/** So much of a seller's account that they know it: its last digits, and the name of its bank. */
export type PayoutDestination = {
  readonly accountEnd: Sealed;
  readonly bankName: Sealed;
};

export interface ShareState {
  readonly sellerId: string;
  readonly businessName: string;
  readonly price: number;
  readonly share: number;
  readonly status: ShareStatus;
  readonly payoutId: string | null;
  /** How the payout that was asked for last is paid. */
  readonly payoutMethod: 'transfer' | 'manual' | null;
  /** Where that goes; null where it is paid by hand, or was asked for before this was kept. */
  readonly payoutAccount: PayoutDestination | null;
  /** Whether the payout that was completed has been seen to stay with the seller. */
  readonly payoutCleared: boolean;
  /** Payouts that failed; the next one has another id. */
  readonly failedPayouts: number;
  /** Ids of those among them that may still arrive, since nobody waited for the provider's word. */
  readonly givenUp: readonly string[];
  /** Ids of those among them that were heard of later. */
  readonly heardLate: readonly string[];
  /** Of one that is `reversed`: where it stood before. */
  readonly reversedFrom: ShareStatus | null;
}

export interface RefundState {
  readonly refundId: string;
  readonly sellerId: string | null;
  /** The provider's id of the payment that goes back. */
  readonly providerId: string;
  readonly amount: number;
  /** `void`: the provider took the whole payment back, so there is nothing to give back any more. */
  readonly status: 'requested' | 'completed' | 'failed' | 'void';
}

/** A payment that is not this order's and is held aside; its refund has an id of its own. */
export interface HeldAside {
  readonly reference: string;
  readonly providerId: string;
  readonly refundId: string;
  readonly reason: 'amount' | 'currency' | 'second-payment' | 'erased' | 'sold-out';
}

export interface Payment {
  readonly reference: string;
  readonly providerId: string;
  readonly amount: number;
  readonly paidAt: string;
}

/** A payment the provider was asked for; the address is not known of attempts from before it was kept. */
export interface Attempt {
  readonly reference: string;
  readonly accessCode: string;
  readonly authorizationUrl: string | null;
}

/** What only the holder of the buyer's key can read. */
export interface SealedBuyer {
  readonly fullName: Sealed;
  readonly email: Sealed;
  readonly homeAddress: Sealed;
  readonly phoneNumber: Sealed;
  /** Opens the order to its buyer. */
  readonly secret: Sealed;
}

export type TransactionState =
  | { readonly status: 'none' }
  | {
      readonly status: 'placed';
      readonly transactionId: string;
      readonly placedAt: string;
      readonly lines: readonly OrderLine[];
      readonly deliveryFee: number;
      readonly amount: number;
      readonly buyer: SealedBuyer;
      readonly shares: readonly ShareState[];
      /** The payment attempts the provider has taken, in their order. */
      readonly attempts: readonly Attempt[];
      readonly payment: Payment | null;
      readonly mismatched: readonly HeldAside[];
      readonly reversed: boolean;
      /** How often the payment was taken back, and how much the last time, in kobo. */
      readonly reversals: number;
      readonly reversedAmount: number;
      /** Disputes that the cardholder's bank has opened, with the times they were heard of. */
      readonly openDisputes: readonly { readonly disputeId: string; readonly at: string }[];
      readonly closedDisputes: readonly string[];
      readonly expired: boolean;
      readonly confirmed: boolean;
      /** When the buyer's last 'No' was recorded. */
      readonly notYetAt: string | null;
      readonly refunds: readonly RefundState[];
      readonly buyerRemoved: boolean;
      /** When the receipt was asked for again, and under which ids. */
      readonly receiptRequests: readonly { readonly requestId: string; readonly at: string }[];
    };
export type PlacedOrder = Extract<TransactionState, { status: 'placed' }>;

export const noTransaction: TransactionState = { status: 'none' };

/** How the user's calls name where a delivery stands; DELIVERED and REFUNDED are closed. */
type ReceivedStatus = 'PENDING' | 'DISPUTED' | 'DELIVERED' | 'REFUNDED';

const given = (share: ShareState) =>
  share.status === 'released' || share.status === 'payout-requested' || share.status === 'paid-out';

/**
 * DELIVERED: no dispute open and any share released; REFUNDED: everything went back. Departure: with
 * one share released and another still held it stays PENDING, since a DELIVERED record can be removed,
 * and then nobody could confirm what is held.
 */
export function receivedStatus({ shares }: PlacedOrder): ReceivedStatus {
  if (shares.some(({ status }) => status === 'disputed')) return 'DISPUTED';
  if (shares.some(({ status }) => status === 'held' || status === 'none')) return 'PENDING';
  return shares.some(given) ? 'DELIVERED' : 'REFUNDED';
}

/** Paid and not closed: its goods cannot be removed, its sellers not be erased. */
export function isOpen(state: TransactionState): boolean {
  if (state.status === 'none' || state.payment === null) return false;
  const received = receivedStatus(state);
  return received === 'PENDING' || received === 'DISPUTED';
}
