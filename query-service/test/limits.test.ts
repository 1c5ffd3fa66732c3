import { once } from 'node:events';
import { connect } from 'node:net';
import { readModels } from '@oja/contracts/models';
import { collectionName } from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { productDocument } from './support/fixtures.js';
import { type Market, openMarket } from './support/market.js';
import { type Served, serve } from './support/served.js';

const ADDRESS = '203.0.113.9';
const ELSEWHERE = '203.0.113.10';
const MINUTE_MS = 60_000;

let market: Market;
let served: Served;
beforeAll(async () => {
  market = await openMarket(undefined, undefined, undefined, false);
  served = await serve(market);
});
afterAll(async () => {
  await served.close();
  await market.close();
});

async function statusOf(path: string, from: string): Promise<number> {
  const answer = await served.get(path, { 'X-Forwarded-For': from });
  await answer.arrayBuffer();
  return answer.status;
}

/** Makes `count` requests one after the other. Returns how many were let in. */
async function letIn(count: number, ask: () => Promise<number>): Promise<number> {
  let many = 0;
  for (let n = 0; n < count; n += 1) if ((await ask()) < 400) many += 1;
  return many;
}

it.each([
  ['/v1/products/search', 900],
  ['/v1/products/suggest?query=bag', 900],
  ['/v1/products/by-ids?ids=one,two', 900],
  ['/v1/products/allUsers', 300],
])('one address asks for %s so many times a minute', async (path, most) => {
  expect(await letIn(most + 20, () => statusOf(path, ADDRESS))).toBe(most);
  expect(await statusOf(path, ELSEWHERE)).toBe(200);
  market.clock.time += MINUTE_MS;
  expect(await statusOf(path, ADDRESS)).toBe(200);
});

it('one address asks for stores so many times a minute, however their names are spelled', async () => {
  const ask = (name: string, from = ADDRESS) => statusOf(`/v1/stores/${name}`, from);
  for (let n = 0; n < 450; n += 1) {
    expect(await ask('Nobody')).toBe(404);
    expect(await ask('nobody')).toBe(404);
  }
  expect(await ask('Nobody')).toBe(429);
  expect(await ask('Nobody', ELSEWHERE)).toBe(404);
});

it('one seller gets a thousand of their goods at a time, and so many times a minute', async () => {
  const collection = collectionName(readModels.catalogue, 1, 'products');
  await market.documents.commit(
    Array.from({ length: 1_002 }, (_, n) => {
      const listedAt = new Date(market.clock.now() + n).toISOString();
      const own = { productId: `g-${n}`, sellerId: 'many', shown: false, listedAt };
      return {
        type: 'put',
        collection,
        id: own.productId,
        document: productDocument(own),
      } as const;
    }),
  );
  const headers = { Authorization: `Bearer ${await market.signedIn('many')}` };
  type Own = { userDetails: { product_id: string }[]; nextCursor: string | null };
  const page = async (query: string) =>
    (await (await served.get(`/v1/user/products${query}`, headers)).json()) as Own;
  const first = await page('');
  expect(first.userDetails).toHaveLength(1_000);
  expect(first.userDetails[0]).toMatchObject({ product_id: 'g-1001' });
  const rest = await page(`?cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  expect(rest.userDetails.map((one) => one.product_id)).toEqual(['g-1', 'g-0']);
  expect(rest.nextCursor).toBeNull();
  const ask = async (token = headers) =>
    (await served.get('/v1/user/products?limit=1', token)).status;
  expect(await letIn(320, ask)).toBe(298);
  const other = { Authorization: `Bearer ${await market.signedIn('few')}` };
  expect(await ask(other)).toBe(200);
});

it('a seller may ask for own orders so often a minute, and others are not kept waiting', async () => {
  const asking = async (seller: string) => {
    const headers = { Authorization: `Bearer ${await market.signedIn(seller)}` };
    return async () => (await served.get('/v1/user/orders?find=a', headers)).status;
  };
  expect(await letIn(320, await asking('eager'))).toBe(300);
  expect(await (await asking('patient'))()).toBe(200);
});

/** Opens a WebSocket for live hints and closes it. Returns the HTTP status. */
async function line(from: string): Promise<number> {
  const { port } = new URL(served.origin);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  await once(socket, 'close');
  return Number(answer.toString().split(' ')[1]);
}

it('one address opens so many lines for live hints a minute', async () => {
  expect(await letIn(620, () => line(ADDRESS))).toBe(600);
  expect(await line(ELSEWHERE)).toBe(101);
  market.clock.time += MINUTE_MS;
  expect(await line(ADDRESS)).toBe(101);
});
