import { join } from 'node:path';
import { createEmbeddedEventStore, type EventStore, files } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { type Market, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { listBag, registerSeller, type Seller } from '../thread/walk.js';

const folder = temporaryFolder();
let market: Market;
let log: EventStore;
let owner: Seller;
let other: Seller;
let productId: string;

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
  owner = await registerSeller(market.url, 'Own Stall');
  other = await registerSeller(market.url, 'Other Stall');
  log = await createEmbeddedEventStore({ file: join(folder.path, files.log) });
  productId = await listBag(owner, 'A bag of mine', 10_000, ['#aa3333', '#3333aa']);
});

afterAll(async () => {
  await log?.close();
  await market?.stop();
  folder.remove();
});

interface OwnCall {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: () => string;
  readonly body?: unknown;
  /** The status the owner gets. Default: 200. */
  readonly done?: 200 | 404;
}

/** Every call about one seller's own object. The last one removes the product, so it stands last. */
const ownCalls: readonly (readonly [name: string, call: OwnCall])[] = [
  [
    'updateProduct',
    {
      method: 'PUT',
      path: () => `/v1/product/update/${productId}`,
      body: { description: 'Sewn anew.' },
    },
  ],
  ['toggleProductStatus', { method: 'PUT', path: () => `/v1/products/${productId}/toggle-status` }],
  ['getTimeline', { method: 'GET', path: () => `/v1/timeline/product/${productId}` }],
  [
    'updateProfile',
    {
      method: 'PUT',
      path: () => `/v1/user/update/${owner.details.user_id}`,
      body: { name: 'Ada Obi-Eze', businessName: 'Own Stall', phone_1: '07000000003' },
    },
  ],
  [
    'unreadNotifications',
    { method: 'GET', path: () => `/v1/notifications/unread/${owner.details.user_id}` },
  ],
  [
    'clearNotifications',
    {
      method: 'DELETE',
      path: () => `/v1/notifications/read/${owner.details.user_id}`,
      // Nobody has bought anything yet, so there is nothing to clear.
      done: 404,
    },
  ],
  ['removeProduct', { method: 'DELETE', path: () => `/v1/product/${productId}` }],
];

const send = ({ client }: Seller, { method, path, body }: OwnCall): Promise<Answer> =>
  client.fetch(path(), {
    method,
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });

/** Everything that has happened to the product, the profile and the notices of its owner, from the log itself. */
async function happened(): Promise<readonly string[]> {
  const { user_id: id } = owner.details;
  const events: string[] = [];
  for (const stream of [`product-${productId}`, `seller-${id}`, `inbox-${id}`])
    for await (const { type, revision } of log.readStream(stream))
      events.push(`${type}@${revision} of ${stream}`);
  return events;
}

describe.each(ownCalls)('%s', (_, call) => {
  it('is refused to another seller, and changes nothing', async () => {
    const before = await happened();
    const { status, text } = await send(other, call);
    // 404 as for an unknown product: other sellers must not learn whose it is.
    expect(status, text).toBe(404);
    expect(text).toMatch(/\byours?\b|\bfor you\b/);
    expect(await happened()).toEqual(before);
  });

  it('is done for the owner', async () => {
    const before = await happened();
    const { status, text } = await send(owner, call);
    expect(status, text).toBe(call.done ?? 200);
    // What the test above compares does change when something is done.
    const isDone = call.method !== 'GET' && call.done === undefined;
    expect((await happened()).length - before.length).toBe(isDone ? 1 : 0);
  });
});
