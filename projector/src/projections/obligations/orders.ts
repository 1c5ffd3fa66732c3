import type { ObligationKind, ObligationOrderDocument } from '@oja/contracts/models';
import {
  DAY_MS,
  heldAsideReason,
  keySubject,
  ORDER_EXPIRES_AFTER_MS,
  PAYOUT_CLEARS_AFTER_MS,
  paymentChecksAfterMs,
  receivedStatus,
  refundIdOf,
  reminderDays,
  type TransactionEvent,
} from '@oja/domain';
import type { Fact } from '../../runner/projection.js';
import { put } from '../define.js';
import { isClosed, type ShareEvent, sharesAfter } from '../shares.js';
import { projectGoods } from './goods.js';
import {
  deleteDue,
  isoAfter,
  keyToDestroy,
  type ObligationChange,
  type ObligationDocuments,
  putDue,
} from './kinds.js';

type OrderEvent = Exclude<
  TransactionEvent,
  { readonly type: 'DeliveryNotYet' | 'DisputeResolved' }
>;
type Placed = Extract<OrderEvent, { readonly type: 'OrderPlaced' }>;
type Of<T extends OrderEvent['type']> = Extract<OrderEvent, { readonly type: T }>['data'];

const reminders = reminderDays.map((days) => ({ days, kind: `reminder-${days}` }) as const);
const letters: readonly ObligationKind[] = ['receipt', ...reminders.map(({ kind }) => kind)];

export const readsOfGoods = (id: string) =>
  [
    { collection: 'takenGoods', id },
    { collection: 'orders', id },
  ] as const;

export function readsOfOrder(id: string) {
  return [...readsOfGoods(id), { collection: 'due', id: `held-aside/${id}` }] as const;
}

/** When an event was recorded, in ISO 8601, and where: due times count from then. */
type Recorded = Pick<Fact<unknown>, 'at' | 'position'>;

/**
 * What an event of an order makes the market owe, and what it settles.
 * @throws Error for an event of an order that was never placed
 */
export function projectOrder(
  event: OrderEvent,
  recorded: Recorded & Pick<Fact<unknown>, 'id'>,
  documents: ObligationDocuments,
): readonly ObligationChange[] {
  const id = event.data.transactionId;
  const { id: eventId, at, position } = recorded;
  const dueNow = { due: at, position };
  if (event.type === 'OrderPlaced') return placed(event, position);
  const order = documents.get('orders', id);
  if (order === null) throw new Error(`${event.type} before the order was placed`);
  switch (event.type) {
    case 'PaymentInitialized':
      return [initialized(event.data, order)];
    case 'PaymentVerified':
      return [
        put('orders', id, {
          ...order,
          paidBy: event.data.providerId,
          remindedFrom: at,
        }),
        deleteDue('order-expiry', id),
        // What was begun more than once may be paid more than once. It is checked until the order is closed.
        ...(order.references.length > 1 ? [] : [deleteDue('payment-check', id)]),
        // Due times count from when the payment was recorded, not from when the provider says it was made. So what is
        // recorded later is never due earlier, and a walk up to some time has missed nothing.
        putDue('receipt', id, dueNow),
        ...remindersOf(id, at, recorded),
        ...projectGoods(event, position, documents),
      ];
    case 'ReceiptRequested':
      return [putDue('receipt-again', `${id}/${event.data.requestId}`, dueNow)];
    case 'OrderExpired':
      return [deleteDue('payment-check', id), deleteDue('order-expiry', id)];
    case 'PaymentMismatched':
      return [
        refund(event.data, position),
        heldAside(event.data, recorded, documents),
        // A letter to the buyer, who believes that the goods are bought.
        ...(heldAsideReason(event.data) === 'sold-out'
          ? [putDue('sold-out', `${id}/${event.data.refundId}`, dueNow)]
          : []),
        ...projectGoods(event, position, documents),
      ];
    case 'RefundRequested':
      return [
        ...afterShares(order, event, recorded),
        refund(event.data, position),
        ...projectGoods(event, position, documents),
      ];
    case 'RefundUndone':
    case 'RefundReduced':
      return [refund(event.data, position)];
    case 'RefundCompleted':
      return [deleteDue('refund', id, event.data.refundId)];
    case 'PayoutFailed':
      // The payout is not owed again if the payment has been taken back.
      return [
        ...afterShares(order, event, recorded),
        event.data.givenUp
          ? payoutCheck(event.data, position)
          : deleteDue('payout-check', id, event.data.payoutId),
        ...(event.data.forfeited ? [] : [payout(event.data, null, position)]),
      ];
    case 'SellerShareReleased':
      return [...afterShares(order, event, recorded), payout(event.data, null, position)];
    case 'PayoutRequested':
      // If the payment is taken back meanwhile, only this check asks how the transfer ended.
      return [
        payout(event.data, event.data.payoutId, position),
        ...(event.data.method === 'transfer' ? [payoutCheck(event.data, position)] : []),
      ];
    case 'PayoutCompleted':
      return [
        ...afterShares(order, event, recorded),
        deleteDue('payout', id, event.data.sellerId),
        // One that had arrived as one too many pays the share after all.
        deleteDue('paid-twice', `${id}/${event.data.payoutId}`),
        // A payout that somebody made by hand, with a reason, is not checked: no bank returns it unnoticed.
        ...(event.data.reason === undefined ? [payoutCheck(event.data, position)] : []),
      ];
    case 'PayoutCleared':
      return [deleteDue('payout-check', id, event.data.payoutId)];
    case 'PayoutDoubled': {
      const { payoutId, sellerId, amount } = event.data;
      return [
        payoutCheck(event.data, position),
        putDue('paid-twice', `${id}/${payoutId}`, { ...dueNow, sellerId, amount }),
      ];
    }
    case 'DoubledPayoutReturned':
      return [
        deleteDue('payout-check', id, event.data.payoutId),
        deleteDue('paid-twice', `${id}/${event.data.payoutId}`),
      ];
    case 'PaymentDisputed': {
      const { disputeId, reference } = event.data;
      return [
        putDue('dispute-check', id, { ...dueNow, item: disputeId }, disputeId),
        putDue('disputed', `${id}/${disputeId}`, { ...dueNow, item: reference }),
      ];
    }
    case 'PaymentDisputeClosed': {
      const { disputeId } = event.data;
      return [
        deleteDue('dispute-check', id, disputeId),
        deleteDue('disputed', `${id}/${disputeId}`),
      ];
    }
    case 'PaymentRestored':
      return [
        deleteDue('taken-back', id),
        // The reversal had withdrawn them. One that was sent before is not sent again; `afterShares` takes back what is not
        // owed because nothing is held.
        ...remindersOf(id, at, recorded),
        // It had closed the order too, and so ended the checks of its payment.
        ...(order.references.length > 1 ? [paymentCheck(id, order.placedAt, position)] : []),
        ...afterShares({ ...order, remindedFrom: at }, event, recorded),
        ...event.data.shares
          .filter(({ status }) => status === 'released' || status === 'payout-requested')
          .map(({ sellerId, amount, payoutId }) =>
            payout({ transactionId: id, sellerId, amount, at }, payoutId, position),
          ),
        ...event.data.refunds.map((owed) => refund({ ...owed, transactionId: id, at }, position)),
      ];
    case 'PaymentReturnedInPart': {
      const { disputeId, amount } = event.data;
      return [putDue('returned-in-part', `${id}/${disputeId}`, { ...dueNow, amount })];
    }
    case 'PaymentReversed':
      return [
        putDue('taken-back', id, { ...dueNow, amount: event.data.amount, item: eventId }),
        ...afterShares(order, event, recorded),
        ...order.shares.flatMap(({ sellerId }) => [
          deleteDue('payout', id, sellerId),
          deleteDue('refund', id, refundIdOf(id, sellerId)),
        ]),
      ];
    case 'DeliveryDisputed':
      return afterShares(order, event, recorded);
    case 'DeliveryConfirmed':
      return reminders.map(({ kind }) => deleteDue(kind, id));
    case 'BuyerRecordRemoved':
      return [
        ...letters.map((kind) => deleteDue(kind, id)),
        keyToDestroy(keySubject('transaction', id), position, documents),
      ];
    // The refund stays owed and the sweep retries it. A letter tells support.
    case 'RefundFailed':
      return [putDue('refund-failed', id, { ...dueNow, item: eventId })];
  }
}

function placed({ data }: Placed, position: string): readonly ObligationChange[] {
  const { transactionId, reference, at: placedAt } = data;
  const last = isoAfter(placedAt, ORDER_EXPIRES_AFTER_MS);
  const shares = data.shares.map(({ sellerId }) => ({ sellerId, status: 'held' }) as const);
  const order = { references: [reference], shares, placedAt, paidBy: null, remindedFrom: null };
  return [
    put('orders', transactionId, order),
    paymentCheck(transactionId, placedAt, position),
    putDue('order-expiry', transactionId, { due: last, position }),
  ];
}

function paymentCheck(id: string, placedAt: string, position: string): ObligationChange {
  const dueTimes = paymentChecksAfterMs.map((ms) => isoAfter(placedAt, ms));
  return putDue('payment-check', id, { due: dueTimes[0] ?? placedAt, position, dueTimes });
}

/** A further payment attempt. Its reference may be paid as well. */
const initialized = (
  { transactionId, reference }: Of<'PaymentInitialized'>,
  order: ObligationOrderDocument,
): ObligationChange =>
  put('orders', transactionId, {
    ...order,
    references: [...new Set([...order.references, reference])],
  });

/** Reminders whose days count from `from`, as far as they are still ahead. */
const remindersOf = (
  id: string,
  from: string,
  { at, position }: Recorded,
): readonly ObligationChange[] =>
  reminders
    .map(({ kind, days }) => ({ kind, due: isoAfter(from, days * DAY_MS) }))
    .filter(({ due }) => due > at)
    .map(({ kind, due }) => putDue(kind, id, { due, position }));

/**
 * Reminders are owed only while the buyer has neither confirmed nor complained, and checks of the payment until the
 * order is closed. Once every complaint is settled and money is still held, those that are ahead are owed again.
 */
function afterShares(
  order: ObligationOrderDocument,
  event: ShareEvent,
  recorded: Recorded,
): readonly ObligationChange[] {
  const id = event.data.transactionId;
  const shares = sharesAfter(order.shares, event);
  const received = receivedStatus(shares);
  return [
    put('orders', id, { ...order, shares }),
    ...(received === 'PENDING' ? [] : reminders.map(({ kind }) => deleteDue(kind, id))),
    ...(received === 'PENDING' && receivedStatus(order.shares) === 'DISPUTED'
      ? remindersOf(id, order.remindedFrom ?? recorded.at, recorded)
      : []),
    ...(isClosed(received) ? [deleteDue('payment-check', id)] : []),
  ];
}

/**
 * Each payment held aside has its own letter. The subject of the first is the order alone, as in
 * earlier releases.
 */
function heldAside(
  { transactionId, refundId }: Of<'PaymentMismatched'>,
  { at, position }: Recorded,
  documents: ObligationDocuments,
): ObligationChange {
  const isFirst = documents.get('due', `held-aside/${transactionId}`) === null;
  const subject = isFirst ? transactionId : `${transactionId}/${refundId}`;
  return putDue('held-aside', subject, { due: at, position });
}

type Refundable = Pick<
  Of<'PaymentMismatched'>,
  'transactionId' | 'refundId' | 'amount' | 'providerId' | 'at'
> & { readonly sellerId?: string | null };

function refund(data: Refundable, position: string): ObligationChange {
  const { transactionId, refundId, amount, providerId, at } = data;
  const { sellerId = null } = data;
  const details = { due: at, position, amount, providerId, sellerId, item: refundId };
  return putDue('refund', transactionId, details, refundId);
}

function payoutCheck(
  {
    transactionId,
    sellerId,
    payoutId,
    at,
  }: Pick<Of<'PayoutCompleted'>, 'transactionId' | 'sellerId' | 'payoutId' | 'at'>,
  position: string,
): ObligationChange {
  const details = { due: isoAfter(at, PAYOUT_CLEARS_AFTER_MS), position, sellerId, item: payoutId };
  return putDue('payout-check', transactionId, details, payoutId);
}

function payout(
  data: Pick<Of<'SellerShareReleased'>, 'transactionId' | 'sellerId' | 'amount' | 'at'>,
  item: string | null,
  position: string,
): ObligationChange {
  const { transactionId, sellerId, amount, at } = data;
  return putDue('payout', transactionId, { due: at, position, sellerId, amount, item }, sellerId);
}
