import { type Decision, decided, notFound, nothingToDo, refused } from '../decider.js';
import { isReferenceOf } from '../rules/references.js';
import type { CloseDispute, CountReturned, RecordDispute, VerifyPayment } from './commands.js';
import type { TransactionEvent } from './events.js';
import { payOwedFromDoubled } from './payouts.js';
import { type HeldAside, isOwedRefund, type PlacedOrder, type RefundState } from './state.js';

/** The refund id of a payment that is held aside. */
const mismatchRefundId = (providerId: string) => `aside-${providerId}`;

export const noSuchPayment = notFound('no_payment', 'This order has no payment of that reference');

function mismatchReason(command: VerifyPayment, state: PlacedOrder): HeldAside['reason'] | null {
  if (state.payment !== null) return 'second-payment';
  if (command.isBuyerGone === true && command.currency === 'NGN') return 'erased';
  if (command.currency !== 'NGN') return 'currency';
  const { amount, requestedAmount } = command;
  // More than the requested amount may arrive, when the buyer bore the fees. Less never pays for the order.
  const isRight = (requestedAmount ?? amount) === state.amount && amount >= state.amount;
  if (!isRight) return 'amount';
  return command.isSoldOut === true ? 'sold-out' : null;
}

/**
 * Whether this payment pays the order, provided that the goods are in stock. If so, the caller
 * takes the stock first and then records the payment.
 */
export const paysFor = (command: VerifyPayment, state: PlacedOrder): boolean =>
  command.status === 'success' &&
  isReferenceOf(command.reference, state.transactionId) &&
  !state.mismatched.some(({ providerId }) => providerId === command.providerId) &&
  mismatchReason(command, state) === null;

/**
 * The goods of an order that return to stock, each with the payment that had taken them: all goods
 * of payments held aside, and the goods of refunded shares. `neverPaid`: a reversed payment that
 * may have taken goods before anyone could record it.
 */
export function returnedGoods(
  state: PlacedOrder,
  neverPaid: string | null = null,
): readonly { readonly productId: string; readonly providerId: string }[] {
  const { lines, shares, mismatched, payment } = state;
  const refunded = new Set(
    shares.filter(({ status }) => status === 'refunded').map(({ sellerId }) => sellerId),
  );
  const unrecorded = neverPaid === null || neverPaid === payment?.providerId ? [] : [neverPaid];
  return lines.flatMap(({ productId, sellerId }) => [
    ...unrecorded.map((providerId) => ({ productId, providerId })),
    ...mismatched.map(({ providerId }) => ({ productId, providerId })),
    ...(payment !== null && refunded.has(sellerId)
      ? [{ productId, providerId: payment.providerId }]
      : []),
  ]);
}

const sumOf = (refunds: readonly RefundState[]) =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/**
 * Completes refunds because the provider reports their whole payment as reversed. What disputes had given back in part
 * counts for refunds of goods first: that money went before.
 */
function completeReturnedRefunds(
  state: PlacedOrder,
  of: (refund: RefundState) => boolean,
  at: string,
): Decision<TransactionEvent> {
  const { transactionId } = state;
  let { returned } = state;
  return decided<TransactionEvent>(
    ...state.refunds
      .filter((refund) => of(refund) && refund.status !== 'completed')
      .flatMap((refund): readonly TransactionEvent[] => {
        const { refundId, amount } = refund;
        const counted = countedFor({ ...state, returned }, refund, at);
        if (counted !== null) returned = { ...returned, open: Math.max(0, returned.open - amount) };
        if (counted?.type === 'RefundCompleted') return [counted];
        const data = { transactionId, refundId, reversed: true, at };
        const rest = counted?.data.amount ?? amount;
        return [
          ...(counted === null ? [] : [counted]),
          { type: 'RefundCompleted', data: { ...data, amount: rest } },
        ];
      }),
  );
}

/** Whether a dispute has given back something of the payment that counts for this refund, if it is not sent. */
export const isReturned = ({ returned }: PlacedOrder, refund: RefundState): boolean =>
  refund.sellerId !== null && isOwedRefund(refund) && returned.open > 0;

/** Counts for a refund what disputes have given back: for all of it, or so that less is sent. Null where it is nothing. */
function countedFor(
  state: PlacedOrder,
  refund: RefundState,
  at: string,
): Extract<TransactionEvent, { readonly type: 'RefundCompleted' | 'RefundReduced' }> | null {
  if (!isReturned(state, refund)) return null;
  const { refundId, sellerId, providerId, amount } = refund;
  const { open } = state.returned;
  const data = { transactionId: state.transactionId, refundId, at };
  if (amount <= open) return { type: 'RefundCompleted', data: { ...data, amount, returned: true } };
  const reduced = { ...data, sellerId, providerId, amount: amount - open, returned: open };
  return { type: 'RefundReduced', data: reduced };
}

/** Counts for a refund, before it is sent, what disputes have given back of the payment. */
export function countReturned(
  { refundId, at }: CountReturned,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const refund = state.refunds.find((each) => each.refundId === refundId);
  const counted = refund === undefined ? null : countedFor(state, refund, at);
  return counted === null ? nothingToDo : decided(counted);
}

/** What the market still has of the payment that counts, in kobo: no refund of goods and no dispute has given it back. */
function leftOf({ payment, refunds, returned }: PlacedOrder): number {
  const given = refunds.filter(
    ({ sellerId, status }) => sellerId !== null && status === 'completed',
  );
  return (payment?.amount ?? 0) - sumOf(given) - returned.open - returned.counted;
}

/**
 * Whether this amount, in kobo, is a part of what is left of the payment with this reference, so that the rest of it
 * stays when a dispute gives the part back.
 */
export const isPartOfPayment = (state: PlacedOrder, reference: string, amount: number): boolean =>
  state.payment?.reference === reference && !state.reversed && amount > 0 && amount < leftOf(state);

/**
 * The whole payment went back to the cardholder. If all of it was due to be refunded anyway, nobody
 * loses anything: our refund went through (a failed one may have been requested again), or the bank
 * was faster. Otherwise it is a chargeback, of the amount that was not refunded before.
 */
function reverse(command: VerifyPayment, state: PlacedOrder): Decision<TransactionEvent> {
  const { reference, providerId, at } = command;
  const aside = state.mismatched.find((each) => each.providerId === providerId);
  if (aside)
    return completeReturnedRefunds(state, ({ refundId }) => refundId === aside.refundId, at);
  const { transactionId, payment, refunds, returned } = state;
  if (payment?.reference !== reference || state.reversed) return nothingToDo;
  const goods = refunds.filter(({ sellerId }) => sellerId !== null);
  if (sumOf(goods) + returned.counted >= state.amount)
    return completeReturnedRefunds(state, ({ sellerId }) => sellerId !== null, at);
  const amount = Math.max(0, Math.min(command.amount, leftOf(state)));
  return decided({ type: 'PaymentReversed', data: { transactionId, reference, amount, at } });
}

/** A payment whose reversal had counted as its refunds is a success again, so they are owed again. */
const undoRefunds = (
  { providerId, at }: VerifyPayment,
  { transactionId, refunds }: PlacedOrder,
): Decision<TransactionEvent> =>
  decided<TransactionEvent>(
    ...refunds
      .filter((refund) => refund.byReversal && refund.providerId === providerId)
      .map(({ refundId, sellerId, amount }): TransactionEvent => {
        const data = { transactionId, refundId, sellerId, providerId, amount, at };
        return { type: 'RefundUndone', data };
      }),
  );

/**
 * The provider holds the payment again. Believed only when it was asked after the reversal; an
 * earlier answer proves nothing. Shares and refunds then return to where they stood, except that a
 * share whose payout arrived meanwhile is paid out.
 */
function restore(command: VerifyPayment, state: PlacedOrder): Decision<TransactionEvent> {
  if (command.reversals !== state.reversals) return nothingToDo;
  if (!state.reversed || state.payment?.providerId !== command.providerId)
    return undoRefunds(command, state);
  const { transactionId, reversedAmount: amount } = state;
  const shares = state.shares
    .filter(({ status }) => status === 'reversed')
    .map(({ sellerId, share: amount, reversedFrom: from, payoutId }) => {
      if (from === 'held' || from === 'disputed')
        return { sellerId, amount, status: from, payoutId: null };
      if (from === 'payout-requested' && payoutId !== null)
        return { sellerId, amount, status: from, payoutId };
      return { sellerId, amount, status: 'released' as const, payoutId: null };
    });
  const refunds = state.refunds
    .filter(({ status }) => status === 'void')
    .map(({ refundId, sellerId, providerId, amount }) => ({
      refundId,
      sellerId,
      providerId,
      amount,
    }));
  const { reference, at } = command;
  const data = { transactionId, reference, amount, shares, refunds, at };
  return payOwedFromDoubled({ type: 'PaymentRestored', data }, state, at);
}

/** Opens or closes a dispute. A late notice never reopens a closed one, but may tell what it gave back in part. */
export function dispute(
  command: RecordDispute | CloseDispute,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const { type, reference, disputeId, at } = command;
  const { transactionId, openDisputes, closedDisputes, returned } = state;
  if (!isReferenceOf(reference, transactionId)) return refused(noSuchPayment);
  const isClosed = closedDisputes.some((closed) => closed.disputeId === disputeId);
  const data = { transactionId, reference, disputeId, at };
  if (type === 'CloseDispute') {
    const { returned: amount = 0 } = command;
    const isPart =
      isPartOfPayment(state, reference, amount) && !returned.disputeIds.includes(disputeId);
    return decided<TransactionEvent>(
      ...(isPart ? [{ type: 'PaymentReturnedInPart', data: { ...data, amount } } as const] : []),
      ...(isClosed ? [] : [{ type: 'PaymentDisputeClosed', data } as const]),
    );
  }
  if (isClosed) return nothingToDo;
  if (openDisputes.some((open) => open.disputeId === disputeId)) return nothingToDo;
  return decided({ type: 'PaymentDisputed', data });
}

/** Normalises the provider's time to ISO 8601 in UTC; `otherwise` when it cannot be parsed. */
function instantOf(text: string | null, otherwise: string): string {
  const parsed = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(parsed) ? otherwise : new Date(parsed).toISOString();
}

/**
 * Records a final answer of the provider: only 'success' and 'reversed' are final. A success counts
 * whenever it comes, even after the order expired. The same payment reported twice changes nothing.
 */
export function verify(command: VerifyPayment, state: PlacedOrder): Decision<TransactionEvent> {
  const { reference, providerId, amount, fees, currency, channel, at } = command;
  const { transactionId } = state;
  if (!isReferenceOf(reference, transactionId)) return refused(noSuchPayment);
  if (command.status === 'other') return nothingToDo;
  if (command.status === 'reversed') return reverse(command, state);
  const isKnown = state.mismatched.some((aside) => aside.providerId === providerId);
  if (isKnown || state.payment?.providerId === providerId) return restore(command, state);
  const reason = mismatchReason(command, state);
  if (reason === null) {
    const paidAt = instantOf(command.paidAt, at);
    const data = { transactionId, reference, amount, fees, channel, providerId, paidAt };
    return decided({ type: 'PaymentVerified', data });
  }
  const refundId = mismatchRefundId(providerId);
  const facts = { transactionId, reference, amount, fees, currency, providerId, refundId, at };
  return decided<TransactionEvent>({
    type: 'PaymentMismatched',
    data:
      reason === 'erased' || reason === 'sold-out'
        ? { ...facts, reason: 'amount', why: reason }
        : { ...facts, reason },
  });
}
