import type { Json, JsonObject } from '@oja/platform';
import {
  isPaid,
  type RefundRecord,
  refundStatus,
  type TransactionRecord,
  type TransferRecord,
  transactionStatus,
  transferStatus,
} from './store.js';

/** Bodies of answers and webhooks in Paystack's own shapes. Times are ISO 8601, amounts kobo. */

const iso = (at: number): string => new Date(at).toISOString();

/** Paystack's fee for a local card, in kobo: 1.5 % plus ₦100 (no ₦100 below ₦2,500), at most ₦2,000. */
export function transactionFees(amount: number): number {
  const share = Math.ceil((amount * 15) / 1000);
  return Math.min(amount < 250_000 ? share : share + 10_000, 200_000);
}

const GATEWAY_RESPONSES: Readonly<Record<ReturnType<typeof transactionStatus>, string>> = {
  success: 'Successful',
  reversed: 'Successful',
  reversal_pending: 'Successful',
  failed: 'Declined',
  pending: 'Pending',
  abandoned: 'The transaction was not completed',
};

export function transactionBody(record: TransactionRecord, now: number): JsonObject {
  const status = transactionStatus(record, now);
  const paid = isPaid(record, now);
  return {
    id: record.id,
    domain: 'test',
    status,
    reference: record.reference,
    receipt_number: null,
    amount: record.amount,
    message: null,
    gateway_response: GATEWAY_RESPONSES[status],
    paid_at: paid ? iso(record.settlesAt) : null,
    created_at: iso(record.createdAt),
    channel: 'card',
    currency: 'NGN',
    ip_address: null,
    // The sandbox stores no personal data: neither the metadata nor the e-mail of the call.
    metadata: '',
    fees: paid ? transactionFees(record.amount) : null,
    authorization: paid
      ? { card_type: 'visa', last4: '4081', exp_month: '12', exp_year: '2030', bank: 'TEST BANK' }
      : {},
    customer: { email: null, customer_code: `CUS_${record.accessCode}` },
    plan: null,
    requested_amount: record.amount,
  };
}

export function refundBody(
  transaction: TransactionRecord,
  refund: RefundRecord,
  now: number,
): JsonObject {
  return {
    id: refund.id,
    domain: 'test',
    transaction: transaction.id,
    amount: refund.amount,
    currency: 'NGN',
    status: refundStatus(refund, now),
    merchant_note: refund.note ?? null,
    dispute: refund.disputeId ?? null,
    created_at: iso(refund.createdAt),
    expected_at: iso(refund.settlesAt),
  };
}

/** Data of the webhooks `refund.*`; its shape differs from the API's answer. */
export function refundNotice(transaction: TransactionRecord, refund: RefundRecord): JsonObject {
  return {
    id: refund.id,
    domain: 'test',
    status: refund.outcome,
    transaction_reference: transaction.reference,
    refund_reference: `RFD_${refund.id}`,
    amount: String(refund.amount),
    currency: 'NGN',
    customer: { email: null },
  };
}

export function transferBody(record: TransferRecord, now: number): JsonObject {
  const status = transferStatus(record, now);
  return {
    id: record.id,
    domain: 'test',
    status,
    reference: record.reference,
    transfer_code: record.transferCode,
    amount: record.amount,
    currency: 'NGN',
    source: 'balance',
    recipient: { recipient_code: record.recipientCode },
    transferred_at: status === 'success' ? iso(record.settlesAt) : null,
    created_at: iso(record.createdAt),
  };
}

/**
 * Data of the webhooks `charge.dispute.*`; a null `resolution` means that the dispute is open. `amount`: what the
 * cardholder asks for, or gets, in kobo.
 */
export function disputeNotice(
  transaction: TransactionRecord,
  id: number,
  now: number,
  resolution: 'declined' | 'merchant-accepted' | null,
  amount = transaction.amount,
): JsonObject {
  return {
    id,
    domain: 'test',
    status: resolution === null ? 'awaiting-merchant-feedback' : 'resolved',
    category: 'chargeback',
    resolution,
    refund_amount: amount,
    currency: 'NGN',
    transaction: transactionBody(transaction, now),
    created_at: iso(now),
  };
}

/** The sandbox's answer to an API call. */
export interface Reply {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

export const success = (message: string, data: Json): Reply => ({
  status: 200,
  body: { status: true, message, data },
});

/** Paystack's shape for a failed call; `nextStep` is meant for the developer who reads it. */
export const failure = (
  status: number,
  code: string,
  message: string,
  nextStep: string,
): Reply => ({
  status,
  body: {
    status: false,
    message,
    meta: { nextStep },
    type: status < 500 && status !== 429 ? 'validation_error' : 'api_error',
    code,
  },
});

export const invalidParams = (message: string): Reply =>
  failure(400, 'invalid_params', message, 'Correct the named field and call again');

export const transferReferenceUsed = failure(
  400,
  'duplicate_transfer_reference',
  'Please provide a unique reference. Reference already exists on a transfer',
  'Create a new reference for the new transfer',
);

export const transferNotFound = failure(
  404,
  'not_found',
  'Transfer not found.',
  'Pass the reference of a transfer that was made with this key',
);

export const transactionNotFound = failure(
  400,
  'transaction_not_found',
  'Transaction reference not found.',
  'Pass a reference that was initialized with this key',
);
