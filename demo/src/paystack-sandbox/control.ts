import { z } from 'zod';
import {
  disputeNotice,
  invalidParams,
  type Reply,
  success,
  transactionNotFound,
} from './bodies.js';
import { FAULTS, faultRequest } from './faults.js';
import type { Inside } from './inside.js';
import { newId } from './store.js';

const RAISED = ['dispute', 'chargeback', 'dispute-won', 'dispute-lost'] as const;
const disputeRequest = z.strictObject({
  raise: z.enum(RAISED),
  reference: z.string().min(1),
  /** The dispute's, as `dispute` answered it. */
  id: z.int().optional(),
});

/**
 * `POST /control`: plans a fault (`{ fault, reference?, times?, delayMs?, retryAfterSeconds?, copies?, outcome? }`),
 * or lets a cardholder's bank act at once (`{ raise, reference, id? }`): `dispute` opens a dispute, under
 * which the payment stays a success; `chargeback` takes the money back without a word; `dispute-lost` and
 * `dispute-won` resolve it, with the money gone or back. It takes the secret key like every call, so no
 * web page can reach it.
 */
export async function control(inside: Inside, body: unknown): Promise<Reply> {
  const dispute = disputeRequest.safeParse(body);
  if (dispute.success) return raise(inside, dispute.data);
  const request = faultRequest.safeParse(body);
  if (!request.success) return invalidParams(`fault is one of ${FAULTS.join(', ')}`);
  await inside.faults.plan(request.data);
  return success('Fault planned', request.data);
}

async function raise(
  inside: Inside,
  { raise: what, reference, id = newId() }: z.infer<typeof disputeRequest>,
): Promise<Reply> {
  const now = inside.clock.now();
  const transaction = await inside.store.changeTransaction(reference, (record) => {
    if (what === 'dispute') return record;
    return { ...record, takenBackAt: what === 'dispute-won' ? null : (record.takenBackAt ?? now) };
  });
  if (transaction === null) return transactionNotFound;
  const [event, resolution] =
    what === 'dispute'
      ? (['create', null] as const)
      : (['resolve', what === 'dispute-won' ? 'declined' : 'merchant-accepted'] as const);
  if (what !== 'chargeback') {
    const notice = disputeNotice(transaction, id, now, resolution);
    await inside.notify(`charge.dispute.${event}`, notice, reference, now);
  }
  return success('Done', { id });
}
