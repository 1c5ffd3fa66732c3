import { z } from 'zod';
import {
  disputeNotice,
  invalidParams,
  type Reply,
  success,
  transactionNotFound,
} from './bodies.js';
import { FAULTS, faultRequest, MOST_COPIES } from './faults.js';
import type { Inside } from './inside.js';
import { tellAgain } from './notices.js';
import { newId } from './store.js';

const RAISED = ['dispute', 'chargeback', 'dispute-won', 'dispute-lost'] as const;
const disputeRequest = z.strictObject({
  raise: z.enum(RAISED),
  reference: z.string().min(1),
  /** The dispute's, as `dispute` answered it. */
  id: z.int().optional(),
});

const resendRequest = z.strictObject({
  /** Of a payment or a transfer. */
  resend: z.string().min(1),
  copies: z.int().min(1).max(MOST_COPIES).default(1),
});

/**
 * `POST /control`: plans a fault (`{ fault, reference?, times?, delayMs?, retryAfterSeconds?, copies?, outcome? }`),
 * sends again at once every webhook that a payment or a transfer has had (`{ resend: <reference>, copies? }`),
 * or lets a cardholder's bank act at once (`{ raise, reference, id? }`): `dispute` opens a dispute, under
 * which the payment stays a success; `chargeback` takes the money back without a word; `dispute-lost` and
 * `dispute-won` resolve it, with the money gone or back. It takes the secret key like every call, so no
 * web page can reach it.
 */
export async function control(inside: Inside, body: unknown): Promise<Reply> {
  const dispute = disputeRequest.safeParse(body);
  if (dispute.success) return raise(inside, dispute.data);
  const again = resendRequest.safeParse(body);
  if (again.success) return resend(inside, again.data);
  const request = faultRequest.safeParse(body);
  if (!request.success) return invalidParams(`fault is one of ${FAULTS.join(', ')}`);
  await inside.faults.plan(request.data);
  return success('Fault planned', request.data);
}

async function resend(
  inside: Inside,
  { resend: reference, copies }: z.infer<typeof resendRequest>,
): Promise<Reply> {
  let events: readonly string[] = [];
  for (let copy = 0; copy < copies; copy += 1) {
    const told = await tellAgain(inside, reference);
    if (told === null) return transactionNotFound;
    events = told;
  }
  if (events.length === 0) return invalidParams('Nothing was told of this reference yet');
  return success('Sent again', { events });
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
    const data = disputeNotice(transaction, id, now, resolution);
    await inside.notify({ event: `charge.dispute.${event}`, data, reference, at: now });
  }
  return success('Done', { id });
}
