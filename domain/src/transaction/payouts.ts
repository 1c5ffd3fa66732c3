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

/**
 * The payout's id, which is also its reference at the provider. It stays the same across retries
 * and changes after a failed payout.
 */
const payoutIdOf = (transactionId: string, shareIndex: number, failed: number) =>
  `${transactionId}_${shareIndex}_${failed}`;

/** The index of the share that a payout id belongs to; null when the id is not a payout of this order. */
export function shareIndexOf(transactionId: string, payoutId: string): number | null {
  const [order, index = '', failed = ''] = payoutId.split('_');
  const isOne = order === transactionId && /^\d+$/.test(index) && /^\d+$/.test(failed);
  return isOne && payoutId.split('_').length === 3 ? Number(index) : null;
}

/** The share whose ended payout has this id, unless we have heard of that payout since; null otherwise. */
function shareGivenUp({ transactionId, shares }: PlacedOrder, payoutId: string): ShareState | null {
  const index = shareIndexOf(transactionId, payoutId);
  const share = index === null ? undefined : shares[index];
  if (index === null || share === undefined || share.reportedLate.includes(payoutId)) return null;
  const ended = Array.from({ length: share.failedPayouts }, (_, n) => n);
  const isEnded = ended.some((n) => payoutIdOf(transactionId, index, n) === payoutId);
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
    // Paying by hand and by transfer would pay twice.
    return share.payoutMethod === method ? nothingToDo : refused(payoutUnderWay);
  if (share.status !== 'released')
    return refused(conflict('not_payable', 'There is nothing to pay out to this seller'));
  const { transactionId } = state;
  const payoutId = payoutIdOf(transactionId, index, share.failedPayouts);
  const data = { transactionId, sellerId, payoutId, amount: share.share, method, ...account, at };
  return decided({ type: 'PayoutRequested', data });
}

const unknownPayout = notFound('no_payout', 'There is no payout with this id');

/** Also recorded after a chargeback, because the money has left. */
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

/**
 * Records that nothing more is expected of a payout, once: it has stayed with the seller, perhaps as one too many, or
 * it was given up and never arrived. A payout that has come back is not cleared.
 */
export function clearPayout(
  { payoutId, at }: ClearPayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const { transactionId, shares } = state;
  const cleared = (sellerId: string, givenUp: object): Decision<TransactionEvent> =>
    decided({ type: 'PayoutCleared', data: { transactionId, sellerId, payoutId, ...givenUp, at } });
  const gone = shareGivenUp(state, payoutId);
  if (gone?.givenUp.includes(payoutId)) return cleared(gone.sellerId, { givenUp: true });
  const one = shares.find(
    (share) => !share.clearedPayouts.includes(payoutId) && isWithSeller(share, payoutId),
  );
  if (one === undefined) return nothingToDo;
  return cleared(one.sellerId, one.payoutId === payoutId ? {} : { givenUp: true });
}

/** Whether the seller has the money of this payout. */
const isWithSeller = ({ status, payoutId, doubled }: ShareState, id: string): boolean =>
  (status === 'paid-out' && payoutId === id) || doubled.includes(id);

const isOwed = ({ status }: ShareState) => status === 'released' || status === 'payout-requested';

/**
 * Records that a payout has arrived after it was ended here. It pays the share if nothing else has. Otherwise the
 * money is lost: the seller was paid twice, or the cardholder's bank had taken the payment back. Recorded once.
 */
export function recordLatePayout(
  { payoutId, at }: RecordLatePayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const share = shareGivenUp(state, payoutId);
  if (share === null) return nothingToDo;
  if (isOwed(share)) return decided(...lateCompletion(state, share, payoutId, at));
  const { sellerId, share: amount } = share;
  const data = { transactionId: state.transactionId, sellerId, payoutId, amount, at };
  return decided({ type: 'PayoutDoubled', data });
}

/**
 * A payout that was ended here pays its share after all, under its own id: if the bank returns it, the provider's
 * notice names that id. What was requested in its place is ended, and may still arrive if it is a transfer.
 */
function lateCompletion(
  state: PlacedOrder,
  share: ShareState,
  payoutId: string,
  at: string,
): readonly TransactionEvent[] {
  const { sellerId, share: amount, payoutId: instead, payoutMethod } = share;
  const { transactionId } = state;
  const data = { transactionId, sellerId, payoutId, amount, at };
  const completed: TransactionEvent = { type: 'PayoutCompleted', data };
  if (instead === null) return [completed];
  const reason = `transfer ${payoutId} has arrived`;
  const givenUp = payoutMethod === 'transfer';
  return [payoutFailed({ payoutId: instead, reason, givenUp, at }, share, state), completed];
}

/**
 * The event, and what follows for shares that are owed after it although a payout of theirs had arrived as one too
 * many. The seller has that money: it pays the share, and is the market's loss no longer.
 */
export function payOwedFromDoubled(
  event: TransactionEvent,
  state: PlacedOrder,
  at: string,
): Decision<TransactionEvent> {
  const after = evolveTransaction(state, event);
  if (after.status === 'none') return decided(event);
  const paid = after.shares.filter(isOwed).flatMap((share) => {
    const [payoutId] = share.doubled;
    return payoutId === undefined ? [] : lateCompletion(after, share, payoutId, at);
  });
  return decided(event, ...paid);
}

/**
 * Ends the transfer that was requested, if any, and records a manual payout in its place. Both are
 * one decision, so that nothing pays the share in between.
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
  const before = share();
  if (before?.status === 'paid-out') return nothingToDo;
  if (before?.status === 'payout-requested' && before.payoutMethod === 'transfer') {
    const { payoutId } = before;
    if (payoutId) next(decided(payoutFailed({ payoutId, reason, givenUp: true, at }, before, now)));
  }
  const asked = next(requestPayout({ type: 'RequestPayout', sellerId, method: 'manual', at }, now));
  if (!asked.ok) return asked;
  next(
    completePayout({ type: 'CompletePayout', payoutId: share()?.payoutId ?? '', reason, at }, now),
  );
  return decided(...events);
}

/**
 * A completed payout can fail too, when the bank returns it. After a chargeback the returned money
 * stays with the market. So does that of a payout that was one too many, and nothing is owed for it.
 */
export function failPayout(command: FailPayout, state: PlacedOrder): Decision<TransactionEvent> {
  const { payoutId, reason, at } = command;
  const share = state.shares.find((s) => s.payoutId === payoutId);
  if (share) return payOwedFromDoubled(payoutFailed(command, share, state), state, at);
  const paidTwice = state.shares.find(({ doubled }) => doubled.includes(payoutId));
  if (!paidTwice) return nothingToDo;
  const { sellerId, share: amount } = paidTwice;
  const data = { transactionId: state.transactionId, sellerId, payoutId, amount, reason, at };
  return decided({ type: 'DoubledPayoutReturned', data });
}

function payoutFailed(
  { payoutId, reason, givenUp, repeated, at }: Omit<FailPayout, 'type'>,
  share: ShareState,
  state: PlacedOrder,
): TransactionEvent {
  const reversed = share.status === 'paid-out';
  const { transactionId } = state;
  const { sellerId } = share;
  const data = { transactionId, sellerId, payoutId, amount: share.share, reason, reversed, at };
  const forfeited = state.reversed ? { forfeited: true } : {};
  const open = givenUp === true && !reversed ? { givenUp } : {};
  // That money came back, or is not owed any more, is news each time.
  const known = repeated === true && !reversed && !state.reversed ? { repeated } : {};
  return { type: 'PayoutFailed', data: { ...data, ...open, ...forfeited, ...known } };
}

/** Transfers that ended at the provider before any bank had them: not approved in time, or refused there. */
const unsentReasons: readonly string[] = [
  'transfer.abandoned',
  'transfer.blocked',
  'transfer.rejected',
];

/** Whether a failed payout never left the provider, so that the seller's bank account has no part in it. */
export const wasNeverSent = ({
  reason,
  reversed,
}: {
  readonly reason: string;
  readonly reversed: boolean;
}): boolean => !reversed && unsentReasons.includes(reason);

/**
 * Whether a failed payout was ended before any bank had refused or returned it: given up, never sent, or by hand and not
 * made. What is owed is paid in another way or again; of a forfeited one nothing is.
 */
export const wasStopped = (
  end: {
    readonly reason: string;
    readonly reversed: boolean;
    readonly givenUp?: boolean | undefined;
    readonly forfeited?: boolean | undefined;
  },
  method: 'transfer' | 'manual' | null,
): boolean =>
  end.forfeited !== true &&
  (end.givenUp === true || (method === 'manual' && !end.reversed) || wasNeverSent(end));
