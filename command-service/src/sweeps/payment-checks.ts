import type { ObligationDocument } from '@oja/contracts/models';
import { DAY_MS } from '@oja/domain/rules';
import { command, factId, following, nowOf } from '../checkout/commands.js';
import { checkPayment } from '../checkout/pay/check-payment.js';
import type { Deps } from '../deps.js';

/** How many of an order's due times were kept. */
const SPACE = 'payment-checks';
/** Longer than payments are asked after. */
const KEPT_MS = 7 * DAY_MS;

type Kept = { readonly times: number };

/**
 * Asks after a payment if one of its due times has come since it was asked after last. Whether the
 * provider answered, if it was asked; without an answer the next sweep asks again.
 */
export async function checkWhenDue(deps: Deps, owed: ObligationDocument): Promise<boolean> {
  const { state, clock } = deps;
  const now = clock.now();
  const passed = (owed.dueTimes ?? []).filter((time) => Date.parse(time) <= now).length;
  const kept = await state.get<Kept>(SPACE, owed.subject, now);
  if (passed <= (kept?.value.times ?? 0)) return true;
  if ((await checkPayment(deps, owed.subject)) === 'unanswered') return false;
  await state.put(SPACE, owed.subject, { times: passed }, now, { expiresAt: now + KEPT_MS });
  return true;
}

/** The last look at an order that nobody paid; whether the provider answered. A later success still counts. */
export async function expireOrder(deps: Deps, { subject }: ObligationDocument): Promise<boolean> {
  const checked = await checkPayment(deps, subject);
  if (checked === 'unpaid') {
    const what = { type: 'ExpireOrder', at: nowOf(deps) } as const;
    await command(deps, subject, what, following(factId('ExpireOrder', subject), 'sweep'));
  }
  return checked !== 'unanswered';
}
