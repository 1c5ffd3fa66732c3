import { randomBytes } from 'node:crypto';
import {
  acceptableAmounts,
  HOUR_MS,
  keySubject,
  nairaToKobo,
  ORDER_EXPIRES_AFTER_MS,
  type OrderLine,
  PROBLEM_AFTER_MS,
  paymentReference,
  type Sealed,
  subtotalOf,
  type TransactionCommand,
  transaction,
} from '@oja/domain';
import { type Sealer, streamOf } from '@oja/platform';
import type { SampleOrder, SampleProduct, SampleSeller } from '../samples/types.js';
import { decidedOf, type SampleStream, sampleId, sampleSellerId } from './streams.js';

const PAID_AFTER_MS = 3 * 60_000;
const DELIVERED_AFTER_MS = 20 * HOUR_MS;

/** Has the provider know a payment as if it had been made there. */
type MakePayment = (payment: {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly paidAt: number;
}) => Promise<{ readonly providerId: string; readonly fees: number }>;

/** What orders are made with, beside what they are made of. */
export interface OrderTools {
  readonly sealer: Sealer;
  readonly makePayment: MakePayment;
}

export interface Goods {
  readonly product: SampleProduct;
  readonly seller: SampleSeller;
}

const lineOf = ({ product, seller }: Goods, quantity: number, seeding: string): OrderLine => ({
  productId: sampleId('product', seeding, product.index),
  sellerId: sampleSellerId(seller.businessName),
  businessName: seller.businessName,
  name: product.prod_name,
  image: product.images[0] ?? '',
  subcategoryId: product.subcategoryId,
  quantity,
  unitPrice: nairaToKobo(product.priceNaira),
  priceKind: 'upload',
});

/** What became of the order, as the commands that people and the provider would have sent. */
async function aftermath(
  sample: SampleOrder,
  placed: {
    readonly id: string;
    readonly at: number;
    readonly amount: number;
    readonly now: number;
  },
  sellerIds: readonly string[],
  complaint: Sealed | null,
  makePayment: MakePayment,
): Promise<readonly TransactionCommand[]> {
  const iso = (at: number) => new Date(Math.min(at, placed.now)).toISOString();
  if (sample.outcome === 'abandoned') {
    // As the sweep would have done by now: a market that has just been seeded owes nothing.
    const ends = placed.at + ORDER_EXPIRES_AFTER_MS;
    return ends <= placed.now ? [{ type: 'ExpireOrder', at: iso(ends) }] : [];
  }
  const paidAt = iso(placed.at + PAID_AFTER_MS);
  const reference = paymentReference(placed.id, 1);
  const { amount } = placed;
  const made = await makePayment({ reference, amount, paidAt: Date.parse(paidAt) });
  const verified = {
    type: 'VerifyPayment',
    reference,
    status: 'success',
    amount,
    currency: 'NGN',
    channel: 'card',
    ...made,
    paidAt,
    at: paidAt,
  } as const;
  switch (sample.outcome) {
    case 'paid':
      return [verified];
    case 'delivered':
      return [verified, { type: 'ConfirmDelivery', at: iso(placed.at + DELIVERED_AFTER_MS) }];
    case 'notYet':
      return [verified, { type: 'ReportNotReceived', at: iso(placed.at + DELIVERED_AFTER_MS) }];
    case 'disputed': {
      const at = new Date(Date.parse(paidAt) + PROBLEM_AFTER_MS).toISOString();
      if (complaint === null) throw new Error('a disputed sample has no complaint');
      return [verified, { type: 'ReportProblem', sellerIds: sellerIds.slice(0, 1), complaint, at }];
    }
  }
}

/** `now` is the moment of seeding in epoch milliseconds: nothing of an order lies after it. */
export async function orderStream(
  sample: SampleOrder,
  goods: readonly Goods[],
  seeding: string,
  now: number,
  { sealer, makePayment }: OrderTools,
): Promise<SampleStream> {
  const id = sampleId('order', seeding, sample.index);
  const stream = streamOf(transaction, id);
  const lines = goods.map((one, i) => lineOf(one, sample.lines[i]?.quantity ?? 1, seeding));
  const subtotal = subtotalOf(lines);
  const amount = acceptableAmounts(subtotal).at(-1) ?? subtotal;
  const { complaint, ...buyer } = await sealer.seal(keySubject('transaction', id), stream, {
    fullName: sample.buyer.full_name,
    email: sample.buyer.email,
    homeAddress: sample.buyer.home_address,
    phoneNumber: sample.buyer.phone_number,
    secret: randomBytes(16).toString('base64url'),
    complaint: sample.complaint ?? '',
  });
  const placedAt = now - sample.placedHoursAgo * HOUR_MS;
  const at = new Date(placedAt).toISOString();
  const sellerIds = [...new Set(lines.map((line) => line.sellerId))];
  const events = decidedOf(transaction, [
    { type: 'PlaceOrder', transactionId: id, lines, amount, ...buyer, at },
    ...(await aftermath(
      sample,
      { id, at: placedAt, amount, now },
      sellerIds,
      sample.complaint === null ? null : complaint,
      makePayment,
    )),
  ]);
  const times = events.map(({ data }) =>
    'at' in data ? data.at : 'paidAt' in data ? data.paidAt : at,
  );
  return { stream, events, times };
}
