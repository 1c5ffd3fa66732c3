import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../../test/support/client.js';
import { freePort, type Market, openMarket, temporaryFolder } from '../../test/support/market.js';
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
let untouched: ReturnType<typeof bytesAndTimes>;

/** Of the folder and of everything in it. */
const bytesAndTimes = () =>
  ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })].sort().map((name) => {
    const file = statSync(join(dataDir, name));
    const bytes = file.isDirectory() ? '' : readFileSync(join(dataDir, name)).toString('base64');
    return { name, bytes, time: file.mtimeMs };
  });

const plan = async (...options: readonly string[]) =>
  oja(dataDir, ['start', '--plan', ...options], { PORT: `${await freePort()}`, OJA_DEMO: '1' });

beforeAll(async () => {
  const packed = join(fixtures, 'market');
  for (const name of readdirSync(packed, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.gz')) continue;
    const to = join(dataDir, name.slice(0, -3));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, gunzipSync(readFileSync(join(packed, name))), { mode: 0o600 });
  }
  untouched = bytesAndTimes();
});

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

it('says before it is opened what a start would change, and changes nothing', async () => {
  const { code, text } = await plan('--json');
  expect(code).toBe(0);
  const told = JSON.parse(text);
  const spare = expect.any(Number);
  expect(told).toMatchObject({ refusal: null, format: 1, filesMade: [], spare });
  const models: readonly Record<string, unknown>[] = told.readModels;
  const of = (name: string) => models.find(({ projection }) => projection === name);
  // Its documents are of another form since, or there was none of it; none is as it was.
  for (const name of ['catalogue', 'reviews'])
    expect(of(name)).toMatchObject({ others: [1], goes: 'anew', bytes: expect.any(Number) });
  expect(of('sales')).toMatchObject({ others: [], goes: 'anew', bytes: null });
  expect(bytesAndTimes()).toEqual(untouched);
});

it('says in the words of the start why it would not open, and changes nothing', async () => {
  const [keys, marker] = [join(dataDir, 'keys.db'), join(dataDir, 'oja-data.json')];
  const kept = [keys, marker].map((file) => [file, readFileSync(file)] as const);
  // As a release since then has it, which notes what was made here.
  const noted = { ...JSON.parse(readFileSync(marker, 'utf8')), files: ['keys.db'] };
  writeFileSync(marker, JSON.stringify(noted));
  rmSync(keys);
  const before = bytesAndTimes();
  const planned = await plan();
  const after = bytesAndTimes();
  const started = await oja(dataDir, ['start'], { PORT: `${await freePort()}`, OJA_DEMO: '1' });
  for (const [file, bytes] of kept) writeFileSync(file, bytes, { mode: 0o600 });
  expect(after).toEqual(before);
  expect(planned.code).toBe(78);
  expect(planned.text).toContain(`keys.db is missing from ${dataDir}`);
  expect(started).toMatchObject({ code: 78, lines: planned.lines });
});

it('is planned while it runs, and is not opened twice', async () => {
  market = await openMarket(dataDir);
  const { code, lines } = await plan();
  expect(code).toBe(78);
  expect(lines.at(-1)).toMatch(/^A market runs on the folder /);
  expect(lines.join('\n')).toMatch(/ {2}sales v\d+: goes on, /);
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
