import {
  sales as model,
  type OpenDispute,
  type SaleDocument,
  type SalesCollections,
  saleId,
} from '@oja/contracts/models';
import { type EventOf, fold, formatNaira, transactionEvents, wasStopped } from '@oja/domain';
import { define, pick, put } from './define.js';
import { formatPieces, orderText } from './order-text.js';
import { shareEvents, sharesAfter } from './shares.js';

const schemas = {
  ...shareEvents,
  ...pick(
    transactionEvents,
    'OrderPlaced',
    'PaymentVerified',
    'PaymentDisputed',
    'PaymentDisputeClosed',
    'DeliveryNotYet',
    'DisputeResolved',
    'DeliveryConfirmed',
    'PayoutRequested',
  ),
};
type SaleEvent = EventOf<typeof schemas>;
type Placed = Extract<SaleEvent, { readonly type: 'OrderPlaced' }>;
type Later = Exclude<SaleEvent, Placed>;
type Disputed = Extract<Later, { readonly type: 'PaymentDisputed' }>;
type BankDispute = Disputed | Extract<Later, { readonly type: 'PaymentDisputeClosed' }>;

/** What each seller has sold: their part of every order, never who bought it. */
export const sales = define<SalesCollections>()({
  model,
  scope: 'stream',
  schemas,
  reads: ({ event }) =>
    event.type === 'OrderPlaced'
      ? []
      : [
          {
            collection: 'sales',
            where: { field: 'transactionId', value: event.data.transactionId },
          },
        ],
  project({ event, id: eventId, at }, documents) {
    if (event.type === 'OrderPlaced')
      return placed(event).map((sale) =>
        put('sales', saleId(sale.sellerId, sale.transactionId), sale),
      );
    return documents
      .find('sales', 'transactionId', event.data.transactionId)
      .flatMap(({ id, document }) => {
        const { sellerId, paymentReference, earlyDisputes } = document;
        if (isBankDispute(event) && paymentReference === null) {
          const disputes = openDisputesAfter(earlyDisputes, event, eventId);
          return [put('sales', id, { ...document, earlyDisputes: disputes })];
        }
        if (!concerns(event, sellerId, paymentReference)) return [];
        if (!isAboutGoods(event, document)) return [];
        return [put('sales', id, applyEvent(document, event, at))];
      });
  },
});

function placed({ data }: Placed): readonly SaleDocument[] {
  const { transactionId, lines, shares } = data;
  return shares.map(({ sellerId, share }) => {
    const own = lines.filter((line) => line.sellerId === sellerId);
    return {
      sellerId,
      transactionId,
      paid: false,
      paidAt: '',
      paymentReference: null,
      earlyDisputes: [],
      status: 'held',
      payoutMethod: null,
      share,
      lines: own.map(({ productId, name, image, quantity }) => ({
        productId,
        name,
        image,
        quantity,
      })),
      searchKey: fold([...own.map(({ name }) => name), transactionId].join(' ')),
      steps: [],
    };
  });
}

/**
 * Whether an event concerns a seller's part. An event that names no seller is about the whole order. A bank's dispute
 * concerns the sellers only if it is about the payment that counts, and not about one that is held aside.
 * `paymentReference`: that of the payment that counts; null until the order is paid.
 */
export function concerns(
  { type, data }: Later,
  sellerId: string,
  paymentReference: string | null,
): boolean {
  if (type === 'PaymentDisputed' || type === 'PaymentDisputeClosed')
    return data.reference === paymentReference;
  if ('sellerIds' in data) return data.sellerIds.includes(sellerId);
  return !('sellerId' in data) || data.sellerId === sellerId;
}

/**
 * Whether an answer of the buyer is about these goods; true of all other events. A Yes is about the goods whose money is
 * held, and not about those that are in dispute or refunded. A No is also about what is in dispute, and not about what
 * is settled: nobody waits for that any more.
 */
const isAboutGoods = ({ type }: Later, { status }: SaleDocument): boolean =>
  status === 'held' ||
  (type === 'DeliveryNotYet' ? status === 'disputed' : type !== 'DeliveryConfirmed');

export const isBankDispute = <E extends { readonly type: string }>(
  event: E,
): event is Extract<E, { readonly type: BankDispute['type'] }> =>
  event.type === 'PaymentDisputed' || event.type === 'PaymentDisputeClosed';

/** The open bank disputes of an order, after a further event about them. */
export function openDisputesAfter(
  disputes: readonly OpenDispute[],
  { type, data }: BankDispute,
  eventId: string,
): readonly OpenDispute[] {
  const { reference, disputeId, at } = data;
  const others = disputes.filter((each) => each.disputeId !== disputeId);
  return type === 'PaymentDisputed' ? [...others, { reference, disputeId, at, eventId }] : others;
}

/** The disputes among them that are about the payment that counts now, and the ids of their events. */
export const disputesOf = (
  disputes: readonly OpenDispute[],
  { transactionId, reference }: { readonly transactionId: string; readonly reference: string },
): readonly { readonly event: Disputed; readonly eventId: string }[] =>
  disputes
    .filter((each) => each.reference === reference)
    .map(({ eventId, ...dispute }) => ({
      event: { type: 'PaymentDisputed', data: { transactionId, ...dispute } },
      eventId,
    }));

function applyEvent(sale: SaleDocument, event: Later, at: string): SaleDocument {
  const steps = [...sale.steps, { at, ...stepOf(sale, event) }];
  switch (event.type) {
    case 'PaymentVerified': {
      const { paidAt, reference: paymentReference } = event.data;
      const disputes = disputesOf(sale.earlyDisputes, event.data).map((early) => ({
        type: early.event.type,
        at,
        text: saleText(early.event),
      }));
      return {
        ...sale,
        steps: [...steps, ...disputes],
        paid: true,
        paidAt,
        paymentReference,
        earlyDisputes: [],
      };
    }
    case 'DeliveryDisputed':
    case 'SellerShareReleased':
    case 'PayoutCompleted':
    case 'PayoutFailed':
    case 'RefundRequested':
    case 'PaymentReversed':
    case 'PaymentRestored': {
      const [share] = sharesAfter([sale], event);
      return { ...sale, steps, status: share?.status ?? sale.status };
    }
    case 'PayoutRequested':
      return { ...sale, steps, payoutMethod: event.data.method };
    default:
      return { ...sale, steps };
  }
}

function stepOf(
  { lines, share, payoutMethod }: SaleDocument,
  event: Later,
): { readonly type: string; readonly text: string } {
  const { type, data } = event;
  if (type === 'PaymentVerified') {
    const text = `Ordered and paid: ${formatPieces(lines)}, ${formatNaira(share)} held for you`;
    return { type, text };
  }
  // As in Income: the seller's bank has no part in it.
  if (type === 'PayoutFailed' && wasStopped(data, payoutMethod))
    return { type: 'PayoutStopped', text: `The payout of ${formatNaira(data.amount)} was stopped` };
  return { type, text: saleText(event) };
}

/** An event as text for its seller, with only their own part of the order's money. */
export function saleText(event: Exclude<Later, { readonly type: 'PaymentVerified' }>): string {
  const { type, data } = event;
  switch (type) {
    case 'PaymentReversed':
      return 'The payment was taken back';
    case 'PaymentRestored':
      return 'The payment came back';
    case 'DeliveryDisputed':
      return 'The buyer reported a problem with your goods';
    case 'DisputeResolved':
      return data.outcome === 'release' ? 'Settled for you' : 'Settled for the buyer';
    case 'SellerShareReleased':
      return `${formatNaira(data.amount)} released to you`;
    case 'PayoutRequested':
      return `Payout of ${formatNaira(data.amount)} on its way`;
    case 'RefundRequested':
      return 'The buyer gets the money for your goods back';
    case 'PaymentDisputed':
    case 'PaymentDisputeClosed':
    case 'DeliveryNotYet':
    case 'DeliveryConfirmed':
    case 'PayoutCompleted':
    case 'PayoutFailed':
      return orderText(event);
  }
}
