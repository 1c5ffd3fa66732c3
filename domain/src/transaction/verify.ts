import { type Decision, decided, nothingToDo } from '../decider.js';
import type { VerifyPayment } from './commands.js';
import type { TransactionEvent } from './events.js';
import type { PlacedOrder } from './evolve.js';

/** The refund of a payment that was held aside; its id follows from the payment's. */
export const mismatchRefundId = (providerId: string) => `aside-${providerId}`;

function mismatchReason(command: VerifyPayment, state: PlacedOrder) {
  if (state.payment !== null) return 'second-payment';
  if (command.currency !== 'NGN') return 'currency';
  return command.amount === state.amount ? null : 'amount';
}

/**
 * Only success and reversed are final. A success counts whenever it comes, also after the order
 * expired; the same payment told twice changes nothing.
 */
export function verify(command: VerifyPayment, state: PlacedOrder): Decision<TransactionEvent> {
  const { reference, providerId, amount, fees, currency, channel, at } = command;
  const { transactionId } = state;
  if (command.status === 'other') return nothingToDo;
  if (command.status === 'reversed') {
    if (state.payment?.reference !== reference || state.reversed) return nothingToDo;
    // A payment that went back because we refunded it is not a chargeback.
    if (state.refunds.some(({ sellerId }) => sellerId !== null)) return nothingToDo;
    return decided({ type: 'PaymentReversed', data: { transactionId, reference, amount, at } });
  }
  if (state.payment?.providerId === providerId || state.mismatched.includes(providerId))
    return nothingToDo;
  const reason = mismatchReason(command, state);
  if (reason === null) {
    const paidAt = command.paidAt ?? at;
    const data = { transactionId, reference, amount, fees, channel, providerId, paidAt };
    return decided({ type: 'PaymentVerified', data });
  }
  const refundId = mismatchRefundId(providerId);
  return decided<TransactionEvent>({
    type: 'PaymentMismatched',
    data: { transactionId, reference, amount, fees, currency, providerId, reason, refundId, at },
  });
}
