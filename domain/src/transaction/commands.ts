import type { Sealed } from '../decider.js';
import type { OrderLine } from './events.js';
import type { PayoutDestination } from './state.js';

/** Times (`at`) are ISO 8601 in UTC; amounts are whole kobo. */
interface At {
  readonly at: string;
}

export interface PlaceOrder extends At {
  readonly type: 'PlaceOrder';
  readonly transactionId: string;
  /** As the products and sellers are now, read from their own streams. */
  readonly lines: readonly OrderLine[];
  /** What the buyer was shown and agreed to. */
  readonly amount: number;
  readonly fullName: Sealed;
  readonly email: Sealed;
  readonly homeAddress: Sealed;
  readonly phoneNumber: Sealed;
  readonly secret: Sealed;
}
/** The provider has taken the reference and gave an address to pay at. */
interface RecordInitialized {
  readonly type: 'RecordInitialized';
  readonly reference: string;
  readonly accessCode: string;
  readonly authorizationUrl: string;
}
/** What the provider says of a payment, from the browser's return, the webhook or the re-check. */
export interface VerifyPayment extends At {
  readonly type: 'VerifyPayment';
  readonly reference: string;
  readonly status: 'success' | 'reversed' | 'other';
  /** What came. */
  readonly amount: number;
  /** What was asked of the buyer, where the provider says it. */
  readonly requestedAmount?: number | null | undefined;
  readonly currency: string;
  readonly fees: number;
  readonly channel: string | null;
  readonly providerId: string;
  readonly paidAt: string | null;
  /** How often the payment had been taken back when the provider was asked: a later word counts more. */
  readonly reversals?: number;
  /** The buyer has been forgotten. */
  readonly isBuyerGone?: boolean;
  /** Of some of its goods too few are left: see `paysFor`. */
  readonly isSoldOut?: boolean;
}
/** A cardholder disputes the payment. */
export interface RecordDispute extends At {
  readonly type: 'RecordDispute';
  readonly reference: string;
  readonly disputeId: string;
}
export interface CloseDispute extends At {
  readonly type: 'CloseDispute';
  readonly reference: string;
  readonly disputeId: string;
}
/** The receipt, once more, to the address of the order. */
export interface RequestReceipt extends At {
  readonly type: 'RequestReceipt';
  readonly requestId: string;
}
interface ExpireOrder extends At {
  readonly type: 'ExpireOrder';
}
export interface ConfirmDelivery extends At {
  readonly type: 'ConfirmDelivery';
}
export interface ReportNotReceived extends At {
  readonly type: 'ReportNotReceived';
}
export interface ReportProblem extends At {
  readonly type: 'ReportProblem';
  readonly sellerIds: readonly string[];
  readonly complaint: Sealed;
}
export interface ResolveDispute extends At {
  readonly type: 'ResolveDispute';
  readonly sellerId: string;
  readonly outcome: 'release' | 'refund';
  readonly note?: Sealed;
  /** The buyer has been forgotten, so that no note can be sealed for them. */
  readonly isBuyerGone?: boolean;
  /** Seller id of the head admin, or 'operator'. */
  readonly by: string;
}
export interface RequestPayout extends At {
  readonly type: 'RequestPayout';
  readonly sellerId: string;
  readonly method: 'transfer' | 'manual';
  readonly account?: PayoutDestination;
}
export interface CompletePayout extends At {
  readonly type: 'CompletePayout';
  readonly payoutId: string;
  readonly reason?: string;
}
/** A payout that was completed has stayed with the seller; or one that was given up never arrived. */
export interface ClearPayout extends At {
  readonly type: 'ClearPayout';
  readonly payoutId: string;
}
/** An operator has paid a share by other means, whatever the provider was asked to do before. */
export interface SettlePayout extends At {
  readonly type: 'SettlePayout';
  readonly sellerId: string;
  readonly reason: string;
}
export interface FailPayout extends At {
  readonly type: 'FailPayout';
  readonly payoutId: string;
  readonly reason: string;
  /** An operator ends it without the provider's word: the transfer may still arrive. */
  readonly givenUp?: boolean;
}
/** The provider says that a transfer has arrived which had been ended here. */
export interface RecordLatePayout extends At {
  readonly type: 'RecordLatePayout';
  readonly payoutId: string;
}
export interface CompleteRefund extends At {
  readonly type: 'CompleteRefund';
  readonly refundId: string;
}
/** The provider could not give it back; it is asked again by an operator or the sweep. */
export interface FailRefund extends At {
  readonly type: 'FailRefund';
  readonly refundId: string;
  readonly reason: string;
}
interface RemoveBuyerRecord extends At {
  readonly type: 'RemoveBuyerRecord';
  readonly by: string;
}

export type TransactionCommand =
  | PlaceOrder
  | RecordInitialized
  | VerifyPayment
  | RecordDispute
  | CloseDispute
  | RequestReceipt
  | ExpireOrder
  | ConfirmDelivery
  | ReportNotReceived
  | ReportProblem
  | ResolveDispute
  | RequestPayout
  | CompletePayout
  | ClearPayout
  | SettlePayout
  | FailPayout
  | RecordLatePayout
  | CompleteRefund
  | FailRefund
  | RemoveBuyerRecord;
