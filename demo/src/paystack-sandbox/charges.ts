import { z } from 'zod';
import {
  failure,
  invalidParams,
  type Reply,
  refundBody,
  success,
  transactionBody,
  transactionNotFound,
} from './bodies.js';
import { type Inside, SETTLING_MS } from './inside.js';
import { noticeOfRefund } from './notices.js';
import { type RefundRecord, refundable, transactionStatus } from './records.js';
import { newCode, newId } from './store.js';

const initializeBody = z.object({
  email: z.email('Invalid Email Address Passed'),
  amount: z.int('Invalid Amount Sent').positive('Invalid Amount Sent'),
  currency: z.literal('NGN', 'Currency not supported by merchant').default('NGN'),
  reference: z
    .string()
    .regex(/^[A-Za-z0-9.=-]{1,100}$/, 'Invalid reference')
    .optional(),
  callback_url: z.url({ protocol: /^https?$/, error: 'Invalid callback_url' }),
});

/** `POST /transaction/initialize`. A reference is used once; a second use replays nothing. */
export async function initializeTransaction(inside: Inside, body: unknown): Promise<Reply> {
  const parsed = initializeBody.safeParse(body);
  if (!parsed.success) return invalidParams(parsed.error.issues[0]?.message ?? 'Invalid body');
  const { amount, callback_url: callbackUrl, reference = newCode('T') } = parsed.data;
  const accessCode = newCode('');
  const now = inside.clock.now();
  const isNew = await inside.store.addTransaction({
    id: newId(),
    reference,
    accessCode,
    amount,
    callbackUrl,
    createdAt: now,
    outcome: 'abandoned',
    settlesAt: now,
    refunds: [],
  });
  if (!isNew) {
    return failure(
      400,
      'duplicate_reference',
      'Duplicate Transaction Reference',
      'Use a reference that has not been used before',
    );
  }
  return success('Authorization URL created', {
    authorization_url: `${inside.address}/checkout/${accessCode}`,
    access_code: accessCode,
    reference,
  });
}

/** `GET /transaction/verify/:reference`: 200 for failed payments too. */
export async function verifyTransaction(inside: Inside, reference: string): Promise<Reply> {
  const record = await inside.store.transaction(reference);
  if (record === null) return transactionNotFound;
  return success('Verification successful', transactionBody(record, inside.clock.now()));
}

const refundRequest = z.object({
  transaction: z.union([z.string().min(1), z.int()]).transform(String),
  amount: z.int().positive().optional(),
  merchant_note: z.string().max(200).optional(),
});

/** `POST /refund`: pending first, then processed or failed. Never more than was paid. */
export async function createRefund(inside: Inside, body: unknown): Promise<Reply> {
  const { store, faults, clock } = inside;
  const parsed = refundRequest.safeParse(body);
  if (!parsed.success) return invalidParams('transaction and amount (kobo) are needed');
  const reference = await store.referenceOf(parsed.data.transaction);
  const found = await store.transaction(reference);
  if (found === null) return transactionNotFound;
  const now = clock.now();
  const fails = (await faults.take('fail-refund', reference)) !== null;
  const refund: RefundRecord = {
    id: newId(),
    amount: parsed.data.amount ?? refundable(found, now),
    ...(parsed.data.merchant_note !== undefined && { note: parsed.data.merchant_note }),
    outcome: fails ? 'failed' : 'processed',
    createdAt: now,
    settlesAt: now + SETTLING_MS,
  };
  const changed = await store.changeTransaction(reference, (record) =>
    transactionStatus(record, now) === 'success' &&
    refund.amount > 0 &&
    refund.amount <= refundable(record, now)
      ? { ...record, refunds: [...record.refunds, refund] }
      : null,
  );
  if (changed === null) {
    return failure(
      400,
      'invalid_refund',
      'Refund amount is more than what can be refunded of this transaction',
      'Read the refunds of the transaction first',
    );
  }
  await inside.notify(noticeOfRefund(changed, refund));
  return success('Refund has been queued for processing', refundBody(changed, refund, now));
}

/** `GET /refund?transaction=`: by the transaction's id or reference. */
export async function listRefunds(inside: Inside, transaction: string | null): Promise<Reply> {
  if (transaction === null) return invalidParams('transaction is needed');
  const record = await inside.store.transaction(await inside.store.referenceOf(transaction));
  if (record === null) return transactionNotFound;
  const now = inside.clock.now();
  return success(
    'Refunds retrieved',
    record.refunds.map((refund) => refundBody(record, refund, now)),
  );
}
