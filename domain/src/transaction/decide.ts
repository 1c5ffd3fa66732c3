import {
  conflict,
  type Decision,
  decided,
  invalid,
  invalidField,
  notFound,
  nothingToDo,
  type Refusal,
  refused,
} from '../decider.js';
import { acceptableAmounts } from '../rules/delivery.js';
import { limits } from '../rules/limits.js';
import { formatNaira, sellerShare } from '../rules/money.js';
import { isReferenceOf, paymentReference } from '../rules/references.js';
import { HOUR_MS, ORDER_EXPIRES_AFTER_MS } from '../rules/times.js';
import type { CompleteRefund, FailRefund, PlaceOrder, TransactionCommand } from './commands.js';
import { confirm, reportNotReceived, reportProblem, requestReceipt, resolve } from './deliver.js';
import type { OrderLine, Share, TransactionEvent } from './events.js';
import {
  clearPayout,
  completePayout,
  failPayout,
  recordLatePayout,
  requestPayout,
  settlePayout,
} from './payouts.js';
import {
  isOwedRefund,
  mayBeRestored,
  type PlacedOrder,
  receivedStatus,
  type TransactionState,
} from './state.js';
import { countReturned, dispute, noSuchPayment, verify } from './verify.js';

/**
 * The buyer agreed to a total that no longer matches the prices. `amount` is the right total in
 * kobo; the client shows it and asks again.
 */
type AmountChanged = Refusal & { readonly code: 'amount_changed'; readonly amount: number };

export const isAmountChanged = (refusal: Refusal): refusal is AmountChanged =>
  refusal.code === 'amount_changed';

const amountChanged = (amount: number): AmountChanged => ({
  kind: 'invalid',
  code: 'amount_changed',
  message: 'The total has changed: look at the new total and pay again',
  amount,
});

/** The price of all lines together, in kobo, without the delivery fee. */
export const subtotalOf = (lines: readonly OrderLine[]) =>
  lines.reduce((sum, line) => sum + line.unitPrice * line.quantity, 0);

/** Each seller's share of the order, in order of first appearance. */
export function sharesOf(lines: readonly OrderLine[]): readonly Share[] {
  const shares = new Map<string, Share>();
  for (const { sellerId, businessName, unitPrice, priceKind, quantity } of lines) {
    const before = shares.get(sellerId);
    shares.set(sellerId, {
      sellerId,
      businessName,
      price: (before?.price ?? 0) + unitPrice * quantity,
      share: (before?.share ?? 0) + sellerShare(unitPrice, priceKind) * quantity,
    });
  }
  return [...shares.values()];
}

function linesRefusal(lines: readonly OrderLine[]): Refusal | null {
  if (lines.length === 0) return invalidField('buyerItems', 'the cart is empty');
  if (lines.length > limits.cartLines.max)
    return invalidField('buyerItems', `at most ${limits.cartLines.max} different goods an order`);
  if (new Set(lines.map((line) => line.productId)).size < lines.length)
    return invalidField('buyerItems', 'the same product stands in it twice');
  const { min, max } = limits.quantity;
  if (lines.some(({ quantity }) => quantity < min || quantity > max))
    return invalidField('buyerItems', `a quantity is ${min} to ${max}`);
  return null;
}

/**
 * Why these goods cannot be ordered for this amount (kobo); null when they can. Checked before any
 * of the buyer's data is sealed.
 */
export function orderRefusal(lines: readonly OrderLine[], amount: number): Refusal | null {
  const wrong = linesRefusal(lines);
  if (wrong) return wrong;
  const subtotal = subtotalOf(lines);
  const acceptable = acceptableAmounts(subtotal);
  if (!acceptable.includes(amount))
    return amountChanged(acceptable[acceptable.length - 1] ?? subtotal);
  if (amount > limits.orderAmount.max)
    return invalid(
      'order_too_large',
      `An order is at most ${formatNaira(limits.orderAmount.max)}: order some goods separately`,
    );
  return null;
}

function place(command: PlaceOrder): Decision<TransactionEvent> {
  const { type: _, lines, amount, ...buyer } = command;
  const refusal = orderRefusal(lines, amount);
  if (refusal) return refused(refusal);
  const subtotal = subtotalOf(lines);
  return decided({
    type: 'OrderPlaced',
    data: {
      ...buyer,
      lines: [...lines],
      shares: [...sharesOf(lines)],
      deliveryFee: amount - subtotal,
      amount,
      currency: 'NGN',
      reference: paymentReference(command.transactionId, 1),
    },
  });
}

export const noSuchOrder = notFound('no_order', 'There is no such order');

const tooEarly = conflict(
  'too_early',
  `An order expires ${ORDER_EXPIRES_AFTER_MS / HOUR_MS} hours after it was placed`,
);

const bankUndecided = conflict(
  'bank_undecided',
  'The bank has taken the payment back, and may still return it: the record can be removed once that dispute is closed',
);

const refundOwed = conflict(
  'refund_owed',
  'A refund of this order has not been made yet, and may need its buyer: the record can be removed once it is made',
);

/** A refund that completes after a chargeback is recorded too, because the money has left. */
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

/** The rules of an order. Larger steps have a file each. */
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
    case 'CountReturned':
      return countReturned(command, state);
    case 'CompleteRefund':
    case 'FailRefund':
      return endRefund(command, state);
    case 'RemoveBuyerRecord':
      if (state.buyerRemoved) return nothingToDo;
      if (receivedStatus(state.shares) !== 'DELIVERED')
        return refused(conflict('not_delivered', 'Only a delivered record can be removed'));
      if (mayBeRestored(state)) return refused(bankUndecided);
      if (state.refunds.some(isOwedRefund)) return refused(refundOwed);
      return decided({
        type: 'BuyerRecordRemoved',
        data: { transactionId, by: command.by, at: command.at },
      });
  }
}
