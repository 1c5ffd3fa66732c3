import { z } from 'zod';
import { disputeNotice } from './bodies.js';
import { FAULTS, faultRequest } from './faults.js';
import type { Inside } from './inside.js';
import { invalidParams, type Reply, success, transactionNotFound } from './replies.js';
import { newId } from './store.js';

const disputeRequest = z.strictObject({
  raise: z.literal('dispute'),
  reference: z.string().min(1),
});

/**
 * `POST /control`: plans a fault (`{ fault, reference?, times?, delayMs?, retryAfterSeconds?, copies?, outcome? }`), or
 * has a cardholder dispute a payment at once (`{ raise: 'dispute', reference }`). It takes the secret
 * key like every call, so no web page can reach it.
 */
export async function control(inside: Inside, body: unknown): Promise<Reply> {
  const dispute = disputeRequest.safeParse(body);
  if (dispute.success) return raiseDispute(inside, dispute.data.reference);
  const request = faultRequest.safeParse(body);
  if (!request.success) return invalidParams(`fault is one of ${FAULTS.join(', ')}`);
  await inside.faults.plan(request.data);
  return success('Fault planned', request.data);
}

async function raiseDispute(inside: Inside, reference: string): Promise<Reply> {
  const transaction = await inside.store.transaction(reference);
  if (transaction === null) return transactionNotFound;
  const now = inside.clock.now();
  const notice = disputeNotice(transaction, newId(), now);
  await inside.notify('charge.dispute.create', notice, reference, now);
  return success('Dispute raised', { id: notice.id ?? null });
}
