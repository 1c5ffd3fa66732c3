import type { JsonObject } from '../eventstore/port.js';

/** A payment to start. `amount` is in whole kobo. */
export interface InitializePayment {
  readonly email: string;
  readonly amount: number;
  readonly currency: 'NGN';
  /** Allowed: letters, digits, `-`, `.`, `=`. */
  readonly reference: string;
  readonly callbackUrl: string;
  readonly metadata: JsonObject;
}

/** `envelope` is the provider's whole answer, which the browser gets unchanged. */
export interface InitializedPayment {
  readonly authorizationUrl: string;
  readonly accessCode: string;
  readonly reference: string;
  readonly envelope: JsonObject;
}

export interface VerifiedPayment {
  readonly id: string;
  readonly reference: string;
  /** A word of the provider's that is not listed here is 'pending'. */
  readonly status:
    | 'success'
    | 'failed'
    | 'abandoned'
    | 'ongoing'
    | 'pending'
    | 'processing'
    | 'queued'
    | 'reversed';
  /** The amount paid, and the amount requested if the provider says so; whole kobo. */
  readonly amount: number;
  readonly requestedAmount: number | null;
  readonly currency: string;
  readonly channel: string | null;
  readonly paidAt: string | null;
  readonly fees: number | null;
}

export interface Refund {
  readonly id: string;
  readonly amount: number;
  /** A word of the provider's that is not listed here is 'pending'. */
  readonly status: 'pending' | 'processing' | 'processed' | 'failed' | 'needs-attention';
  /** The note given with the request; null when the provider does not return it. */
  readonly note: string | null;
  /** The dispute that was lost or accepted by this refund; null where it is our own, or not told. */
  readonly disputeId: string | null;
}

export interface VerifiedTransfer {
  readonly reference: string;
  /** Whole kobo. */
  readonly amount: number;
  /** The provider's own word; what it means for a payout is `toTransferOutcome` of command-service. */
  readonly status: string;
}

export type PaymentFailure =
  /** No usable answer: the outcome is unknown. */
  | { readonly ok: false; readonly reason: 'unreachable' }
  | { readonly ok: false; readonly reason: 'rate-limited'; readonly retryAfterSeconds: number }
  | { readonly ok: false; readonly reason: 'duplicate-reference' }
  | { readonly ok: false; readonly reason: 'not-found' }
  /** The provider refuses our key, whatever it is asked: nothing was done. */
  | { readonly ok: false; readonly reason: 'unauthorized'; readonly message: string }
  | {
      readonly ok: false;
      readonly reason: 'refused';
      readonly message: string;
      /** Present if the provider does not allow us the call, which it has then not looked at. */
      readonly isForbidden?: true;
    };

export type PaymentAnswer<T> = { readonly ok: true; readonly value: T } | PaymentFailure;

/**
 * Card payments, refunds and transfers. All amounts are whole kobo. Contract:
 * `demo/test/payments.ts`. Source: Paystack's API.
 */
export interface Payments {
  initialize(payment: InitializePayment): Promise<PaymentAnswer<InitializedPayment>>;
  verify(reference: string): Promise<PaymentAnswer<VerifiedPayment>>;
  /** Refunds have no idempotency key: read `refunds` before requesting one. */
  refunds(transactionId: string): Promise<PaymentAnswer<readonly Refund[]>>;
  refund(request: {
    readonly transaction: string;
    readonly amount: number;
    readonly note: string;
  }): Promise<PaymentAnswer<Refund>>;
  createRecipient(account: {
    readonly name: string;
    readonly accountNumber: string;
    readonly bankCode: string;
  }): Promise<PaymentAnswer<{ readonly recipientCode: string }>>;
  /** A second use of a reference gives 'duplicate-reference'; `verifyTransfer` tells what became of the first. */
  transfer(request: {
    readonly amount: number;
    readonly recipientCode: string;
    readonly reference: string;
    readonly reason: string;
  }): Promise<PaymentAnswer<{ readonly transferCode: string; readonly status: string }>>;
  /** The status of a transfer, by its reference; 'not-found' when it was never requested. */
  verifyTransfer(reference: string): Promise<PaymentAnswer<VerifiedTransfer>>;
  /** Whether the signature belongs to the raw body under our secret; compared in constant time. */
  isSignedByProvider(rawBody: Buffer, signature: string | undefined): boolean;
}
