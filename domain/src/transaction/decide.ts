import { conflict, type Decision, decided, notFound, nothingToDo, refused } from '../decider.js';
import { isReferenceOf } from '../rules/references.js';
import { ORDER_EXPIRES_AFTER_MS } from '../rules/times.js';
import type { CompleteRefund, FailRefund, TransactionCommand } from './commands.js';
import { confirm, reportNotReceived, reportProblem, requestReceipt, resolve } from './deliver.js';
import type { TransactionEvent } from './events.js';
import {
  clearPayout,
  completePayout,
  failPayout,
  recordLatePayout,
  requestPayout,
  settlePayout,
} from './payouts.js';
import { place } from './place.js';
import { type PlacedOrder, receivedStatus, type TransactionState } from './state.js';
import { dispute, noSuchPayment, verify } from './verify.js';

export const noSuchOrder = notFound('no_order', 'There is no such order');

const tooEarly = conflict('too_early', 'An order expires 72 hours after it was placed');

/** A refund that was completed after a chargeback is recorded too: the money has left. */
function endRefund(
  command: CompleteRefund | FailRefund,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const { refundId, at } = command;
  const refund = state.refunds.find((r) => r.refundId === refundId);
  if (!refund) return refused(notFound('no_refund', 'There is no refund with this id'));
  if (refund.status === 'completed') return nothingToDo;
  const data = { transactionId: state.transactionId, refundId, amount: refund.amount, at };
  if (command.type === 'CompleteRefund') return decided({ type: 'RefundCompleted', data });
  if (refund.status !== 'requested') return nothingToDo;
  return decided({ type: 'RefundFailed', data: { ...data, reason: command.reason } });
}

/** What may happen to an order. The rules of each step are in a file of its own. */
export function decideTransaction(
  command: TransactionCommand,
  state: TransactionState,
): Decision<TransactionEvent> {
  if (command.type === 'PlaceOrder')
    return state.status === 'none'
      ? place(command)
      : refused(conflict('placed', 'This order is placed already'));
  if (state.status === 'none') return refused(noSuchOrder);
  const { transactionId } = state;
  switch (command.type) {
    case 'RecordInitialized': {
      const { type: _, ...initialized } = command;
      if (state.attempts.some(({ reference }) => reference === command.reference))
        return nothingToDo;
      if (!isReferenceOf(command.reference, transactionId)) return refused(noSuchPayment);
      return decided({ type: 'PaymentInitialized', data: { transactionId, ...initialized } });
    }
    case 'VerifyPayment':
      return verify(command, state);
    case 'RecordDispute':
    case 'CloseDispute':
      return dispute(command, state);
    case 'RequestReceipt':
      return requestReceipt(command, state);
    case 'ExpireOrder':
      if (state.payment !== null || state.expired) return nothingToDo;
      if (Date.parse(command.at) < Date.parse(state.placedAt) + ORDER_EXPIRES_AFTER_MS)
        return refused(tooEarly);
      return decided({ type: 'OrderExpired', data: { transactionId, at: command.at } });
    case 'ConfirmDelivery':
      return confirm(command, state);
    case 'ReportNotReceived':
      return reportNotReceived(command, state);
    case 'ReportProblem':
      return reportProblem(command, state);
    case 'ResolveDispute':
      return resolve(command, state);
    case 'RequestPayout':
      return requestPayout(command, state);
    case 'CompletePayout':
      return completePayout(command, state);
    case 'ClearPayout':
      return clearPayout(command, state);
    case 'SettlePayout':
      return settlePayout(command, state);
    case 'FailPayout':
      return failPayout(command, state);
    case 'RecordLatePayout':
      return recordLatePayout(command, state);
    case 'CompleteRefund':
    case 'FailRefund':
      return endRefund(command, state);
    case 'RemoveBuyerRecord':
      if (state.buyerRemoved) return nothingToDo;
      if (state.payment === null || receivedStatus(state) !== 'DELIVERED')
        return refused(conflict('not_delivered', 'Only a delivered record can be removed'));
      return decided({
        type: 'BuyerRecordRemoved',
        data: { transactionId, by: command.by, at: command.at },
      });
  }
}
