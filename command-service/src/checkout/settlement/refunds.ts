import type { PlacedOrder, RefundState } from '@oja/domain';
import { DAY_MS, MINUTE_MS } from '@oja/domain/rules';
import type { Deps } from '../../deps.js';
import { loadOrder } from '../order.js';
import { verifyPayment } from '../verify-payment.js';
import {
  AGAIN_MS,
  fail,
  failedOnce,
  follow,
  isTimeToLook,
  lookFor,
  openRefunds,
  type Remembered,
  rememberRefund,
} from './refund-records.js';

/**
 * After asking without an answer. The list is looked at all the while; that something is still not on
 * it proves that it was not heard only when no call could be under way any more, however slow.
 */
const UNHEARD_MS = DAY_MS;
/** So soon after it was claimed a refund is asked for, or not at all: a process may have stood still. */
const ASK_WITHIN_MS = MINUTE_MS;

/**
 * Brings the refunds of an order as far as they can be brought now: asks for those that were not asked
 * for, and records those that have ended. Whether the provider answered; what is still on its way is
 * looked at again by the next notice or sweep.
 *
 * `news`: false where nothing says that anything has changed: a refund that takes days is looked at ever less often then.
 */
export async function workRefunds(
  deps: Deps,
  transactionId: string,
  { news = true }: { readonly news?: boolean } = {},
): Promise<boolean> {
  const order = await loadOrder(deps, transactionId);
  let answered = true;
  for (const refund of order === null ? [] : openRefunds(order.state))
    if (order !== null && (news || (await isTimeToLook(deps, refund.refundId))))
      answered = (await workRefund(deps, order.state, refund)) && answered;
  return answered;
}

async function workRefund(deps: Deps, order: PlacedOrder, refund: RefundState): Promise<boolean> {
  const found = await lookFor(deps, order, refund);
  if (found === null) return false;
  const { before, theirs } = found;
  // After a chargeback nothing more is asked for; what was asked for before may still arrive.
  if (theirs === null) return refund.status === 'void' || ask(deps, order, refund, before);
  return follow(deps, order.transactionId, refund, before, theirs);
}

/**
 * Remembers first that it asks, so that of two at once only one does; whoever finds after that that
 * the claim is not fresh any more does not ask.
 */
async function ask(
  deps: Deps,
  order: PlacedOrder,
  refund: RefundState,
  before: Remembered,
): Promise<boolean> {
  const { transactionId } = order;
  const { refundId, providerId, amount } = refund;
  const now = deps.clock.now();
  if (before.memory.notBefore > now) return true;
  const asking = { ...before.memory, providerRefundId: null, notBefore: now + UNHEARD_MS };
  const claimed = await rememberRefund(deps, transactionId, refundId, before, asking);
  if (claimed === null) return true;
  if (deps.clock.now() > now + ASK_WITHIN_MS) {
    await rememberRefund(deps, transactionId, refundId, claimed, before.memory);
    return true;
  }

  const answer = await deps.payments.refund({ transaction: providerId, amount, note: refundId });
  if (answer.ok) return follow(deps, transactionId, refund, claimed, answer.value);
  deps.logger.warn({ refundId, reason: answer.reason }, 'a refund was not taken');
  if (answer.reason === 'unreachable') return false;
  // To be too busy to answer is no failure: it is asked again after the first pause.
  const isBusy = answer.reason === 'rate-limited';
  const later = isBusy
    ? { ...asking, notBefore: deps.clock.now() + AGAIN_MS }
    : failedOnce(deps, asking);
  await rememberRefund(deps, transactionId, refundId, claimed, later);
  if (answer.reason === 'refused') await refused(deps, order, refund, answer.message);
  return !isBusy;
}

/**
 * Of a payment that the cardholder's bank took back meanwhile there is nothing left to give, be it the
 * order's own or one held aside: what follows from that is recorded as it is verified. Anything else
 * that the provider refuses is a failure.
 */
async function refused(
  deps: Deps,
  { transactionId, payment, mismatched }: PlacedOrder,
  { refundId, providerId }: RefundState,
  reason: string,
): Promise<void> {
  const paid = [payment, ...mismatched].find((each) => each?.providerId === providerId);
  const told = paid && (await verifyPayment(deps, paid.reference, 'check', { again: true }));
  if (told?.kind !== 'told' || told.status !== 'reversed')
    await fail(deps, transactionId, refundId, reason);
}
