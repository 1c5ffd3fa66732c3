import {
  transactions as model,
  type TransactionDocument,
  type TransactionRefund,
  type TransactionsCollections,
} from '@oja/contracts/models';
import {
  type EventOf,
  operationsEvents,
  receivedStatus,
  subjectId,
  transactionEvents,
} from '@oja/domain';
import { define, put } from './define.js';
import { isClosed, sharesAfter } from './shares.js';

const { SubjectErased } = operationsEvents;
type TransactionEvent = EventOf<typeof transactionEvents>;
type Placed = Extract<TransactionEvent, { readonly type: 'OrderPlaced' }>;
type Later = Exclude<TransactionEvent, Placed>;

/** One document per order, for the admins' table, the buyer's page and the letters. */
export const transactions = define<TransactionsCollections>()({
  model,
  scope: 'stream',
  schemas: { ...transactionEvents, SubjectErased },
  reads({ event }) {
    const id =
      event.type === 'SubjectErased'
        ? subjectId('transaction', event.data.subject)
        : event.data.transactionId;
    if (id === null) return [];
    return [
      { collection: 'transactions', id },
      { collection: 'erasures', id },
    ];
  },
  project({ event }, documents) {
    if (event.type === 'SubjectErased') {
      const id = subjectId('transaction', event.data.subject);
      if (id === null) return [];
      const order = documents.get('transactions', id);
      return [
        put('erasures', id, { at: event.data.at }),
        ...(order === null ? [] : [put('transactions', id, { ...order, removed: true })]),
      ];
    }
    const id = event.data.transactionId;
    if (event.type === 'OrderPlaced') {
      const removed = documents.get('erasures', id) !== null;
      return [put('transactions', id, { ...placed(event), removed })];
    }
    const order = documents.get('transactions', id);
    if (order === null) throw new Error(`${event.type} before the order was placed`);
    return [put('transactions', id, judged({ ...order, ...changes(order, event) }))];
  },
});

function placed({ data }: Placed): Omit<TransactionDocument, 'removed'> {
  const { transactionId, amount, deliveryFee, currency, reference, secret } = data;
  const { fullName, email, homeAddress, phoneNumber } = data;
  return {
    transactionId,
    buyerId: transactionId,
    status: 'pending',
    reference,
    amount,
    subtotal: amount - deliveryFee,
    deliveryFee,
    currency,
    channel: null,
    placedAt: data.at,
    paidAt: null,
    deliveredAt: null,
    notYetAt: null,
    buyer: { fullName, email, homeAddress, phoneNumber },
    secret,
    received: 'PENDING',
    closed: false,
    unconfirmed: false,
    lines: data.lines.map(({ productId, sellerId, businessName, name, image, ...line }) => ({
      productId,
      sellerId,
      businessName,
      name,
      image,
      quantity: line.quantity,
      price: line.unitPrice,
    })),
    shares: data.shares.map(({ sellerId, businessName, price, share }) => ({
      sellerId,
      businessName,
      share,
      paid: price,
      status: 'held',
      complaint: null,
    })),
    refunds: [],
  };
}

function changes(order: TransactionDocument, event: Later): Partial<TransactionDocument> {
  switch (event.type) {
    case 'PaymentInitialized':
      return order.paidAt === null ? { reference: event.data.reference } : {};
    case 'PaymentVerified': {
      const { reference, channel, paidAt } = event.data;
      return { status: 'success', reference, channel, paidAt };
    }
    case 'PaymentReversed':
      return {
        status: 'reversed',
        shares: sharesAfter(order.shares, event),
        refunds: refundsAfter(order.refunds, event),
      };
    case 'PaymentRestored':
      return {
        status: 'success',
        shares: sharesAfter(order.shares, event),
        refunds: refundsAfter(order.refunds, event),
      };
    case 'ReceiptRequested':
      return {};
    case 'OrderExpired':
      return { status: 'expired' };
    case 'DeliveryNotYet':
      return { notYetAt: event.data.at };
    case 'DeliveryConfirmed':
      return { deliveredAt: event.data.at };
    case 'DeliveryDisputed': {
      const { sellerIds, complaint } = event.data;
      return {
        shares: sharesAfter(order.shares, event).map((share) =>
          sellerIds.includes(share.sellerId) ? { ...share, complaint } : share,
        ),
      };
    }
    case 'SellerShareReleased':
    case 'PayoutCompleted':
    case 'PayoutFailed':
      return { shares: sharesAfter(order.shares, event) };
    case 'RefundRequested':
      return {
        shares: sharesAfter(order.shares, event),
        refunds: refundsAfter(order.refunds, event),
      };
    case 'PaymentMismatched':
    case 'RefundCompleted':
    case 'RefundUndone':
    case 'RefundReduced':
    case 'RefundFailed':
      return { refunds: refundsAfter(order.refunds, event) };
    case 'BuyerRecordRemoved':
      return { removed: true };
    case 'PaymentDisputed':
    case 'PaymentDisputeClosed':
    case 'PaymentReturnedInPart':
    case 'PayoutRequested':
    case 'PayoutCleared':
    case 'PayoutDoubled':
    case 'DoubledPayoutReturned':
    // The event that follows says what a settled dispute does to the share.
    case 'DisputeResolved':
      return {};
  }
}

type RefundEvent = Extract<
  TransactionEvent,
  {
    readonly type:
      | 'PaymentMismatched'
      | 'PaymentReversed'
      | 'PaymentRestored'
      | 'RefundRequested'
      | 'RefundCompleted'
      | 'RefundUndone'
      | 'RefundReduced'
      | 'RefundFailed';
  }
>;

const statusAfter = {
  RefundCompleted: 'completed',
  RefundUndone: 'requested',
  RefundFailed: 'failed',
} as const;

function refundsAfter(
  refunds: readonly TransactionRefund[],
  event: RefundEvent,
): readonly TransactionRefund[] {
  switch (event.type) {
    case 'PaymentMismatched': {
      const { refundId, amount, currency } = event.data;
      return withRequested(refunds, {
        refundId,
        of: 'held-aside',
        sellerId: null,
        amount,
        currency,
      });
    }
    case 'RefundRequested': {
      const { refundId, sellerId, amount } = event.data;
      return withRequested(refunds, { refundId, of: 'goods', sellerId, amount, currency: 'NGN' });
    }
    // The bank has given the buyer the money of the goods. Money held aside belongs to another payment.
    case 'PaymentReversed':
      return refunds.map((refund) =>
        refund.sellerId === null || refund.status === 'completed'
          ? refund
          : { ...refund, status: 'void' },
      );
    case 'PaymentRestored': {
      const owed = new Set(event.data.refunds.map(({ refundId }) => refundId));
      return refunds.map((refund) =>
        owed.has(refund.refundId) ? { ...refund, status: 'requested' } : refund,
      );
    }
    case 'RefundReduced': {
      const { refundId, amount } = event.data;
      return refunds.map((refund) =>
        refund.refundId === refundId ? { ...refund, amount } : refund,
      );
    }
    case 'RefundCompleted':
    case 'RefundUndone':
    case 'RefundFailed': {
      const status = statusAfter[event.type];
      const { refundId } = event.data;
      return refunds.map((refund) =>
        refund.refundId === refundId ? { ...refund, status } : refund,
      );
    }
  }
}

const withRequested = (
  refunds: readonly TransactionRefund[],
  asked: Omit<TransactionRefund, 'status'>,
): readonly TransactionRefund[] => [
  ...refunds.filter(({ refundId }) => refundId !== asked.refundId),
  { ...asked, status: 'requested' },
];

/** Sets the fields that follow from the shares. */
function judged(order: TransactionDocument): TransactionDocument {
  const received = receivedStatus(order.shares);
  const unconfirmed =
    order.status === 'success' && received === 'PENDING' && order.deliveredAt === null;
  return { ...order, received, closed: isClosed(received), unconfirmed };
}
