import { ACCESS_TOKEN_SECONDS } from '@oja/platform';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sellerDocument } from './support/fixtures.js';
import { append, type Market, openMarket } from './support/market.js';
import { read, type Served, serve } from './support/served.js';

let market: Market;
let served: Served;

beforeAll(async () => {
  market = await openMarket();
  served = await serve(market);
  for (const id of ['plain', 'suspended', 'sub', 'head', 'leaver']) {
    await market.put('sellers', 'sellers', id, await sellerDocument(market.sealer, id));
  }
});
afterAll(async () => {
  await served.close();
  await market.close();
});

const own = '/v1/user/single-user';
const staff = '/v1/user/getAllUsers';
const status = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await served.get(path, headers)).status;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

it('asks for a login where nobody says who they are', async () => {
  expect(await status(own)).toBe(401);
});

it.each(['Bearer', 'Bearer a.b.c', 'Basic Zm9vOmJhcg==', 'Bearer a b'])(
  'does not know the holder of the header %s',
  async (header) => {
    expect(await status(own, { Authorization: header })).toBe(401);
  },
);

it('knows a seller, and keeps them from what admins read', async () => {
  const token = await market.signedIn('plain');
  expect((await read(served, 'singleUser', own, token)).status).toBe(200);
  expect(await status(staff, bearer(token))).toBe(403);
});

it('lets a suspended seller look', async () => {
  const token = await market.signedIn('suspended', 'SellerSuspended');
  expect(await status(own, bearer(token))).toBe(200);
});

it('reads rights from the stream: a sub-admin and a head admin see all users', async () => {
  const sub = await market.signedIn('sub', 'SubAdminGranted');
  const head = await market.signedIn('head', 'HeadAdminGranted');
  expect(await status(staff, bearer(sub))).toBe(200);
  expect(await status(staff, bearer(head))).toBe(200);
});

it('reads the long stream of a seller once, and from then on only what is new in it', async () => {
  const token = await market.signedIn('plain-2');
  const many = Array.from({ length: 150 }, () => ['SubAdminGranted', 'SubAdminRevoked']).flat();
  const data = { sellerId: 'plain-2', by: 'operator' };
  const events = many.map((type) => ({ type, data }));
  await append(market.eventStore, 'seller-plain-2', events, 0);
  const reading = vi.spyOn(market.eventStore, 'readStream');
  const begins = () => reading.mock.calls.map(([, options]) => options?.from ?? 0);
  expect(await status(staff, bearer(token))).toBe(403);
  expect(await status(staff, bearer(token))).toBe(403);
  expect(begins()).toEqual([0, events.length + 1]);
  await append(market.eventStore, 'seller-plain-2', events.slice(0, 1), events.length);
  expect(await status(staff, bearer(token))).toBe(200);
  reading.mockRestore();
});

it('tells an ended session from one that was never there no differently', async () => {
  const token = await market.signedIn('leaver');
  expect(await status(own, bearer(token))).toBe(200);
  await market.sessions.endAll('leaver', market.clock.now());
  expect(await status(own, bearer(token))).toBe(401);
});

it('says that a token has expired, with the status that makes a browser refresh it', async () => {
  const { session } = await market.sessions.start('plain', market.clock.now());
  const old = market.clock.now() - (ACCESS_TOKEN_SECONDS + 1) * 1_000;
  const token = await market.accessTokens.issue({ subject: 'plain', session }, old);
  const response = await served.get(own, bearer(token));
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    success: false,
    message: expect.stringContaining('Your session has expired'),
  });
});

it('knows nobody whose stream is empty', async () => {
  const { session } = await market.sessions.start('ghost', market.clock.now());
  const token = await market.accessTokens.issue({ subject: 'ghost', session }, market.clock.now());
  expect(await status(own, bearer(token))).toBe(401);
});

it('answers an open call also to a token that is no good', async () => {
  expect(await status('/v1/settings', bearer('nonsense'))).toBe(200);
});
