import type { PlacedOrder, RefundState } from '@oja/domain';
import { DAY_MS, HOUR_MS } from '@oja/domain/rules';
import { backOff, loggedFailure, nowOf, type Refund, redactText } from '@oja/platform';
import { factCommandId, orderFactContext } from '../../commands.js';
import type { Deps } from '../../deps.js';
import { loadOrder, runOrderCommand } from '../order.js';
import {
  claimedByOtherRefunds,
  claimProviderRefund,
  INITIAL_REFUND,
  loadRefunds,
  type RefundProgress,
  recordRefundCheck,
  type StoredRefund,
  storeRefund,
} from './progress.js';

/** The pause after the provider's first refusal or failure; doubled each time. */
export const FIRST_RETRY_MS = HOUR_MS;

/**
 * Finds the provider's refund that is ours: by its id, otherwise by the note it was requested with,
 * otherwise an unmatched one of the same amount.
 */
function findOurs(
  listed: readonly Refund[],
  order: PlacedOrder,
  refund: RefundState,
  { progress }: StoredRefund,
  stored: ReadonlyMap<string, StoredRefund>,
): Refund | null {
  const known = listed.find(({ id }) => id === progress.providerRefundId);
  if (known !== undefined) return known;
  const taken = new Set(
    [...stored.values()].flatMap((other) => [
      ...other.progress.failedIds,
      ...(other.progress.providerRefundId === null ? [] : [other.progress.providerRefundId]),
    ]),
  );
  const free = listed.filter(({ id, status }) => status !== 'failed' && !taken.has(id));
  const noted = free.find(({ note }) => note === refund.refundId);
  if (noted !== undefined || refund.status === 'void') return noted ?? null;
  const noteOfOurs = new Set<string | null>(order.refunds.map(({ refundId }) => refundId));
  // What a dispute gave back is recorded as such, and counts for a refund only there.
  const ofDisputes = new Set<string | null>([
    ...order.openDisputes.map(({ disputeId }) => disputeId),
    ...order.returned.disputeIds,
  ]);
  const isFree = ({ amount, note, disputeId }: Refund) =>
    amount === refund.amount && !noteOfOurs.has(note) && !ofDisputes.has(disputeId);
  return free.find(isFree) ?? null;
}

interface LookedUpRefund {
  readonly before: StoredRefund;
  /** Null when the provider has none that is ours. */
  readonly atProvider: Refund | null;
}

/** Looks up one of our refunds at the provider; null when it does not answer. */
export async function findAtProvider(
  deps: Deps,
  order: PlacedOrder,
  refund: RefundState,
): Promise<LookedUpRefund | null> {
  const { transactionId } = order;
  const { refundId, providerId } = refund;
  // Read before the provider's list: if another process acts in between, our claim is refused,
  // because our list is old.
  const stored = await loadRefunds(deps, transactionId);
  // Refunds have no idempotency key, so an earlier request is looked up before a new one is made.
  const listed = await deps.payments.refunds(providerId);
  if (!listed.ok) {
    deps.logger.warn(
      { refundId, ...loggedFailure(listed) },
      'the provider did not list the refunds of a payment',
    );
    return null;
  }
  await recordRefundCheck(deps, refundId);
  const before = stored.get(refundId) ?? { progress: INITIAL_REFUND, version: null };
  const others = await claimedByOtherRefunds(deps, transactionId, refundId);
  const free = listed.value.filter(({ id }) => !others.has(id));
  return { before, atProvider: findOurs(free, order, refund, before, stored) };
}

/** Records the state of a requested refund, and its end if it has ended. */
export async function recordRefundStatus(
  deps: Deps,
  transactionId: string,
  { refundId, amount: asked }: RefundState,
  before: StoredRefund,
  atProvider: Refund,
): Promise<boolean> {
  const { needsSomebody: neededSomebody = false, ...progress } = before.progress;
  if (atProvider.amount !== asked) {
    const { id, amount } = atProvider;
    deps.logger.error(
      { refundId, id, amount },
      'a refund at the provider has another amount than the one requested',
    );
    return true;
  }
  // Two refunds of an order may have the same amount, and the provider may not store our notes.
  if (!(await claimProviderRefund(deps, transactionId, atProvider.id, refundId))) return true;
  if (atProvider.status === 'failed') {
    const failedIds = [...progress.failedIds, atProvider.id];
    const after = withFailure(deps, { ...progress, providerRefundId: null, failedIds });
    await storeRefund(deps, transactionId, refundId, before, after);
    await recordFailedRefund(
      deps,
      transactionId,
      refundId,
      'The provider could not give the money back',
    );
    return true;
  }
  const needsSomebody = atProvider.status === 'needs-attention';
  if (progress.providerRefundId !== atProvider.id || neededSomebody !== needsSomebody)
    await storeRefund(deps, transactionId, refundId, before, {
      ...progress,
      providerRefundId: atProvider.id,
      ...(needsSomebody && { needsSomebody }),
    });
  if (needsSomebody)
    deps.logger.error({ refundId }, 'a refund needs an admin: act at the provider');
  if (atProvider.status === 'processed') await completeRefund(deps, transactionId, refundId);
  return true;
}

/**
 * The progress after a failure. The refund is requested again after ever longer pauses but never
 * given up, because it is owed to the buyer.
 */
export const withFailure = ({ clock }: Deps, progress: RefundProgress): RefundProgress => ({
  ...progress,
  failures: progress.failures + 1,
  notBefore: clock.now() + backOff(progress.failures + 1, FIRST_RETRY_MS, DAY_MS),
});

async function completeRefund(deps: Deps, transactionId: string, refundId: string): Promise<void> {
  await runOrderCommand(
    deps,
    transactionId,
    { type: 'CompleteRefund', refundId, at: nowOf(deps) },
    orderFactContext(factCommandId('CompleteRefund', transactionId, refundId), 'paystack'),
  );
}

/**
 * Counts for a refund what disputes have given back of the payment, see `isReturned` in the domain. Returns the order
 * after it; null where that was refused.
 */
export async function countReturned(
  deps: Deps,
  { transactionId, returned }: PlacedOrder,
  { refundId }: RefundState,
): Promise<PlacedOrder | null> {
  const fact = factCommandId('CountReturned', transactionId, refundId, ...returned.disputeIds);
  const handled = await runOrderCommand(
    deps,
    transactionId,
    { type: 'CountReturned', refundId, at: nowOf(deps) },
    orderFactContext(fact, 'paystack'),
  );
  return handled.ok && handled.state.status === 'placed' ? handled.state : null;
}

/**
 * Records a failed refund. It stays owed and is requested again. Only its first failure is recorded, and its first
 * after each time that the payment had gone and come back: the refund then counts as requested again.
 */
export async function recordFailedRefund(
  deps: Deps,
  transactionId: string,
  refundId: string,
  reason: string,
): Promise<void> {
  deps.logger.error({ refundId, reason }, 'a refund has failed');
  const { reversals = 0 } = (await loadOrder(deps, transactionId))?.state ?? {};
  const fact = factCommandId(
    'FailRefund',
    transactionId,
    refundId,
    ...(reversals > 0 ? [reversals] : []),
  );
  await runOrderCommand(
    deps,
    transactionId,
    // These are the provider's words, and the log keeps them for ever.
    { type: 'FailRefund', refundId, reason: redactText(reason), at: nowOf(deps) },
    orderFactContext(fact, 'paystack'),
  );
}

/** Refunds that are not completed. A failed or void refund may still have reached the buyer. */
export const openRefunds = ({ refunds }: PlacedOrder): readonly RefundState[] =>
  refunds.filter(({ status }) => status !== 'completed');

/**
 * Records which refunds of an order the provider has ended, without requesting any. A reversal can only be judged
 * once the completed refunds are known. Returns false when the provider did not answer.
 */
export async function recordEndedRefunds(deps: Deps, transactionId: string): Promise<boolean> {
  const order = await loadOrder(deps, transactionId);
  if (order === null) return true;
  let answered = true;
  for (const refund of openRefunds(order.state)) {
    const found = await findAtProvider(deps, order.state, refund);
    if (found === null) answered = false;
    else if (found.atProvider !== null)
      answered =
        (await recordRefundStatus(deps, transactionId, refund, found.before, found.atProvider)) &&
        answered;
  }
  return answered;
}
