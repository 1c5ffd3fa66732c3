import { type Decision, decided, nothingToDo, refused } from '../decider.js';
import { conflict, notFound } from '../refusal.js';
import type { CompletePayout, FailPayout, RequestPayout } from './commands.js';
import type { TransactionEvent } from './events.js';
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
  { payoutId, at }: CompletePayout,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const share = state.shares.find((s) => s.payoutId === payoutId);
  if (!share) return refused(unknownPayout);
  if (share.status === 'paid-out') return nothingToDo;
  const { transactionId } = state;
  const data = { transactionId, sellerId: share.sellerId, payoutId, amount: share.share, at };
  return decided({ type: 'PayoutCompleted', data });
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
