import type { JsonObject } from '../eventstore/port.js';

/** Amounts are whole kobo. */
export interface InitializePayment {
  readonly email: string;
  readonly amount: number;
  readonly currency: 'NGN';
  /** Letters, digits, `-`, `.`, `=`. */
  readonly reference: string;
  readonly callbackUrl: string;
  readonly metadata: JsonObject;
}

/** The provider's whole envelope goes to the browser as it came. */
export interface InitializedPayment {
  readonly authorizationUrl: string;
  readonly accessCode: string;
  readonly reference: string;
  readonly envelope: JsonObject;
}

export interface VerifiedPayment {
  readonly id: string;
  readonly reference: string;
  readonly status:
    | 'success'
    | 'failed'
    | 'abandoned'
    | 'ongoing'
    | 'pending'
    | 'processing'
    | 'queued'
    | 'reversed';
  /** What was paid, and what was asked where the provider says so. */
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
  readonly status: 'pending' | 'processing' | 'processed' | 'failed' | 'needs-attention';
  /** As it was given when it was asked for; null where the provider does not say. */
  readonly note: string | null;
}

export interface VerifiedTransfer {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  /** 'success', 'failed' and 'reversed' end it; anything else is on its way. */
  readonly status: string;
}

export type PaymentFailure =
  /** No usable answer: the outcome is unknown. */
  | { readonly ok: false; readonly reason: 'unreachable' }
  | { readonly ok: false; readonly reason: 'rate-limited'; readonly retryAfterSeconds: number }
  | { readonly ok: false; readonly reason: 'duplicate-reference' }
  | { readonly ok: false; readonly reason: 'not-found' }
  | { readonly ok: false; readonly reason: 'refused'; readonly message: string };

export type PaymentAnswer<T> = { readonly ok: true; readonly value: T } | PaymentFailure;

/** Card payments. Contract: `platform/test/contracts/payments.ts`. Source: Paystack's API. */
export interface Payments {
  initialize(payment: InitializePayment): Promise<PaymentAnswer<InitializedPayment>>;
  verify(reference: string): Promise<PaymentAnswer<VerifiedPayment>>;
  /** Refunds have no key of their own: read `refunds` before asking for one. */
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
  /** A reference is used once: a second use is 'duplicate-reference', and verifyTransfer says what became of the first. */
  transfer(request: {
    readonly amount: number;
    readonly recipientCode: string;
    readonly reference: string;
    readonly reason: string;
  }): Promise<PaymentAnswer<{ readonly transferCode: string; readonly status: string }>>;
  /** How a transfer stands, by its reference; 'not-found' for one that was never asked for. */
  verifyTransfer(reference: string): Promise<PaymentAnswer<VerifiedTransfer>>;
  /** Whether the signature is that of the raw body under our secret, in constant time. */
  isSignedByProvider(rawBody: Buffer, signature: string | undefined): boolean;
}
