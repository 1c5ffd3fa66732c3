import type { PlacedOrder } from '@oja/domain';
import { DAY_MS, transactionOfReference } from '@oja/domain/rules';
import { nowOf, type PaymentNotice } from '@oja/platform';
import { factCommandId, orderFactContext } from '../../commands.js';
import type { Deps } from '../../deps.js';
import { loadOrder, runOrderCommand } from '../order.js';
import { postponeWebhook, WEBHOOK_RETRIED_FOR_MS } from '../stored-webhooks.js';
import { verifyPayment } from '../verify-payment.js';

type DisputeNotice = Extract<PaymentNotice, { readonly disputeId: string }>;

/** The provider's resolution for a dispute that the market has won. */
const WON = 'declined';
/** How long a dispute counts as open. Banks decide long before. */
const OPEN_AT_MOST_MS = 60 * DAY_MS;
/** Until when a dispute counts as open, in epoch milliseconds. `at`: when we learned of it, ISO 8601. */
const disputeExpiry = (at: string): number => Date.parse(at) + OPEN_AT_MOST_MS;
/** State space for when a disputed payment was last checked, by order. */
const SPACE = 'dispute-checks';

/**
 * Handles a notice about a cardholder's dispute. While a dispute is open the payment is still a
 * success and may be reversed days later. So the dispute is recorded, and the payment is checked
 * until it is closed. `at`: when the notice arrived, epoch milliseconds. Returns whether the notice is done with.
 */
export async function settleDisputed(
  deps: Deps,
  notice: DisputeNotice,
  at: number,
): Promise<boolean> {
  const { reference, disputeId, type, resolution } = notice;
  const transactionId = transactionOfReference(reference);
  const order = transactionId === null ? null : await loadOrder(deps, transactionId);
  if (transactionId === null || order === null) {
    deps.logger.warn(
      { reference, disputeId },
      'ignored a webhook: it is about a dispute of a payment that this market does not know',
    );
    return true;
  }
  const recorded = (what: 'RecordDispute' | 'CloseDispute') =>
    recordDispute(deps, what, transactionId, reference, disputeId);
  if (type !== 'charge.dispute.resolve') {
    deps.logger.error({ reference, disputeId }, 'a cardholder disputes a payment: tell an admin');
    // The notice of the payment was lost or comes later. The payment is recorded first, so that its sellers are told of
    // both; the dispute is recorded whatever the provider answers.
    if (order.state.payment === null) await verifyPayment(deps, reference, 'webhook');
    if (!(await recorded('RecordDispute')).ok) return false;
  }
  const verification = await verifyPayment(deps, reference, 'webhook', { force: true });
  if (verification.kind === 'unanswered') return false;
  if (type !== 'charge.dispute.resolve') return true;
  // The payment may follow its dispute later. A lost one goes, and is checked until then. A won one comes back; its
  // sellers would wait for a dispute that stays open, so the notice itself waits at first.
  if (resolution !== WON) {
    const isGone = verification.kind === 'answered' && verification.status === 'reversed';
    if (!isGone)
      deps.logger.warn(
        { reference, disputeId, resolution },
        'a dispute is lost, and the payment has not gone: it goes later, or a part of it was given back',
      );
    return (await recorded(isGone ? 'CloseDispute' : 'RecordDispute')).ok;
  }
  if (verification.kind !== 'answered' || !isTakenBack(verification.order, reference))
    return (await recorded('CloseDispute')).ok;
  // One that was lost before is closed for good: no check asks after it once its webhook waits no more.
  const wasLost = verification.order.closedDisputes.some((each) => each.disputeId === disputeId);
  const until = at + (wasLost ? OPEN_AT_MOST_MS : WEBHOOK_RETRIED_FOR_MS);
  if (deps.clock.now() < until) return postponeWebhook(deps, notice, until);
  deps.logger.error(
    { reference, disputeId },
    'a dispute is won, and the payment was not given back in time: tell an admin',
  );
  return (await recorded('RecordDispute')).ok;
}

/** Whether the bank has taken this payment back. One that the market has refunded is not expected to come back. */
function isTakenBack(order: PlacedOrder, reference: string): boolean {
  const { payment, mismatched, refunds, reversed } = order;
  if (reversed && payment?.reference === reference) return true;
  const known = [payment, ...mismatched].find((each) => each?.reference === reference);
  return refunds.some((each) => each.byReversal && each.providerId === known?.providerId);
}

/** Opens or closes a dispute. */
const recordDispute = (
  deps: Deps,
  what: 'RecordDispute' | 'CloseDispute',
  transactionId: string,
  reference: string,
  disputeId: string,
) =>
  runOrderCommand(
    deps,
    transactionId,
    { type: what, reference, disputeId, at: nowOf(deps) },
    orderFactContext(factCommandId(what, transactionId, disputeId), 'paystack'),
  );

/**
 * Checks each disputed payment of an order once a day, until its disputes are closed or very old. Returns false when
 * the provider did not answer.
 */
export async function checkDisputedPayment(deps: Deps, transactionId: string): Promise<boolean> {
  const { state, clock } = deps;
  const now = clock.now();
  if ((await state.get(SPACE, transactionId, now)) !== null) return true;
  const order = await loadOrder(deps, transactionId);
  if (order === null) return true;
  const { openDisputes } = order.state;
  for (const reference of new Set(openDisputes.map((open) => open.reference))) {
    const verification = await verifyPayment(deps, reference, 'check', { force: true });
    if (verification.kind === 'unanswered') return false;
  }
  // The notice of the end was lost, or came before the money had gone. Nobody asks any more after so long.
  for (const { disputeId, reference, at } of openDisputes)
    if (now >= disputeExpiry(at))
      await recordDispute(deps, 'CloseDispute', transactionId, reference, disputeId);
  await state.put(SPACE, transactionId, {}, clock.now(), { expiresAt: now + DAY_MS });
  return true;
}

/** Whether an open dispute may still cost us the payment that counts. `now` is in epoch milliseconds. */
export const isDisputedNow = ({ payment, openDisputes }: PlacedOrder, now: number): boolean =>
  openDisputes.some(
    ({ reference, at }) => reference === payment?.reference && now < disputeExpiry(at),
  );
