import { type Decision, decided, nothingToDo, refused } from '../decider.js';
import { conflict, notFound } from '../refusal.js';
import type {
  ClearPayout,
  CompletePayout,
  FailPayout,
  RequestPayout,
  SettlePayout,
} from './commands.js';
import type { TransactionEvent } from './events.js';
import { evolveTransaction } from './evolve.js';
import type { PlacedOrder } from './state.js';

/** A payout's id is its reference at the provider: the same on every retry, another after a failure. */
export const payoutIdOf = (transactionId: string, shareIndex: number, failed: number) =>
  `${transactionId}_${shareIndex}_${failed}`;

const payoutUnderWay = conflict(
  'payout_under_way',
  'A payout of this share is under way already: wait until it has arrived or failed',
);

export function requestPayout(
  command: RequestPayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const { sellerId, method, at } = command;
  const index = state.shares.findIndex((share) => share.sellerId === sellerId);
  const share = state.shares[index];
  if (!share) return refused(notFound('no_share', 'This seller has no part in the order'));
  if (share.status === 'payout-requested')
    // Paid by hand and by transfer, it would be paid twice.
    return share.payoutMethod === method ? nothingToDo : refused(payoutUnderWay);
  if (share.status !== 'released')
    return refused(conflict('not_payable', 'There is nothing to pay out to this seller'));
  const { transactionId } = state;
  const payoutId = payoutIdOf(transactionId, index, share.failedPayouts);
  const data = { transactionId, sellerId, payoutId, amount: share.share, method, at };
  return decided({ type: 'PayoutRequested', data });
}

const unknownPayout = notFound('no_payout', 'There is no payout with this id');

/** Also after a chargeback: the money has left, so it is recorded. */
export function completePayout(
  { payoutId, at, reason }: CompletePayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const share = state.shares.find((s) => s.payoutId === payoutId);
  if (!share) return refused(unknownPayout);
  if (share.status === 'paid-out') return nothingToDo;
  const { transactionId } = state;
  const data = { transactionId, sellerId: share.sellerId, payoutId, amount: share.share, at };
  const why = reason === undefined ? {} : { reason };
  return decided({ type: 'PayoutCompleted', data: { ...data, ...why } });
}

/** Once; not one that has come back meanwhile. */
export function clearPayout(
  { payoutId, at }: ClearPayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const share = state.shares.find((s) => s.payoutId === payoutId);
  if (share?.status !== 'paid-out' || share.payoutCleared) return nothingToDo;
  const { transactionId } = state;
  const data = { transactionId, sellerId: share.sellerId, payoutId, at };
  return decided({ type: 'PayoutCleared', data });
}

/**
 * One decision, so that nothing pays the share again in between: a payout that was asked for ends, and
 * one by hand takes its place. What is heard of the old one later changes nothing.
 */
export function settlePayout(
  { sellerId, reason, at }: SettlePayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const events: TransactionEvent[] = [];
  let now = state;
  const next = (decision: Decision<TransactionEvent>) => {
    for (const event of decision.ok ? decision.events : []) {
      events.push(event);
      const after = evolveTransaction(now, event);
      if (after.status === 'placed') now = after;
    }
    return decision;
  };
  const share = () => now.shares.find((each) => each.sellerId === sellerId);
  const { status, payoutId, payoutMethod } = share() ?? {};
  if (status === 'paid-out') return nothingToDo;
  if (status === 'payout-requested' && payoutId && payoutMethod === 'transfer')
    next(failPayout({ type: 'FailPayout', payoutId, reason, at }, now));
  const asked = next(requestPayout({ type: 'RequestPayout', sellerId, method: 'manual', at }, now));
  if (!asked.ok) return asked;
  next(
    completePayout({ type: 'CompletePayout', payoutId: share()?.payoutId ?? '', reason, at }, now),
  );
  return decided(...events);
}

/** Also a payout that was completed can come back from the bank; after a chargeback it stays with the market. */
export function failPayout(
  { payoutId, reason, at }: FailPayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const share = state.shares.find((s) => s.payoutId === payoutId);
  if (!share) return nothingToDo;
  const reversed = share.status === 'paid-out';
  const { transactionId } = state;
  const { sellerId } = share;
  const data = { transactionId, sellerId, payoutId, amount: share.share, reason, reversed, at };
  const forfeited = state.reversed ? { forfeited: true } : {};
  return decided({ type: 'PayoutFailed', data: { ...data, ...forfeited } });
}
