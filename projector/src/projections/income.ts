import {
  type IncomeCollections,
  type IncomeOrderDocument,
  income as model,
  type PaidOutDocument,
  type PayoutDocument,
  type SoldDayDocument,
  soldDayId,
} from '@oja/contracts/models';
import { type EventOf, lagosDay, sellerShare, transactionEvents, wasStopped } from '@oja/domain';
import type { Change, Key, Loaded } from '../runner/projection.js';
import { define, pick, put } from './define.js';
import { shareEvents, sharesAfter } from './shares.js';

const schemas = {
  ...shareEvents,
  ...pick(
    transactionEvents,
    'OrderPlaced',
    'PaymentVerified',
    'PayoutRequested',
    'PayoutDoubled',
    'DoubledPayoutReturned',
  ),
};

type IncomeEvent = EventOf<typeof schemas>;
type Placed = Extract<IncomeEvent, { readonly type: 'OrderPlaced' }>;
type PayoutEvent = Extract<IncomeEvent, { readonly data: { readonly payoutId: string } }>;
type Documents = Loaded<IncomeCollections>;
type Changes = readonly Change<IncomeCollections>[];

const isOfPayout = (event: IncomeEvent): event is PayoutEvent => 'payoutId' in event.data;

/** What each seller sold by day, and what was paid out to them. */
export const income = define<IncomeCollections>()({
  model,
  scope: 'shared',
  schemas,
  reads({ event }, documents) {
    if (event.type === 'OrderPlaced') return [];
    const id = event.data.transactionId;
    const keys: Key<IncomeCollections>[] = [{ collection: 'orders', id }];
    if (isOfPayout(event)) {
      keys.push({ collection: 'payouts', id: event.data.payoutId });
      keys.push({ collection: 'paidOut', id: event.data.sellerId });
    }
    const order = documents.has({ collection: 'orders', id }) ? documents.get('orders', id) : null;
    if (order === null) return keys;
    const { paidOn, shares } = applyEvent(order, event);
    if (paidOn !== null)
      for (const { sellerId } of shares)
        keys.push({ collection: 'days', id: soldDayId(sellerId, paidOn) });
    return keys;
  },
  project({ event }, documents) {
    const id = event.data.transactionId;
    if (event.type === 'OrderPlaced') return [put('orders', id, placed(event))];
    const before = documents.get('orders', id);
    if (before === null) throw new Error(`${event.type} before the order was placed`);
    const order = applyEvent(before, event);
    return [
      put('orders', id, order),
      ...soldDays(before, order, documents),
      ...(isOfPayout(event) ? payouts(event, documents) : []),
    ];
  },
});

function placed({ data }: Placed): IncomeOrderDocument {
  return {
    paidOn: null,
    shares: data.shares.map(({ sellerId }) => ({ sellerId, status: 'held' })),
    lines: data.lines.map(({ sellerId, productId, name, quantity, unitPrice, priceKind }) => ({
      sellerId,
      productId,
      name,
      pieces: quantity,
      sum: sellerShare(unitPrice, priceKind) * quantity,
    })),
  };
}

function applyEvent(
  order: IncomeOrderDocument,
  event: Exclude<IncomeEvent, Placed>,
): IncomeOrderDocument {
  switch (event.type) {
    case 'PaymentVerified':
      return { ...order, paidOn: lagosDay(event.data.paidAt) };
    case 'PayoutRequested':
    case 'PayoutDoubled':
    case 'DoubledPayoutReturned':
      return order;
    default:
      return { ...order, shares: sharesAfter(order.shares, event) };
  }
}

/** Whether a seller's part is paid and not refunded. `place`: its index in `shares`. */
const isSold = ({ paidOn, shares }: IncomeOrderDocument, place: number) =>
  paidOn !== null && shares[place]?.status !== 'refunded';

/** Updates the sales days of sellers whose part became sold, or stopped being sold. */
function soldDays(
  before: IncomeOrderDocument,
  order: IncomeOrderDocument,
  documents: Documents,
): Changes {
  return order.shares.flatMap(({ sellerId }, place) => {
    const sign = Number(isSold(order, place)) - Number(isSold(before, place));
    if (sign === 0 || order.paidOn === null) return [];
    const id = soldDayId(sellerId, order.paidOn);
    const own = order.lines.filter((line) => line.sellerId === sellerId);
    return [put('days', id, added(documents.get('days', id) ?? NO_SALES, own, sign))];
  });
}

const NO_SALES: SoldDayDocument = { orders: 0, sum: 0, products: [] };

type SoldProduct = SoldDayDocument['products'][number];

/**
 * Adds lines to a day, or removes them. Products are sorted and fully refunded ones dropped, so the
 * result does not depend on the order of events.
 */
function added(day: SoldDayDocument, lines: readonly SoldProduct[], sign: number): SoldDayDocument {
  const products = new Map<string, SoldProduct>();
  const add = ({ productId, name, pieces, sum }: SoldProduct, times: number) => {
    const key = `${productId}/${name}`;
    const known = products.get(key);
    products.set(key, {
      productId,
      name,
      pieces: (known?.pieces ?? 0) + times * pieces,
      sum: (known?.sum ?? 0) + times * sum,
    });
  };
  for (const product of day.products) add(product, 1);
  for (const line of lines) add(line, sign);
  return {
    orders: day.orders + sign,
    sum: lines.reduce((total, { sum }) => total + sign * sum, day.sum),
    products: [...products]
      .filter(([, { pieces }]) => pieces !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, product]) => product),
  };
}

/** Updates the payout that the event is about, and the monthly sums of its seller. */
function payouts(event: PayoutEvent, documents: Documents): Changes {
  const { payoutId, sellerId, transactionId, amount, at } = event.data;
  const known = documents.get('payouts', payoutId);
  if (event.type === 'PayoutRequested') {
    const { method, accountEnd, bankName } = event.data;
    const status = 'on-its-way' as const;
    const account = accountEnd && bankName ? { accountEnd, bankName } : null;
    const of = { sellerId, transactionId, amount, method, account, requestedAt: at };
    return [put('payouts', payoutId, { ...of, status, reason: null, endedAt: null })];
  }
  if (known === null) throw new Error(`${event.type} before the payout was asked for`);
  const end = endOf(event, known);
  // A payout that was one too many, and later pays its share after all, was sent when it arrived.
  const endedAt = end.status === 'sent' && known.status === 'sent' ? known.endedAt : at;
  const payout = { ...known, ...end, endedAt };
  const months = (documents.get('paidOut', sellerId) ?? { months: [] }).months;
  const sum = Number(payout.status === 'sent') - Number(known.status === 'sent');
  // A payout that came back is subtracted from the month in which it was sent.
  const month = lagosDay(sum < 0 ? (known.endedAt ?? at) : at).slice(0, 'YYYY-MM'.length);
  return [
    put('payouts', payoutId, payout),
    ...(sum === 0 ? [] : [put('paidOut', sellerId, addToMonth(months, month, sum * amount))]),
  ];
}

function endOf(
  event: Exclude<PayoutEvent, { readonly type: 'PayoutRequested' }>,
  { method }: PayoutDocument,
): Pick<PayoutDocument, 'status' | 'reason'> {
  if (event.type === 'PayoutCompleted') return { status: 'sent', reason: null };
  if (event.type === 'PayoutDoubled') return { status: 'sent', reason: 'late' };
  if (event.type === 'DoubledPayoutReturned') return { status: 'came-back', reason: 'bank' };
  const { reversed, forfeited } = event.data;
  const reason = forfeited ? 'taken-back' : wasStopped(event.data, method) ? 'stopped' : 'bank';
  return { status: reversed ? 'came-back' : 'failed', reason };
}

function addToMonth(
  months: PaidOutDocument['months'],
  month: string,
  amount: number,
): PaidOutDocument {
  const before = months.find((one) => one.month === month)?.amount ?? 0;
  const others = months.filter((one) => one.month !== month);
  return {
    months: [...others, { month, amount: before + amount }].sort((a, b) =>
      a.month < b.month ? -1 : 1,
    ),
  };
}
