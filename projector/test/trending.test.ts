import { catalogue as model } from '@oja/contracts/models';
import { type OrderLine, type TransactionEvent, transaction } from '@oja/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { projections } from '../src/index.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { interleave, picks } from './support/interleave.js';
import { MemoryLog } from './support/log.js';
import type { Stream } from './support/market.js';
import { record } from './support/orders.js';

function catalogueOf() {
  const found = projections.find(({ name }) => name === model.name);
  if (found === undefined) throw new Error('there is no catalogue');
  return found;
}
const catalogue = catalogueOf();

const DAY = 86_400_000;
const FIRST = Date.parse('2026-03-01T08:00:00.000Z');
const onDay = (n: number) => new Date(FIRST + n * DAY).toISOString();
const sealed = { sealed: 'x', subject: 'x' };

const lineOf = (productId: string): OrderLine => ({
  productId,
  sellerId: 's-1',
  businessName: 'Ada Stores',
  name: 'Bag',
  image: 'bag.jpg',
  subcategoryId: 1,
  quantity: 1,
  unitPrice: 1_150_000,
  priceKind: 'upload',
});

/** An order for one piece of a product, placed and paid on a day. */
function paidOrder(n: number, productId: string, day: number): Stream {
  const transactionId = `3f0c1b9e-0000-4000-8000-${`${n}`.padStart(12, '0')}`;
  const at = onDay(day);
  const amount = 1_150_000;
  const events: TransactionEvent[] = [];
  let state = transaction.initial;
  const carryOut = (command: Parameters<typeof transaction.decide>[0]) => {
    const decision = transaction.decide(command, state);
    if (!decision.ok) throw new Error(decision.refusal.message);
    for (const event of decision.events) {
      events.push(event);
      state = transaction.evolve(state, event);
    }
  };
  const buyer = {
    fullName: sealed,
    email: sealed,
    homeAddress: sealed,
    phoneNumber: sealed,
    secret: sealed,
  };
  const lines = [lineOf(productId)];
  carryOut({ type: 'PlaceOrder', transactionId, lines, amount, ...buyer, at });
  carryOut({
    type: 'VerifyPayment',
    reference: transactionId,
    status: 'success',
    amount,
    currency: 'NGN',
    fees: 0,
    channel: 'card',
    providerId: `${n}`,
    paidAt: at,
    at,
  });
  return record(`transaction-${transactionId}`, at, events);
}

async function projected(streams: readonly Stream[], order: readonly number[] = [0]) {
  const log = new MemoryLog();
  log.record(interleave(streams, order));
  const documents = new MemoryDocuments();
  await follow(log, documents, catalogue, { batchSize: 50 });
  return documents;
}

async function trendingOf(documents: MemoryDocuments, productId: string): Promise<number> {
  const sales = await documents.get(`catalogue_v${model.version}_g1_sales`, productId);
  return Number(sales?.trending ?? 0);
}

const many = (from: number, count: number, productId: string, day: number) =>
  Array.from({ length: count }, (_, n) => paidOrder(from + n, productId, day));

it('goes on counting when one order is dated far ahead of its time', async () => {
  const before = many(0, 12, 'bag', 5);
  const ahead = paidOrder(50, 'lamp', 365 * 70);
  const after = many(100, 12, 'purse', 6);
  const documents = await projected([...before, ahead, ...after]);
  expect(await trendingOf(documents, 'bag')).toBe(12);
  expect(await trendingOf(documents, 'purse')).toBe(12);
  expect(await trendingOf(documents, 'lamp')).toBe(0);
});

it('forgets what was paid more than thirty days before', async () => {
  const documents = await projected([...many(0, 12, 'bag', 5), ...many(100, 12, 'purse', 40)]);
  expect(await trendingOf(documents, 'bag')).toBe(0);
  expect(await trendingOf(documents, 'purse')).toBe(12);
});

it('comes to the same in whatever order orders are heard, also those dated far ahead', async () => {
  const day = fc.oneof(
    { weight: 8, arbitrary: fc.nat({ max: 120 }) },
    { weight: 1, arbitrary: fc.integer({ min: 150, max: 30_000 }) },
  );
  const orders = fc
    .array(fc.tuple(fc.constantFrom('bag', 'purse', 'lamp'), day), { maxLength: 40 })
    .map((all) => all.map(([productId, on], n) => paidOrder(n, productId, on)));
  await fc.assert(
    fc.asyncProperty(orders, picks, picks, async (streams, one, other) => {
      const [a, b] = await Promise.all([projected(streams, one), projected(streams, other)]);
      expect(contents(a, catalogue)).toEqual(contents(b, catalogue));
    }),
    { numRuns: 40 },
  );
});
