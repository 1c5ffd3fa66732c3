import type { Sealed } from '../decider.js';
import type { OrderLine } from './events.js';
import type { PayoutDestination } from './state.js';

/** `at` is ISO 8601 in UTC. All amounts in these commands are whole kobo. */
interface At {
  readonly at: string;
}

export interface PlaceOrder extends At {
  readonly type: 'PlaceOrder';
  readonly transactionId: string;
  /** Read from the products' and sellers' own streams, as they are now. */
  readonly lines: readonly OrderLine[];
  /** The total that the buyer was shown and agreed to. */
  readonly amount: number;
  readonly fullName: Sealed;
  readonly email: Sealed;
  readonly homeAddress: Sealed;
  readonly phoneNumber: Sealed;
  readonly secret: Sealed;
}
/** The provider accepted the reference and returned an address to pay at. */
interface RecordInitialized {
  readonly type: 'RecordInitialized';
  readonly reference: string;
  readonly accessCode: string;
  readonly authorizationUrl: string;
}
/** How a payment stands at the provider. Sent after the browser's return, a webhook or a re-check. */
export interface VerifyPayment extends At {
  readonly type: 'VerifyPayment';
  readonly reference: string;
  readonly status: 'success' | 'reversed' | 'other';
  /** The amount that arrived. */
  readonly amount: number;
  /** The amount requested from the buyer, if the provider reports it. */
  readonly requestedAmount?: number | null | undefined;
  readonly currency: string;
  readonly fees: number;
  readonly channel: string | null;
  readonly providerId: string;
  readonly paidAt: string | null;
  /**
   * How often the payment had been reversed when the provider was asked. An answer from before the
   * last reversal is ignored.
   */
  readonly reversals?: number;
  /** The buyer's data has been erased. */
  readonly isBuyerGone?: boolean;
  /** Too little stock is left for some of the goods, see `paysFor`; or their seller was erased. */
  readonly isSoldOut?: boolean;
}
/** The cardholder disputes the payment at their bank. */
export interface RecordDispute extends At {
  readonly type: 'RecordDispute';
  readonly reference: string;
  readonly disputeId: string;
}
export interface CloseDispute extends At {
  readonly type: 'CloseDispute';
  readonly reference: string;
  readonly disputeId: string;
  /** What the cardholder got back, in kobo, if that was a part of the payment: see `isPartOfPayment`. */
  readonly returned?: number;
}
/** Requests another copy of the receipt, sent to the address in the order. */
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
  /** The buyer's data has been erased, so no note can be sealed for them. */
  readonly isBuyerGone?: boolean;
  /** The head admin's seller id, or 'operator'. */
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
/**
 * Nothing more is expected of a payout: the money has stayed with the seller, or it was given up
 * and never arrived.
 */
export interface ClearPayout extends At {
  readonly type: 'ClearPayout';
  readonly payoutId: string;
}
/** An operator has paid a share by other means, whatever transfer was requested before. */
export interface SettlePayout extends At {
  readonly type: 'SettlePayout';
  readonly sellerId: string;
  readonly reason: string;
}
export interface FailPayout extends At {
  readonly type: 'FailPayout';
  readonly payoutId: string;
  readonly reason: string;
  /** An operator ends it before the provider has reported an outcome: the transfer may still arrive. */
  readonly givenUp?: boolean;
  /** A transfer to the same bank account has failed before, of this share or another of the seller's. */
  readonly repeated?: boolean;
}
/** A transfer has arrived at the provider after it was ended here. */
export interface RecordLatePayout extends At {
  readonly type: 'RecordLatePayout';
  readonly payoutId: string;
}
export interface CompleteRefund extends At {
  readonly type: 'CompleteRefund';
  readonly refundId: string;
}
/** Before a refund is sent: counts for it what a dispute has given back of the payment in part. */
export interface CountReturned extends At {
  readonly type: 'CountReturned';
  readonly refundId: string;
}
/** The provider could not make the refund. The sweep or an operator requests it again. */
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
  | CountReturned
  | FailRefund
  | RemoveBuyerRecord;
