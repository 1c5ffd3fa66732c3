import type { Sealed } from '../decider.js';
import type { OrderLine } from './events.js';

/**
 * The status of a seller's share. `none`: not paid yet. `reversed`: the payment was reversed; if
 * there is a payout id, a payout was under way then and may still arrive.
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

/** As much of a bank account as its owner needs to recognise it: the last digits, and the bank's name. */
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
  /** How the latest payout is made. */
  readonly payoutMethod: 'transfer' | 'manual' | null;
  /** The destination of the latest payout; null for a manual one, and for those older than this field. */
  readonly payoutAccount: PayoutDestination | null;
  /** Ids of payouts that a second check found still with the seller, or that were given up and never arrived. */
  readonly clearedPayouts: readonly string[];
  /**
   * How many payouts have failed. The next payout's id includes this number. One that was given up, arrived after
   * all and then came back counts once.
   */
  readonly failedPayouts: number;
  /** Ids of failed payouts that may still arrive, because they were ended before the provider reported an outcome. */
  readonly givenUp: readonly string[];
  /** Ids of failed payouts whose outcome was reported later. */
  readonly reportedLate: readonly string[];
  /** Ids of payouts that arrived although the share was paid otherwise or taken back: the market's loss. */
  readonly doubled: readonly string[];
  /** The status before `reversed`; null otherwise. */
  readonly reversedFrom: ShareStatus | null;
}

export interface RefundState {
  readonly refundId: string;
  readonly sellerId: string | null;
  /** The provider's id of the payment to refund. */
  readonly providerId: string;
  readonly amount: number;
  /** `void`: the whole payment was reversed, so there is nothing left to refund. */
  readonly status: 'requested' | 'completed' | 'failed' | 'void';
  /** Completed only because the whole payment was reversed: it is owed again if the payment comes back. */
  readonly byReversal: boolean;
}

/** A payment that does not pay this order and is held aside, with its own refund. */
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

/** What disputes gave back of the payment in parts. Sums in kobo. */
export interface ReturnedInPart {
  readonly disputeIds: readonly string[];
  /** What counts for no refund yet. */
  readonly open: number;
  /** What counts for refunds beside their own amounts. */
  readonly counted: number;
}

/** A dispute of the payment with this reference. */
export interface Dispute {
  readonly disputeId: string;
  readonly reference: string;
}

/** A payment attempt that the provider accepted. The address is null for attempts older than this field. */
export interface Attempt {
  readonly reference: string;
  readonly accessCode: string;
  readonly authorizationUrl: string | null;
}

/** The buyer's personal values, readable only with the buyer's key. */
export interface SealedBuyer {
  readonly fullName: Sealed;
  readonly email: Sealed;
  readonly homeAddress: Sealed;
  readonly phoneNumber: Sealed;
  /** The secret half of the order key. */
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
      /** Payment attempts that the provider accepted, oldest first. */
      readonly attempts: readonly Attempt[];
      readonly payment: Payment | null;
      readonly mismatched: readonly HeldAside[];
      readonly reversed: boolean;
      /**
       * How often the provider was seen to have taken money back, also where that counted as a refund; and the amount
       * of the payment's last reversal in kobo.
       */
      readonly reversals: number;
      readonly reversedAmount: number;
      readonly returned: ReturnedInPart;
      /** Disputes at the cardholder's bank, of this payment or of one held aside. `at`: when we learned of it. */
      readonly openDisputes: readonly (Dispute & { readonly at: string })[];
      readonly closedDisputes: readonly Dispute[];
      readonly expired: boolean;
      readonly confirmed: boolean;
      /** When the buyer's last 'No' was recorded. */
      readonly notYetAt: string | null;
      readonly refunds: readonly RefundState[];
      readonly buyerRemoved: boolean;
      /** Requests for another copy of the receipt. */
      readonly receiptRequests: readonly { readonly requestId: string; readonly at: string }[];
    };
export type PlacedOrder = Extract<TransactionState, { status: 'placed' }>;

export const noTransaction: TransactionState = { status: 'none' };

/** The delivery status as the wire spells it. The last two are final. */
export const receivedStatuses = ['PENDING', 'DISPUTED', 'DELIVERED', 'REFUNDED'] as const;
export type ReceivedStatus = (typeof receivedStatuses)[number];

type ShareStanding = Pick<ShareState, 'status'>;

const isReleased = ({ status }: ShareStanding) =>
  status === 'released' || status === 'payout-requested' || status === 'paid-out';

/**
 * DELIVERED: no dispute is open and at least one share was released. REFUNDED: no share was. With
 * one share released and another still held the status stays PENDING: a DELIVERED record can be
 * removed, and then nobody could confirm the held share.
 */
export function receivedStatus(shares: readonly ShareStanding[]): ReceivedStatus {
  if (shares.some(({ status }) => status === 'disputed')) return 'DISPUTED';
  if (shares.some(({ status }) => status === 'held' || status === 'none')) return 'PENDING';
  return shares.some(isReleased) ? 'DELIVERED' : 'REFUNDED';
}

/** Whether the order is paid and not closed. Its goods cannot be removed then, and its sellers cannot be erased. */
export function isOrderOpen(state: TransactionState): boolean {
  if (state.status === 'none' || state.payment === null) return false;
  const received = receivedStatus(state.shares);
  return received === 'PENDING' || received === 'DISPUTED';
}

/**
 * Whether the bank has taken the payment back and may still return it, because a dispute of it is open. Shares that
 * are not paid out then stand where they stood, so the order needs its buyer and its sellers until the dispute closes.
 */
export function mayBeRestored(state: TransactionState): boolean {
  if (state.status === 'none') return false;
  const { payment, shares, openDisputes } = state;
  const isDisputed = openDisputes.some(({ reference }) => reference === payment?.reference);
  return isDisputed && shares.some(({ status }) => status === 'reversed');
}

/**
 * Whether a refund is owed to the buyer and not made yet. The provider may want the buyer's bank account for it, and only
 * their own page tells them how it stands.
 */
export const isOwedRefund = ({ status }: Pick<RefundState, 'status'>): boolean =>
  status === 'requested' || status === 'failed';
