import {
  conflict,
  type Decision,
  decided,
  forbidden,
  invalidField,
  nothingToDo,
  type Refusal,
  refused,
} from '../decider.js';
import { RECEIPTS_A_DAY } from '../rules/limits.js';
import { DAY_MS, HOUR_MS, PROBLEM_AFTER_MS, UNCONFIRMED_AFTER_MS } from '../rules/times.js';
import type {
  ConfirmDelivery,
  ReportNotReceived,
  ReportProblem,
  RequestReceipt,
  ResolveDispute,
} from './commands.js';
import type { TransactionEvent } from './events.js';
import { isOrderOpen, type PlacedOrder, type ShareState } from './state.js';

const notPaid = conflict('not_paid', 'This order has not been paid yet');
const reversed = conflict('reversed', 'The payment of this order was taken back');

function closedRefusal(state: PlacedOrder): Refusal | null {
  if (state.payment === null) return notPaid;
  return state.reversed ? reversed : null;
}

/** The id of the refund for one seller's goods. */
export const refundIdOf = (transactionId: string, sellerId: string) =>
  `${transactionId}-${sellerId}`;

const release = (state: PlacedOrder, share: ShareState, at: string): TransactionEvent => ({
  type: 'SellerShareReleased',
  data: { transactionId: state.transactionId, sellerId: share.sellerId, amount: share.share, at },
});

const settled = conflict('settled', 'The money for these goods is no longer held');
/** The same to a client, which asks for no confirmation any more. */
const complained = conflict(
  'settled',
  'We still hold the money for these goods, until your complaint is settled',
);

/**
 * Confirms the delivery and releases the held shares. Disputed shares wait for an admin. A second
 * confirmation changes nothing. Once nothing is held a first one comes too late.
 */
export function confirm(command: ConfirmDelivery, state: PlacedOrder): Decision<TransactionEvent> {
  const refusal = closedRefusal(state);
  if (refusal) return refused(refusal);
  if (state.confirmed) return nothingToDo;
  const { at } = command;
  const held = state.shares.filter(({ status }) => status === 'held');
  if (held.length === 0)
    return refused(state.shares.some(({ status }) => status === 'disputed') ? complained : settled);
  return decided<TransactionEvent>(
    { type: 'DeliveryConfirmed', data: { transactionId: state.transactionId, at } },
    ...held.map((share) => release(state, share, at)),
  );
}

/**
 * Records that nothing has arrived, at most once a day, so that repeated clicks do not fill the log. Once all of the money
 * has gone its way, nobody waits for it any more.
 */
export function reportNotReceived(
  { at }: ReportNotReceived,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const refusal = closedRefusal(state);
  if (refusal) return refused(refusal);
  if (state.confirmed)
    return refused(conflict('confirmed', 'The delivery of this order is confirmed already'));
  if (!isOrderOpen(state)) return refused(settled);
  const { notYetAt } = state;
  if (notYetAt !== null && Date.parse(at) < Date.parse(notYetAt) + DAY_MS) return nothingToDo;
  return decided({ type: 'DeliveryNotYet', data: { transactionId: state.transactionId, at } });
}

/** Requests the receipt again. The daily limit keeps others from filling the buyer's mailbox. */
export function requestReceipt(
  { requestId, at }: RequestReceipt,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const { transactionId, payment, receiptRequests } = state;
  if (payment === null)
    return refused(conflict('not_paid', 'There is a receipt once the order is paid'));
  if (receiptRequests.some((known) => known.requestId === requestId)) return nothingToDo;
  const since = Date.parse(at) - DAY_MS;
  const ofToday = receiptRequests.filter((known) => Date.parse(known.at) > since);
  if (ofToday.length >= RECEIPTS_A_DAY) return refused(enoughReceipts);
  return decided({ type: 'ReceiptRequested', data: { transactionId, requestId, at } });
}

const enoughReceipts = conflict(
  'receipts_a_day',
  `The receipt was sent ${RECEIPTS_A_DAY} times in a day. Look in your spam folder, or try again tomorrow.`,
);

const tooEarly = conflict(
  'too_early',
  `A problem can be reported from ${PROBLEM_AFTER_MS / HOUR_MS} hours after payment`,
);

/** Other words than the first would be lost. A request that is only repeated is known by its command id. */
const alreadyReported = conflict(
  'already_reported',
  'A problem with these goods has been reported already, and we hold the money. To add something, write to us.',
);

/** Opens a dispute, from `PROBLEM_AFTER_MS` after payment. Only shares that are still held can be disputed. */
export function reportProblem(
  command: ReportProblem,
  state: PlacedOrder,
): Decision<TransactionEvent> {
  const refusal = closedRefusal(state);
  if (refusal) return refused(refusal);
  const paidAt = Date.parse(state.payment?.paidAt ?? command.at);
  if (Date.parse(command.at) < paidAt + PROBLEM_AFTER_MS) return refused(tooEarly);
  const asked = [...new Set(command.sellerIds)];
  const shares = asked.map((sellerId) => state.shares.find((s) => s.sellerId === sellerId));
  if (asked.length === 0 || shares.some((share) => share === undefined))
    return refused(invalidField('sellerIds', 'choose sellers of this order'));
  const open = shares.flatMap((s) => (s?.status === 'held' ? [s.sellerId] : []));
  if (open.length === 0) {
    return refused(
      shares.every((share) => share?.status === 'disputed') ? alreadyReported : settled,
    );
  }
  const { complaint, at } = command;
  const { transactionId } = state;
  const data = { transactionId, sellerIds: open, complaint, at };
  return decided({ type: 'DeliveryDisputed', data });
}

/**
 * What the buyer gets back for one seller's goods, in kobo. The delivery fee is refunded only when
 * every other seller's goods were refunded already.
 */
export function refundOf(
  { shares, deliveryFee: fee }: PlacedOrder,
  { sellerId, price }: ShareState,
): { readonly amount: number; readonly deliveryFee: number } {
  const others = shares.filter((share) => share.sellerId !== sellerId);
  const deliveryFee = others.every(({ status }) => status === 'refunded') ? fee : 0;
  return { amount: price + deliveryFee, deliveryFee };
}

function refund(state: PlacedOrder, share: ShareState, at: string): TransactionEvent {
  const { transactionId } = state;
  return {
    type: 'RefundRequested',
    data: {
      transactionId,
      refundId: refundIdOf(transactionId, share.sellerId),
      sellerId: share.sellerId,
      providerId: state.payment?.providerId ?? '',
      ...refundOf(state, share),
      at,
    },
  };
}

/**
 * Whether a paid order has stayed unconfirmed so long that an admin may settle it without the
 * buyer. `at` is ISO 8601.
 */
export const isLongUnconfirmed = ({ payment, confirmed }: PlacedOrder, at: string): boolean =>
  payment !== null &&
  !confirmed &&
  Date.parse(at) >= Date.parse(payment.paidAt) + UNCONFIRMED_AFTER_MS;

/** Settles a disputed share, or a share that nobody has confirmed for a long time (which needs a note). */
export function resolve(command: ResolveDispute, state: PlacedOrder): Decision<TransactionEvent> {
  const refusal = closedRefusal(state);
  if (refusal) return refused(refusal);
  const { type: _, isBuyerGone, ...resolved } = command;
  const { sellerId, outcome, at } = resolved;
  if (resolved.by === sellerId)
    return refused(
      forbidden('own_goods', 'These are your own goods: ask another head admin or an operator'),
    );
  const share = state.shares.find((s) => s.sellerId === sellerId);
  if (!share) return refused(invalidField('sellerId', 'this seller has no part in the order'));
  const unconfirmed = share.status === 'held' && isLongUnconfirmed(state, at);
  if (share.status !== 'disputed' && !unconfirmed)
    return refused(
      conflict('no_dispute', 'There is no open dispute about the goods of this seller'),
    );
  if (unconfirmed && resolved.note === undefined && isBuyerGone !== true)
    return refused(invalidField('note', 'say why: the buyer has neither confirmed nor complained'));
  const { transactionId } = state;
  const how = unconfirmed ? { unconfirmed } : {};
  return decided<TransactionEvent>(
    { type: 'DisputeResolved', data: { transactionId, ...resolved, ...how } },
    outcome === 'release' ? release(state, share, at) : refund(state, share, at),
  );
}
