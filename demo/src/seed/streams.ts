import { createHash, randomBytes } from 'node:crypto';
import {
  acceptableAmounts,
  businessName,
  businessNameKey,
  type Decider,
  HOUR_MS,
  keySubject,
  nairaToKobo,
  ORDER_EXPIRES_AFTER_MS,
  type OrderLine,
  PROBLEM_AFTER_MS,
  paymentReference,
  product,
  review,
  type Sealed,
  seller,
  streamNames,
  subtotalOf,
  type TransactionCommand,
  transaction,
} from '@oja/domain';
import type { DomainEvent, Sealer } from '@oja/platform';
import { v5 } from 'uuid';
import type { SampleOrder, SampleProduct, SampleReview, SampleSeller } from '../samples/types.js';

/** Chosen once at random. Ids of samples are derived under it, so that seeding again adds nothing. */
const NAMESPACE = '0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a';

const derivedId = (...parts: readonly (string | number)[]) => v5(parts.join('/'), NAMESPACE);

/** A sample seller has the same id in every seeding that includes them. */
export const sampleSellerId = (businessName: string) =>
  derivedId('seller', businessNameKey(businessName));

type SampleKind = 'product' | 'order' | 'review';

/** `seeding` names a size and a seed: in another seeding the same index is another item. */
export const sampleId = (kind: SampleKind, seeding: string, index: number) =>
  derivedId(kind, seeding, index);

/** Id of the command that made a stream's first events. */
export const sampleCommandId = (stream: string) => derivedId('command', stream);

/** The first events of a sample's stream, with their times. */
export interface SampleStream {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
  /** ISO 8601, one for each event. */
  readonly times: readonly string[];
}

/**
 * The events that these commands produce on a new instance: samples go through the same rules as anything a person
 * does. @throws Error when a rule refuses a command, because the generator then made something impossible.
 */
function decidedOf<S, C, E>(decider: Decider<S, C, E>, commands: readonly C[]): readonly E[] {
  let state = decider.initial;
  const events: E[] = [];
  for (const command of commands) {
    const decision = decider.decide(command, state);
    if (!decision.ok) throw new Error(`a sample was refused: ${JSON.stringify(decision.refusal)}`);
    for (const event of decision.events) {
      state = decider.evolve(state, event);
      events.push(event);
    }
  }
  return events;
}

/** The reservation of the name, then the seller, as a registration writes them. */
export async function sellerStreams(
  sample: SampleSeller,
  at: string,
  sealer: Sealer,
): Promise<readonly SampleStream[]> {
  const sellerId = sampleSellerId(sample.businessName);
  const nameKey = businessNameKey(sample.businessName);
  const nameStream = streamNames.businessName(createHash('sha256').update(nameKey).digest('hex'));
  const sellerStream = streamNames.seller(sellerId);
  const { name, phone } = await sealer.seal(keySubject('seller', sellerId), sellerStream, {
    name: sample.name,
    phone: sample.phone_1,
  });
  const claimed = decidedOf(businessName, [
    { type: 'ClaimName', nameKey, businessName: sample.businessName, sellerId, at },
  ]);
  const registered = decidedOf(seller, [
    { type: 'RegisterSeller', claim: 1, sellerId, businessName: sample.businessName, name, phone },
  ]);
  return [
    { stream: nameStream, events: claimed, times: [at] },
    { stream: sellerStream, events: registered, times: [at] },
  ];
}

export function productStream(
  sample: SampleProduct,
  sellerId: string,
  seeding: string,
  at: string,
): SampleStream {
  const productId = sampleId('product', seeding, sample.index);
  const attributes = Object.fromEntries(
    Object.entries(sample.attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const events = decidedOf(product, [
    {
      type: 'ListProduct',
      productId,
      sellerId,
      name: sample.prod_name,
      price: nairaToKobo(sample.priceNaira),
      description: sample.description,
      subcategoryId: sample.subcategoryId,
      state: sample.state,
      localGovt: sample.localGovt,
      condition: sample.condition ?? undefined,
      attributes,
      images: sample.images,
      at,
    },
  ]);
  return { stream: streamNames.product(productId), events, times: [at] };
}

export function reviewStream(sample: SampleReview, seeding: string, at: string): SampleStream {
  const { businessName, comment_text: comment, stars } = sample;
  const reviewId = sampleId('review', seeding, sample.index);
  const by = businessName ? { sellerId: sampleSellerId(businessName), businessName } : null;
  const events = decidedOf(review, [{ type: 'PostReview', reviewId, by, comment, stars, at }]);
  return { stream: streamNames.review(reviewId), events, times: [at] };
}

const PAID_AFTER_MS = 3 * 60_000;
const DELIVERED_AFTER_MS = 20 * HOUR_MS;

/** Makes the provider know a payment as if it had been made there. The fees it returns are in kobo. */
type MakePayment = (payment: {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly paidAt: number;
}) => Promise<{ readonly providerId: string; readonly fees: number }>;

/** Tools that creating an order needs. */
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

/** What happened to the order afterwards, as the commands that people and the provider would have sent. */
async function commandsAfterPlacing(
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
    // The sweep would have expired the order by now: a freshly seeded market must have no open obligations.
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

/** The stream of a sample order. `now` is the moment of seeding in epoch milliseconds; no event is later than it. */
export async function orderStream(
  sample: SampleOrder,
  goods: readonly Goods[],
  seeding: string,
  now: number,
  { sealer, makePayment }: OrderTools,
): Promise<SampleStream> {
  const id = sampleId('order', seeding, sample.index);
  const stream = streamNames.transaction(id);
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
    ...(await commandsAfterPlacing(
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
