import { type Decision, decided, nothingToDo, refused } from '../decider.js';
import { notFound } from '../refusal.js';
import { isReferenceOf } from '../rules/references.js';
import type { VerifyPayment } from './commands.js';
import type { TransactionEvent } from './events.js';
import type { PlacedOrder } from './state.js';

/** The refund of a payment that was held aside; its id follows from the payment's. */
export const mismatchRefundId = (providerId: string) => `aside-${providerId}`;

export const noSuchPayment = notFound('no_payment', 'This order has no payment of that reference');

function mismatchReason(command: VerifyPayment, state: PlacedOrder) {
  if (state.payment !== null) return 'second-payment';
  if (command.currency !== 'NGN') return 'currency';
  const { amount, requestedAmount } = command;
  // More than was asked may come (the buyer bore the fees); less never pays for the order.
  const isRight = (requestedAmount ?? amount) === state.amount && amount >= state.amount;
  return isRight ? null : 'amount';
}

/** What went back because we gave it back, in kobo; a refund that failed has not gone back. */
const givenBack = (state: PlacedOrder) =>
  state.refunds
    .filter(({ sellerId, status }) => sellerId !== null && status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);

/** The provider's time in UTC, however it is written; `otherwise` when it is no time. */
function instantOf(text: string | null, otherwise: string): string {
  const parsed = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(parsed) ? otherwise : new Date(parsed).toISOString();
}

/**
 * Only success and reversed are final. A success counts whenever it comes, also after the order
 * expired; the same payment told twice changes nothing.
 */
export function verify(command: VerifyPayment, state: PlacedOrder): Decision<TransactionEvent> {
  const { reference, providerId, amount, fees, currency, channel, at } = command;
  const { transactionId } = state;
  if (!isReferenceOf(reference, transactionId)) return refused(noSuchPayment);
  if (command.status === 'other') return nothingToDo;
  if (command.status === 'reversed') {
    if (state.payment?.reference !== reference || state.reversed) return nothingToDo;
    // A payment that went back whole because we refunded it is not a chargeback.
    if (givenBack(state) >= state.amount) return nothingToDo;
    return decided({ type: 'PaymentReversed', data: { transactionId, reference, amount, at } });
  }
  if (state.payment?.providerId === providerId || state.mismatched.includes(providerId))
    return nothingToDo;
  const reason = mismatchReason(command, state);
  if (reason === null) {
    const paidAt = instantOf(command.paidAt, at);
    const data = { transactionId, reference, amount, fees, channel, providerId, paidAt };
    return decided({ type: 'PaymentVerified', data });
  }
  const refundId = mismatchRefundId(providerId);
  return decided<TransactionEvent>({
    type: 'PaymentMismatched',
    data: { transactionId, reference, amount, fees, currency, providerId, reason, refundId, at },
  });
}
