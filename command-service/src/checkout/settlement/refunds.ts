import { isReturned, type PlacedOrder, type RefundState } from '@oja/domain';
import { DAY_MS, MINUTE_MS } from '@oja/domain/rules';
import { loggedFailure } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { loadOrder } from '../order.js';
import { verifyPayment } from '../verify-payment.js';
import { recordReturnedParts } from './disputed-payments.js';
import { isPostponed, isRefundCheckDue, type StoredRefund, storeRefund } from './progress.js';
import {
  countReturned,
  FIRST_RETRY_MS,
  findAtProvider,
  openRefunds,
  recordFailedRefund,
  recordRefundStatus,
  withFailure,
} from './refund-records.js';

/**
 * The wait after a refund request without an answer. The provider's list is checked meanwhile. That the refund is
 * not on it proves that the request was lost only when even the slowest call must have ended.
 */
const NO_ANSWER_WAIT_MS = DAY_MS;
/**
 * A claimed refund is requested within this time or not at all, because the process may have been
 * suspended meanwhile.
 */
const REQUEST_WITHIN_MS = MINUTE_MS;

/**
 * Advances all refunds of an order: requests those not requested yet, and records those that have
 * ended. Pending ones are checked again by the next notice or sweep. Returns false when the
 * provider did not answer.
 *
 * `news`: false when nothing suggests a change; a refund that takes days is then checked ever less
 * often.
 */
export async function workRefunds(
  deps: Deps,
  transactionId: string,
  { news = true }: { readonly news?: boolean } = {},
): Promise<boolean> {
  const order = await loadOrder(deps, transactionId);
  if (order === null) return true;
  let answered = true;
  for (const refund of openRefunds(order.state))
    if (news || (await isRefundCheckDue(deps, refund.refundId)))
      answered = (await workRefund(deps, order.state, refund)) && answered;
  return answered;
}

async function workRefund(deps: Deps, order: PlacedOrder, refund: RefundState): Promise<boolean> {
  const found = await findAtProvider(deps, order, refund);
  if (found === null) return false;
  const { before, atProvider } = found;
  // After a chargeback no refund is requested, but an earlier request may still go through.
  if (atProvider === null)
    return refund.status === 'void' || sendRefund(deps, order, refund, before);
  return recordRefundStatus(deps, order.transactionId, refund, before, atProvider);
}

/** Sends what is left of a refund once what disputes gave back of the payment counts for it. */
async function sendRefund(
  deps: Deps,
  order: PlacedOrder,
  refund: RefundState,
  before: StoredRefund,
): Promise<boolean> {
  if (isPostponed(before.progress, deps.clock.now())) return true;
  if (!isReturned(order, refund)) return requestRefund(deps, order, refund, before);
  const counted = await countReturned(deps, order, refund);
  const rest = counted?.refunds.find(({ refundId }) => refundId === refund.refundId);
  if (counted === null || rest?.status !== refund.status) return true;
  return requestRefund(deps, counted, rest, before);
}

/**
 * Requests a refund. The claim is stored first, so that only one of two concurrent processes makes
 * the request. A process whose claim is no longer fresh does not make it.
 */
async function requestRefund(
  deps: Deps,
  order: PlacedOrder,
  refund: RefundState,
  before: StoredRefund,
): Promise<boolean> {
  const { transactionId } = order;
  const { refundId, providerId, amount } = refund;
  const now = deps.clock.now();
  const asking = { ...before.progress, providerRefundId: null, notBefore: now + NO_ANSWER_WAIT_MS };
  const claimed = await storeRefund(deps, transactionId, refundId, before, asking);
  if (claimed === null) return true;
  if (deps.clock.now() > now + REQUEST_WITHIN_MS) {
    await storeRefund(deps, transactionId, refundId, claimed, before.progress);
    return true;
  }

  const answer = await deps.payments.refund({ transaction: providerId, amount, note: refundId });
  if (answer.ok) return recordRefundStatus(deps, transactionId, refund, claimed, answer.value);
  deps.logger.warn(
    { refundId, ...loggedFailure(answer) },
    'the provider did not accept the request of a refund',
  );
  if (answer.reason === 'unreachable') return false;
  // Neither a rate limit nor a wrong key of ours is a failure: the refund is requested again after the first pause.
  const isBusy = answer.reason === 'rate-limited' || answer.reason === 'unauthorized';
  const later = isBusy
    ? { ...asking, notBefore: deps.clock.now() + FIRST_RETRY_MS }
    : withFailure(deps, asking);
  await storeRefund(deps, transactionId, refundId, claimed, later);
  if (answer.reason === 'refused') await handleRefusal(deps, order, refund, answer.message);
  return !isBusy;
}

/**
 * Handles a refusal. If the cardholder's bank has reversed the payment meanwhile (the order's own or one held
 * aside), nothing is left to refund, and the verification records what follows. A part that a dispute gave back counts
 * at the next try. Any other refusal is a failure.
 */
async function handleRefusal(
  deps: Deps,
  order: PlacedOrder,
  { refundId, providerId }: RefundState,
  reason: string,
): Promise<void> {
  const { transactionId, payment, mismatched } = order;
  const paid = [payment, ...mismatched].find((each) => each?.providerId === providerId);
  const verification =
    paid && (await verifyPayment(deps, paid.reference, 'check', { force: true }));
  if (verification?.kind === 'answered' && verification.status === 'reversed') return;
  const isOfGoods = providerId === payment?.providerId;
  if (isOfGoods && (await recordReturnedParts(deps, order)) === true) return;
  await recordFailedRefund(deps, transactionId, refundId, reason);
}
