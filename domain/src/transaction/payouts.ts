import { conflict, type Decision, decided, notFound, nothingToDo, refused } from '../decider.js';
import type {
  ClearPayout,
  CompletePayout,
  FailPayout,
  RecordLatePayout,
  RequestPayout,
  SettlePayout,
} from './commands.js';
import type { TransactionEvent } from './events.js';
import { evolveTransaction } from './evolve.js';
import type { PlacedOrder, ShareState } from './state.js';

/** A payout's id is its reference at the provider: the same on every retry, another after a failure. */
const payoutIdOf = (transactionId: string, shareIndex: number, failed: number) =>
  `${transactionId}_${shareIndex}_${failed}`;

/** Which of the order's shares a payout is of, by its id: the index; null: it is no payout of this order. */
export function shareIndexOf(transactionId: string, payoutId: string): number | null {
  const [order, index = '', failed = ''] = payoutId.split('_');
  const isOne = order === transactionId && /^\d+$/.test(index) && /^\d+$/.test(failed);
  return isOne && payoutId.split('_').length === 3 ? Number(index) : null;
}

/** The share of which a payout has ended that may not be over at the provider; null: there is none. */
function shareGivenUp({ transactionId, shares }: PlacedOrder, payoutId: string): ShareState | null {
  const index = shareIndexOf(transactionId, payoutId);
  const share = index === null ? undefined : shares[index];
  if (index === null || share === undefined || share.heardLate.includes(payoutId)) return null;
  const ended = Array.from({ length: share.failedPayouts }, (_, failed) => failed);
  const isEnded = ended.some((failed) => payoutIdOf(transactionId, index, failed) === payoutId);
  return isEnded ? share : null;
}

const payoutUnderWay = conflict(
  'payout_under_way',
  'A payout of this share is under way already: wait until it has arrived or failed',
);

export function requestPayout(
  command: RequestPayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const { sellerId, method, account, at } = command;
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
  const data = { transactionId, sellerId, payoutId, amount: share.share, method, ...account, at };
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
  const { transactionId } = state;
  const givenUp = shareGivenUp(state, payoutId);
  if (givenUp?.givenUp.includes(payoutId))
    return decided(clearedLate(transactionId, givenUp, payoutId, at));
  const share = state.shares.find((s) => s.payoutId === payoutId);
  if (share?.status !== 'paid-out' || share.payoutCleared) return nothingToDo;
  const data = { transactionId, sellerId: share.sellerId, payoutId, at };
  return decided({ type: 'PayoutCleared', data });
}

const clearedLate = (
  transactionId: string,
  { sellerId }: ShareState,
  payoutId: string,
  at: string,
): TransactionEvent => ({
  type: 'PayoutCleared',
  data: { transactionId, sellerId, payoutId, givenUp: true, at },
});

/**
 * A payout that had ended here has arrived: it pays the share where nothing else has; otherwise its seller
 * has the money twice, or what the cardholder's bank took back. Once.
 */
export function recordLatePayout(
  { payoutId, at }: RecordLatePayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const share = shareGivenUp(state, payoutId);
  if (share === null) return nothingToDo;
  const { transactionId } = state;
  const { sellerId, status, share: amount } = share;
  if (status !== 'released' && status !== 'payout-requested')
    return decided({
      type: 'PayoutDoubled',
      data: { transactionId, sellerId, payoutId, amount, at },
    });
  const reason = `transfer ${payoutId} has arrived`;
  const settled = settlePayout({ type: 'SettlePayout', sellerId, reason, at }, state);
  if (!settled.ok) return settled;
  return decided(...settled.events, clearedLate(transactionId, share, payoutId, at));
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
    next(failPayout({ type: 'FailPayout', payoutId, reason, givenUp: true, at }, now));
  const asked = next(requestPayout({ type: 'RequestPayout', sellerId, method: 'manual', at }, now));
  if (!asked.ok) return asked;
  next(
    completePayout({ type: 'CompletePayout', payoutId: share()?.payoutId ?? '', reason, at }, now),
  );
  return decided(...events);
}

/** Also a payout that was completed can come back from the bank; after a chargeback it stays with the market. */
export function failPayout(
  { payoutId, reason, givenUp, at }: FailPayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const share = state.shares.find((s) => s.payoutId === payoutId);
  if (!share) return nothingToDo;
  const reversed = share.status === 'paid-out';
  const { transactionId } = state;
  const { sellerId } = share;
  const data = { transactionId, sellerId, payoutId, amount: share.share, reason, reversed, at };
  const forfeited = state.reversed ? { forfeited: true } : {};
  const open = givenUp === true && !reversed ? { givenUp } : {};
  return decided({ type: 'PayoutFailed', data: { ...data, ...open, ...forfeited } });
}
