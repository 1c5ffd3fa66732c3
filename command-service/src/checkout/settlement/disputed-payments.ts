import {
  type CloseDispute,
  isPartOfPayment,
  type PlacedOrder,
  type RecordDispute,
} from '@oja/domain';
import { DAY_MS, transactionOfReference } from '@oja/domain/rules';
import { nowOf, type PaymentNotice } from '@oja/platform';
import { factCommandId, orderFactContext } from '../../commands.js';
import type { Deps } from '../../deps.js';
import { loadOrder, runOrderCommand } from '../order.js';
import { postponeWebhook, WEBHOOK_RETRIED_FOR_MS } from '../stored-webhooks.js';
import { verifyPayment } from '../verify-payment.js';
import { loadRefunds } from './progress.js';

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
  const { reference, disputeId, type, resolution, refunded } = notice;
  const transactionId = transactionOfReference(reference);
  const order = transactionId === null ? null : await loadOrder(deps, transactionId);
  if (transactionId === null || order === null) {
    deps.logger.warn(
      { reference, disputeId },
      'ignored a webhook: it is about a dispute of a payment that this market does not know',
    );
    return true;
  }
  const opened = () =>
    recordDispute(deps, transactionId, { type: 'RecordDispute', reference, disputeId });
  const closed = () =>
    recordDispute(deps, transactionId, { type: 'CloseDispute', reference, disputeId });
  if (type !== 'charge.dispute.resolve') {
    deps.logger.error({ reference, disputeId }, 'a cardholder disputes a payment: tell an admin');
    // The notice of the payment was lost or comes later. The payment is recorded first, so that its sellers are told of
    // both; the dispute is recorded whatever the provider answers.
    if (order.state.payment === null) await verifyPayment(deps, reference, 'webhook');
    if (!(await opened()).ok) return false;
  }
  const verification = await verifyPayment(deps, reference, 'webhook', { force: true });
  if (verification.kind === 'unanswered') return false;
  if (type !== 'charge.dispute.resolve') return true;
  // The payment may follow its dispute later. A lost one goes, and is checked until then; where only a part goes, the
  // rest stays. A won one comes back; its sellers would wait for a dispute that stays open, so the notice itself waits
  // at first.
  if (resolution !== WON) {
    const isAnswered = verification.kind === 'answered';
    if (isAnswered && verification.status === 'reversed') return (await closed()).ok;
    const state = isAnswered ? verification.order : order.state;
    const about = { reference, disputeId, resolution, refunded };
    if (refunded !== null && isPartOfPayment(state, reference, refunded)) {
      const part = { reference, disputeId, returned: refunded };
      return (await recordPart(deps, transactionId, part)).ok;
    }
    deps.logger.warn(about, 'a dispute is lost, and the payment has not gone: it goes later');
    return (await opened()).ok;
  }
  if (verification.kind !== 'answered' || !isTakenBack(verification.order, reference))
    return (await closed()).ok;
  // One that was lost before is closed for good: no check asks after it once its webhook waits no more.
  const wasLost = verification.order.closedDisputes.some((each) => each.disputeId === disputeId);
  const until = at + (wasLost ? OPEN_AT_MOST_MS : WEBHOOK_RETRIED_FOR_MS);
  if (deps.clock.now() < until) return postponeWebhook(deps, notice, until);
  deps.logger.error(
    { reference, disputeId },
    'a dispute is won, and the payment was not given back in time: tell an admin',
  );
  return (await opened()).ok;
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
  transactionId: string,
  command: Omit<RecordDispute, 'at'> | Omit<CloseDispute, 'at'>,
) =>
  runOrderCommand(
    deps,
    transactionId,
    { ...command, at: nowOf(deps) },
    orderFactContext(
      factCommandId(
        command.type,
        transactionId,
        command.disputeId,
        ...('returned' in command ? ['in part'] : []),
      ),
      'paystack',
    ),
  );

/** Closes a dispute that gave back a part of the payment. `returned`: that part, in kobo. */
function recordPart(
  deps: Deps,
  transactionId: string,
  part: Omit<CloseDispute, 'type' | 'at'> & { readonly returned: number },
) {
  deps.logger.error(part, 'a dispute gave back a part of a payment: tell an admin');
  return recordDispute(deps, transactionId, { type: 'CloseDispute', ...part });
}

/**
 * Records what disputes have given back of the payment in parts, by the provider's list of its refunds: the notice of
 * the end may be lost. Returns whether there was anything new; null when the provider did not answer.
 */
export async function recordReturnedParts(
  deps: Deps,
  { transactionId, payment }: PlacedOrder,
): Promise<boolean | null> {
  if (payment === null) return false;
  const { reference, providerId } = payment;
  const listed = await deps.payments.refunds(providerId);
  if (!listed.ok) return null;
  const stored = [...(await loadRefunds(deps, transactionId)).values()];
  // An earlier release took them for refunds of its own.
  const taken = new Set(stored.map(({ progress }) => progress.providerRefundId));
  let isNew = false;
  for (const { id, disputeId, amount, status } of listed.value) {
    if (disputeId === null || status === 'failed' || taken.has(id)) continue;
    const order = (await loadOrder(deps, transactionId))?.state;
    if (order === undefined || order.returned.disputeIds.includes(disputeId)) continue;
    if (!isPartOfPayment(order, reference, amount)) continue;
    await recordPart(deps, transactionId, { reference, disputeId, returned: amount });
    isNew = true;
  }
  return isNew;
}

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
  if (openDisputes.length > 0 && (await recordReturnedParts(deps, order.state)) === null)
    return false;
  // The notice of the end was lost, or came before the money had gone. Nobody asks any more after so long.
  for (const { disputeId, reference, at } of openDisputes)
    if (now >= disputeExpiry(at))
      await recordDispute(deps, transactionId, { type: 'CloseDispute', reference, disputeId });
  await state.put(SPACE, transactionId, {}, clock.now(), { expiresAt: now + DAY_MS });
  return true;
}

/** Whether an open dispute may still cost us the payment that counts. `now` is in epoch milliseconds. */
export const isDisputedNow = ({ payment, openDisputes }: PlacedOrder, now: number): boolean =>
  openDisputes.some(
    ({ reference, at }) => reference === payment?.reference && now < disputeExpiry(at),
  );
