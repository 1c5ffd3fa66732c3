import { DAY_MS, transactionOfReference } from '@oja/domain/rules';
import type { PaymentNotice } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { command, factId, followingOrder, loadOrder, nowOf } from '../order.js';
import { verifyPayment } from '../verify-payment.js';

type DisputeNotice = Extract<PaymentNotice, { readonly disputeId: string }>;

/** How a dispute ends that the market has won, in the provider's word. */
const WON = 'declined';
/** So long a payout waits for a dispute to be closed; banks give up long before. */
const OPEN_AT_MOST_MS = 60 * DAY_MS;
/** When an order was last asked after because of its dispute. */
const SPACE = 'dispute-checks';

/**
 * A notice of a cardholder's dispute. The payment stays a success while it is open and may be taken back
 * days later, so it is recorded, and asked after until it is closed. Whether nothing is left to do.
 */
export async function settleDisputed(deps: Deps, notice: DisputeNotice): Promise<boolean> {
  const { reference, disputeId, type, resolution } = notice;
  const transactionId = transactionOfReference(reference);
  const order = transactionId === null ? null : await loadOrder(deps, transactionId);
  if (transactionId === null || order === null) {
    deps.logger.warn({ reference, disputeId }, 'a dispute about no payment of ours');
    return true;
  }
  const record = (what: 'RecordDispute' | 'CloseDispute') =>
    command(
      deps,
      transactionId,
      { type: what, reference, disputeId, at: nowOf(deps) },
      followingOrder(factId(what, transactionId, disputeId), 'paystack'),
    );
  if (type !== 'charge.dispute.resolve') {
    deps.logger.error({ reference, disputeId }, 'a cardholder disputes a payment: tell an admin');
    if (!(await record('RecordDispute')).ok) return false;
  }
  const told = await verifyPayment(deps, reference, 'webhook', { again: true });
  if (told.kind === 'unanswered') return false;
  if (type !== 'charge.dispute.resolve') return true;
  // One that was lost is closed once the money has gone: until then it is asked after.
  const isOver = resolution === WON || (told.kind === 'told' && told.status === 'reversed');
  return (await record(isOver ? 'CloseDispute' : 'RecordDispute')).ok;
}

/** Once a day while a dispute is open: how the payment stands. Whether the provider answered. */
export async function checkDisputedPayment(deps: Deps, transactionId: string): Promise<boolean> {
  const { state, clock } = deps;
  const now = clock.now();
  if ((await state.get(SPACE, transactionId, now)) !== null) return true;
  const order = await loadOrder(deps, transactionId);
  if (order === null || order.state.payment === null) return true;
  const { reference } = order.state.payment;
  const told = await verifyPayment(deps, reference, 'check', { again: true });
  if (told.kind === 'unanswered') return false;
  await state.put(SPACE, transactionId, {}, clock.now(), { expiresAt: now + DAY_MS });
  return true;
}

/** Whether a dispute is open that the payment may still be lost to. `now` in epoch milliseconds. */
export const isDisputedNow = (
  openDisputes: readonly { readonly at: string }[],
  now: number,
): boolean => openDisputes.some(({ at }) => now < Date.parse(at) + OPEN_AT_MOST_MS);
