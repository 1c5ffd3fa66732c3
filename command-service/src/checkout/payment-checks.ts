import { paymentCheckJobId, queues } from '@oja/contracts/models';
import { DAY_MS, paymentChecksAfterMs } from '@oja/domain/rules';
import type { Job } from '@oja/platform';
import { z } from 'zod';
import type { Deps } from '../deps.js';
import { loadOrder } from './order.js';
import { checkPayment, isSettled } from './verify-payment.js';

/** State space for how many check times of an order were done. */
const SPACE = 'payment-checks';
/** Longer than payments are checked. */
const KEPT_MS = 7 * DAY_MS;

type StoredChecks = { readonly times: number };

/** Checks a payment unless a job or a sweep has done so since check time number `passed`. */
async function checkOnce(deps: Deps, transactionId: string, passed: number): Promise<boolean> {
  const { state, clock } = deps;
  const now = clock.now();
  const kept = await state.get<StoredChecks>(SPACE, transactionId, now);
  if (passed <= (kept?.value.times ?? 0)) return true;
  if ((await checkPayment(deps, transactionId)) === 'unanswered') return false;
  await state.put(SPACE, transactionId, { times: passed }, now, { expiresAt: now + KEPT_MS });
  return true;
}

const countPassed = (times: readonly number[], now: number): number =>
  times.filter((time) => time <= now).length;

/**
 * Checks a payment if one of its check times has passed since the last check. Returns false when
 * the provider did not answer; the next sweep then asks again.
 */
export const checkWhenDue = (
  deps: Deps,
  transactionId: string,
  dueTimes: readonly string[],
): Promise<boolean> =>
  checkOnce(deps, transactionId, countPassed(dueTimes.map(Date.parse), deps.clock.now()));

/** Jobs of earlier versions do not say which check they are. */
const jobData = z.object({ transactionId: z.string(), check: z.int().min(1).default(1) });

/**
 * Does the job of a check, and adds that of the next one while the order may still be paid: an order has one such
 * job at a time, and most have one altogether. Returns false when the provider did not answer.
 */
export async function workPaymentCheck(deps: Deps, { id, data }: Job): Promise<boolean> {
  const { transactionId, check } = jobData.parse(data);
  const order = await loadOrder(deps, transactionId);
  if (order === null || isSettled(order.state)) return true;
  const now = deps.clock.now();
  const placed = Date.parse(order.state.placedAt);
  const times = paymentChecksAfterMs.map((ms) => placed + ms);
  // The clock of the process that placed the order may be ahead of this one's.
  const passed = Math.max(check, countPassed(times, now));
  if (!(await checkOnce(deps, transactionId, passed))) return false;
  const due = times[passed];
  if (due === undefined) return true;
  await deps.jobs?.add(
    queues.paymentChecks,
    { ...data, check: passed + 1 },
    { id: paymentCheckJobId(id, passed + 1), delayMs: Math.max(0, due - now) },
  );
  return true;
}
