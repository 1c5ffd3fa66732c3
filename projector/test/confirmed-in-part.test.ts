import type { TransactionCommand } from '@oja/domain';
import { expect, it } from 'vitest';
import {
  complain,
  confirm,
  hour,
  pay,
  payOut,
  payoutDone,
  payoutId,
  place,
  settle,
} from '../../domain/test/orders.js';
import { catalogue } from '../src/projections/catalogue/index.js';
import { sales } from '../src/projections/sales.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { ordered } from './support/orders.js';

// The buyer has complained about Ada's goods, so their Yes is about Bisi's alone.
const log = new MemoryLog();
log.record(ordered(place, pay, complain('ada'), { ...confirm, at: hour(60) }));

/** The types of the steps of a seller's sale. */
async function stepsOf(sellerId: string, ofOrder = log): Promise<readonly string[]> {
  const documents = new MemoryDocuments();
  await follow(ofOrder, documents, sales, { batchSize: 500 });
  const { sales: all = {} } = contents(documents, sales);
  const sale = Object.values(all).map((text) => JSON.parse(text));
  return sale
    .find((each) => each.sellerId === sellerId)
    .steps.map(({ type }: { readonly type: string }) => type);
}

it('a Yes is a step of the sales whose money was held, and of no others', async () => {
  expect(await stepsOf('bisi')).toContain('DeliveryConfirmed');
  expect(await stepsOf('ada')).not.toContain('DeliveryConfirmed');
});

const released = [complain('ada'), settle('ada', 'release')] as const;
const paidOut = [...released, payOut('ada'), payoutDone(payoutId(0))] as const;
it.each<[string, boolean, readonly TransactionCommand[]]>([
  ['held', true, []],
  ['disputed', true, [complain('ada')]],
  ['released', false, released],
  ['paid out', false, paidOut],
  ['refunded', false, [complain('ada'), settle('ada', 'refund')]],
])('where a share is %s, a No is a step of its sale: %s', async (_, isStep, before) => {
  const order = new MemoryLog();
  order.record(ordered(place, pay, ...before, { type: 'ReportNotReceived', at: hour(900) }));
  expect(await stepsOf('bisi', order)).toContain('DeliveryNotYet');
  expect((await stepsOf('ada', order)).includes('DeliveryNotYet')).toBe(isStep);
});

it('a Yes counts for the stores whose money was held, and for no others', async () => {
  const documents = new MemoryDocuments();
  await follow(log, documents, catalogue, { batchSize: 500 });
  const { stores = {} } = contents(documents, catalogue);
  const confirmed = (sellerId: string) => JSON.parse(stores[sellerId] ?? '{}').ordersConfirmed ?? 0;
  expect([confirmed('bisi'), confirmed('ada')]).toEqual([1, 0]);
});
