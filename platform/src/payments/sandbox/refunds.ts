import { z } from 'zod';
import { refundBody, refundNotice } from './bodies.js';
import { type Inside, SETTLING_MS } from './inside.js';
import { type RefundRecord, refundable, transactionStatus } from './records.js';
import { failure, invalidParams, type Reply, success, transactionNotFound } from './replies.js';
import { newId } from './store.js';

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
  const notice = refundNotice(changed, refund);
  await inside.notify(`refund.${refund.outcome}`, notice, reference, refund.settlesAt);
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
