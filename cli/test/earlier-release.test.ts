import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../../test/support/client.js';
import { type Market, openMarket, temporaryFolder } from '../../test/support/market.js';
import { find, orderOf, pay, placeOrder, verify } from '../../test/thread/walk.js';
import { eventStats, oja, ojaJson } from './support/oja.js';

/**
 * A small market as an earlier release has left it: 3 sample sellers with 12 goods, and Kept Stores
 * (named anew, its first notice cleared) with an order that was confirmed, one that is open and one that
 * is not paid, and two messages, the writer of one erased. Both its folder and its export.
 */
const fixtures = join(import.meta.dirname, 'fixtures/earlier-release');
const known: {
  readonly done: string;
  readonly open: string;
  readonly seller: { readonly user_id: string };
  readonly contacts: readonly string[];
} = JSON.parse(readFileSync(join(fixtures, 'known.json'), 'utf8'));

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
let market: Market;

beforeAll(async () => {
  const packed = join(fixtures, 'market');
  for (const name of readdirSync(packed, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.gz')) continue;
    const to = join(dataDir, name.slice(0, -3));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, gunzipSync(readFileSync(join(packed, name))), { mode: 0o600 });
  }
  market = await openMarket(dataDir);
});

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

it('opens with what it had, people and orders among it, and every read model is right', async () => {
  const seller = new Client(market.url);
  const welcome = await seller.call<{ accessToken: string }>(200, 'POST', '/v1/login', {
    businessName: 'Kept Stores',
    password: 'a long enough secret',
  });
  seller.token = welcome.accessToken;
  const { result } = await seller.get<{ result: readonly { prod_id: string }[] }>(
    `/v1/notifications/unread/${known.seller.user_id}`,
  );
  expect(result).toHaveLength(1);
  const shopper = new Client(market.url);
  expect(await orderOf(shopper, known.done)).toMatchObject({ recieved: 'DELIVERED' });
  expect(await orderOf(shopper, known.open)).toMatchObject({ recieved: 'PENDING' });
  expect(await oja(dataDir, ['verify'])).toMatchObject({ code: 0 });
});

it('goes on: what was open is confirmed, and new things are bought', async () => {
  const shopper = new Client(market.url);
  await shopper.call(200, 'PUT', `/v1/buyers/transactions/${known.open}`);
  expect(await orderOf(shopper, known.open)).toMatchObject({ recieved: 'DELIVERED' });
  const goods = await find(shopper, 'kept purse');
  expect(goods).toHaveLength(1);
  const placed = await placeOrder(shopper, goods);
  expect(await verify(shopper, await pay(placed.payAt))).toMatchObject({ ok: true });
  const [erased = ''] = known.contacts;
  const proof = await ojaJson<object>(dataDir, ['erase', '--contact', erased, '--yes']);
  expect(proof).toMatchObject({ keyDestroyed: true, readable: 0 });
});

it('can be imported from what that release has exported', async () => {
  const file = join(folder.path, 'export.ndjson');
  writeFileSync(file, gunzipSync(readFileSync(join(fixtures, 'export.ndjson.gz'))));
  const copy = join(folder.path, 'copy');
  const { added } = await ojaJson<{ added: number }>(copy, ['import', file]);
  expect((await eventStats(copy)).events).toBe(added);
  expect(await ojaJson<object>(copy, ['import', file])).toEqual({ added: 0, known: added });
  expect(await oja(copy, ['verify'])).toMatchObject({ code: 0 });
});
