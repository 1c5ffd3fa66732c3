import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  catalogue,
  ledger,
  notifications,
  obligations,
  queues,
  type SaleDocument,
  sales,
  timeline,
} from '@oja/contracts/models';
import type { OrderLine, ProductEvent, SellerEvent, TransactionEvent } from '@oja/domain';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedState,
  createReadModels,
  type Documents,
  type EventStore,
  type Position,
  type ReadModels,
  type State,
  systemClock,
} from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProjector, type Projector, projections, reactions } from '../src/index.js';
import { MemoryJobs } from './support/jobs.js';
import { orderEvents } from './support/market.js';
import { quiet, recorded } from './support/shop.js';

let folder: string;
let eventStore: EventStore;
let documents: Documents;
let state: State;
let models: ReadModels;
let projector: Projector;
const jobs = new MemoryJobs();
const revisions = new Map<string, number>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-thread-'));
  eventStore = await createEmbeddedEventStore({ file: join(folder, 'log') });
  documents = await createEmbeddedDocuments({ file: join(folder, 'documents') });
  state = await createEmbeddedState({ file: join(folder, 'state') });
  models = createReadModels(documents);
  projector = createProjector({
    eventStore,
    documents,
    state,
    jobs,
    projections,
    reactions,
    logger: quiet,
    clock: systemClock,
    metrics: { setProjectionLag: () => {} },
  });
  await projector.start();
});

afterAll(async () => {
  await projector.stop();
  await Promise.all([eventStore.close(), documents.close(), state.close()]);
  rmSync(folder, { recursive: true });
});

let ids = 0;
async function happened(
  stream: string,
  ...events: readonly (SellerEvent | ProductEvent | TransactionEvent)[]
): Promise<Position> {
  const last = revisions.get(stream);
  const result = await eventStore.append(
    stream,
    last ?? 'no-stream',
    events.map(({ type, data }) => {
      const id = `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
      const { metadata } = recorded(stream, 0, type, data);
      return { id, type, data, metadata: { ...metadata, commandId: id } };
    }),
  );
  if (!result.ok) throw new Error(result.reason);
  revisions.set(stream, result.revision);
  expect(await models.waitFor(projections, result.position, 5_000)).toBe(true);
  return result.position;
}

const seller = (id: string, businessName: string): SellerEvent => ({
  type: 'SellerRegistered',
  data: {
    sellerId: id,
    businessName,
    name: { sealed: 'n', subject: `seller:${id}` },
    phone: { sealed: 'p', subject: `seller:${id}` },
  },
});

const listed = (productId: string, sellerId: string, name: string): ProductEvent => ({
  type: 'ProductListed',
  data: {
    productId,
    sellerId,
    name,
    price: 1_150_000,
    priceKind: 'upload',
    description: 'Fine',
    subcategoryId: 24,
    state: 'Lagos',
    localGovt: 'Ikeja',
    attributes: { brand: 'LG' },
    images: ['one.jpg', 'two.jpg'],
    at: '2026-01-01T00:00:00.000Z',
  },
});

const line = (productId: string, sellerId: string): OrderLine => ({
  productId,
  sellerId,
  businessName: sellerId,
  name: productId,
  image: 'one.jpg',
  subcategoryId: 24,
  quantity: 2,
  unitPrice: 1_150_000,
  priceKind: 'upload',
});

it('shows goods to shoppers, by word, filter and order, while their seller may sell', async () => {
  await happened('seller-a', seller('a', 'Ada Stores'));
  await happened('seller-b', seller('b', 'Bola & Co'));
  await happened('product-1', listed('1', 'a', 'LG Ọlẹ TV 43'));
  await happened('product-2', listed('2', 'b', 'Sony TV'));
  const products = await models.liveCollection(catalogue, 'products');
  const found = await documents.find(products, {
    filter: [
      { field: 'shown', op: 'eq', value: true },
      { field: 'subcategoryId', op: 'eq', value: 24 },
      { field: 'localGovt', op: 'eq', value: 'Ikeja' },
      { field: 'shownCondition', op: 'eq', value: 'New' },
      { field: 'price', op: 'gte', value: 100_000 },
      { field: 'nameKey', op: 'words', words: ['lg', 'tv', 'ole'] },
    ],
    sort: [{ field: 'nameKey', order: 'asc' }],
  });
  expect(found.items).toMatchObject([
    {
      id: '1',
      document: {
        businessName: 'Ada Stores',
        sellerPrice: 1_000_000,
        category: 'Electronics',
        subcategory: 'TVs',
        condition: null,
      },
    },
  ]);
  const shown = [{ field: 'shown', op: 'eq', value: true }] as const;
  expect(await documents.facets(products, shown, ['category', 'subcategory'])).toMatchObject({
    category: [{ value: 'Electronics', count: 2 }],
    subcategory: [{ value: 'TVs', count: 2 }],
  });

  await happened('seller-b', { type: 'SellerSuspended', data: { sellerId: 'b', by: 'operator' } });
  expect(await documents.count(products, shown)).toBe(1);
  await happened('seller-b', { type: 'SellerReinstated', data: { sellerId: 'b', by: 'operator' } });
  expect(await documents.count(products, shown)).toBe(2);
});

it('follows an order of two sellers from payment to confirmed delivery', async () => {
  const { events } = orderEvents('o', [line('1', 'a'), line('2', 'b')], 0, [
    ['paid', 1],
    ['confirm', 1],
  ]);
  const [placed, paid, ...confirmed] = events;
  if (placed === undefined || paid === undefined) throw new Error('the order was not paid');
  await happened('transaction-o', placed);
  const products = await models.liveCollection(catalogue, 'products');
  const due = await models.liveCollection(obligations, 'due');
  expect(await documents.get(due, 'payment-check/o')).toMatchObject({ subject: 'o' });

  const history = await models.liveCollection(timeline, 'entries');
  const ofGoods = [{ field: 'kind', op: 'in', values: ['product', 'seller'] } as const];
  const unpaid = (await documents.find(history, { filter: ofGoods })).items;
  expect(unpaid.map(({ document }) => document.type)).not.toContain('OrderPlaced');

  const sold = await models.liveCollection(sales, 'sales');
  expect(await documents.get(sold, 'b/o')).toMatchObject({ paid: false });

  const position = await happened('transaction-o', paid);
  expect(await documents.get(sold, 'b/o')).toMatchObject({
    paid: true,
    status: 'held',
    share: 2_000_000,
    lines: [{ productId: '2', quantity: 2 }],
    steps: [{ text: 'Ordered and paid: 2 pieces, ₦20,000 held for you' }],
  });
  expect(await documents.get(products, '1')).toMatchObject({ openTransactions: 1, trending: 2 });
  expect(await documents.get(due, 'payment-check/o')).toBeNull();
  expect(await documents.get(due, 'receipt/o')).toMatchObject({ kind: 'receipt', subject: 'o' });
  const items = await models.liveCollection(notifications, 'items');
  const unread = await documents.find(items, {
    filter: [{ field: 'sellerId', op: 'eq', value: 'b' }],
    sort: [{ field: 'position', order: 'desc' }],
  });
  expect(unread.items).toMatchObject([
    { document: { position, lines: [{ productId: '2', quantity: 2 }] } },
    { document: { type: 'SellerReinstated' } },
    { document: { type: 'SellerSuspended' } },
  ]);
  const earnings = await models.liveCollection(ledger, 'earnings');
  expect(await documents.get(earnings, 'a')).toMatchObject({ held: 2_000_000, payable: 0 });

  await happened('transaction-o', ...confirmed);
  expect(await documents.get(products, '1')).toMatchObject({ openTransactions: 0, trending: 2 });
  expect(await documents.get(earnings, 'a')).toMatchObject({ held: 0, payable: 2_000_000 });
  const handedOver = await documents.get<SaleDocument>(sold, 'b/o');
  expect(handedOver?.status).toBe('released');
  expect(handedOver?.steps.map(({ text }) => text)).toEqual([
    'Ordered and paid: 2 pieces, ₦20,000 held for you',
    'The buyer confirmed the delivery',
    '₦20,000 released to you',
  ]);
  expect(JSON.stringify(handedOver)).not.toMatch(/fullName|homeAddress|sealed/);
  const stores = await models.liveCollection(catalogue, 'stores');
  expect(await documents.get(stores, 'b')).toMatchObject({
    ordersConfirmed: 1,
    businessNameKey: 'bola-&-co',
    newest: { productId: '2', localGovt: 'Ikeja' },
  });
  const owed = await documents.find(due, { filter: [{ field: 'subject', op: 'eq', value: 'o' }] });
  expect(owed.items.map(({ id }) => id)).toEqual(['payout/o/a', 'payout/o/b', 'receipt/o']);
  const entries = await models.liveCollection(timeline, 'entries');
  const told = async (kind: string, subject: string) => {
    const { items } = await documents.find(entries, {
      filter: [
        { field: 'kind', op: 'eq', value: kind },
        { field: 'subject', op: 'eq', value: subject },
      ],
      sort: [{ field: 'position', order: 'asc' }],
    });
    return items.map(({ document }) => String(document.text));
  };
  expect(await told('transaction', 'o')).toEqual([
    'Ordered: 4 pieces for ₦46,000',
    'Paid ₦46,000',
    'The buyer confirmed the delivery',
    '₦20,000 released to the seller',
    '₦20,000 released to the seller',
  ]);
  const ofProduct = (await told('product', '1')).filter((text) => text.startsWith('Ordered'));
  expect(ofProduct).toEqual(['Ordered: 2 pieces for ₦23,000']);
  const ofSeller = (await told('seller', 'b')).filter((text) => text.startsWith('Ordered'));
  expect(ofSeller).toEqual(['Ordered: 2 pieces for ₦23,000']);
  await expect
    .poll(() => [...jobs.added.values()].filter(({ queue }) => queue === 'letters'))
    .toEqual([
      {
        queue: 'letters',
        data: { kind: 'receipt', subject: 'o', correlationId: expect.any(String) },
      },
    ]);
  // A payment check of an order of long ago was due long ago: the sweep makes it.
  expect([...jobs.added.values()].map(({ queue }) => queue)).not.toContain(queues.paymentChecks);
});
