import { expect, it } from 'vitest';
import { complain, confirm, hour, pay, place } from '../../domain/test/orders.js';
import { catalogue } from '../src/projections/catalogue/index.js';
import { sales } from '../src/projections/sales.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { ordered } from './support/orders.js';

// The buyer has complained about Ada's goods, so their Yes is about Bisi's alone.
const log = new MemoryLog();
log.record(ordered(place, pay, complain('ada'), { ...confirm, at: hour(60) }));

it('a Yes is a step of the sales whose money was held, and of no others', async () => {
  const documents = new MemoryDocuments();
  await follow(log, documents, sales, { batchSize: 500 });
  const steps = (sellerId: string): string[] => {
    const { sales: all = {} } = contents(documents, sales);
    const sale = Object.values(all).map((text) => JSON.parse(text));
    return sale
      .find((each) => each.sellerId === sellerId)
      .steps.map(({ type }: { readonly type: string }) => type);
  };
  expect(steps('bisi')).toContain('DeliveryConfirmed');
  expect(steps('ada')).not.toContain('DeliveryConfirmed');
});

it('a Yes counts for the stores whose money was held, and for no others', async () => {
  const documents = new MemoryDocuments();
  await follow(log, documents, catalogue, { batchSize: 500 });
  const { stores = {} } = contents(documents, catalogue);
  const confirmed = (sellerId: string) => JSON.parse(stores[sellerId] ?? '{}').ordersConfirmed ?? 0;
  expect([confirmed('bisi'), confirmed('ada')]).toEqual([1, 0]);
});
