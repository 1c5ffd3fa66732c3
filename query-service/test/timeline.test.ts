import type { ActDocument } from '@oja/contracts/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { productDocument } from './support/fixtures.js';
import { append, type Market, openMarket } from './support/market.js';
import { read, type Served, serve } from './support/served.js';

let market: Market;
let served: Served;
let token: string;
let admin: string;

beforeAll(async () => {
  market = await openMarket();
  served = await serve(market);
  token = await market.signedIn('s-1');
  admin = await market.signedIn('admin', 'HeadAdminGranted');
});
afterAll(async () => {
  await served.close();
  await market.close();
});

it('shows the newest of a long history, oldest first', async () => {
  for (let n = 1; n <= 1_001; n += 1)
    await market.put('timeline', 'entries', `seller/s-long/e-${n}`, {
      kind: 'seller',
      subject: 's-long',
      eventId: `e-${n}`,
      type: 'PayoutCompleted',
      position: String(n).padStart(20, '0'),
      at: '2026-03-01T10:00:00.000Z',
      actor: 'system',
      text: 'Paid out',
    });
  const { body } = await read(served, 'getTimeline', '/v1/timeline/seller/s-long', admin);
  const { result } = body as { result: { id: string }[] };
  expect([result.length, result[0]?.id, result.at(-1)?.id]).toEqual([1_000, 'e-2', 'e-1001']);
});

it('shows a seller the history of a product that was listed just now, once the catalogue has it', async () => {
  const position = await append(market.eventStore, 'thing-1', [{ type: 'Happened', data: {} }]);
  const headers = {
    Authorization: `Bearer ${token}`,
    'Oja-Position': `${await market.eventStore.logId()}.${position}`,
  };
  await market.moveOn('timeline', position);
  const asked = served.get('/v1/timeline/product/new', headers);
  await market.put('catalogue', 'products', 'new', productDocument({ productId: 'new' }));
  await market.moveOn('catalogue', position);
  const response = await asked;
  expect([response.status, response.headers.get('Oja-Stale')]).toEqual([200, null]);
});

it('shows sellers what happened to them and to their goods, and nothing of others', async () => {
  await market.put('catalogue', 'products', 'own', productDocument({ productId: 'own' }));
  const foreign = productDocument({ productId: 'foreign', sellerId: 's-2' });
  await market.put('catalogue', 'products', 'foreign', foreign);
  await market.put('timeline', 'entries', 'product/own/e-1', {
    kind: 'product',
    subject: 'own',
    eventId: 'e-1',
    type: 'ProductListed',
    position: '00000000000000000001',
    at: '2026-03-01T10:00:00.000Z',
    actor: 'seller:s-1',
    text: 'Listed',
  });
  const status = async (what: string, who: string) =>
    (await read(served, 'getTimeline', `/v1/timeline/${what}`, who)).status;
  expect((await read(served, 'getTimeline', '/v1/timeline/product/own', token)).body).toMatchObject(
    {
      result: [{ id: 'e-1', type: 'ProductListed', text: 'Listed' }],
    },
  );
  expect(await status('seller/s-1', token)).toBe(200);
  for (const what of ['seller/s-2', 'product/foreign', 'product/never', 'transaction/any']) {
    expect(await status(what, token)).toBe(404);
    expect(await status(what, admin)).toBe(200);
  }
  const ended = await market.signedIn('s-ended', 'SubAdminGranted', 'SellerSuspended');
  expect(await status('transaction/any', ended)).toBe(404);
  expect(await status('seller/s-2', ended)).toBe(404);
  expect(await status('seller/s-ended', ended)).toBe(200);
});

it('shows admins, and nobody else, what was done to whom, page by page', async () => {
  const act = (
    n: number,
    kind: 'admin' | 'suspension' | 'payout',
    more: Partial<ActDocument> = {},
  ) =>
    market.put('timeline', 'acts', `act-${n}`, {
      kind: 'seller',
      subject: 's-2',
      eventId: `act-${n}`,
      type: kind === 'admin' ? 'SubAdminGranted' : 'SellerSuspended',
      position: String(n).padStart(20, '0'),
      at: '2026-03-01T10:00:00.000Z',
      actor: 'seller:admin',
      text: kind === 'admin' ? 'Made an admin' : 'Suspended',
      act: kind,
      sellerId: null,
      amount: null,
      ...more,
    });
  await act(1, 'suspension');
  await act(2, 'admin');
  await act(3, 'suspension');
  const ask = async (query: string, who = admin) =>
    read(served, 'getAudit', `/v1/admin/audit${query}`, who);
  const { body } = await ask('?limit=2');
  expect(body).toMatchObject({
    result: [
      {
        ...{ id: 'act-3', act: 'suspension', about: 'seller', subject: 's-2', text: 'Suspended' },
        ...{ seller: null, amount: null },
      },
      { id: 'act-2', act: 'admin' },
    ],
  });
  const { nextCursor } = body as { nextCursor: string };
  expect((await ask(`?limit=2&cursor=${encodeURIComponent(nextCursor)}`)).body).toMatchObject({
    result: [{ id: 'act-1' }],
    nextCursor: null,
  });
  expect((await ask('?act=admin')).body).toMatchObject({ result: [{ id: 'act-2' }] });
  const [actor, text] = ['operator:Chidi O.', 'Recorded as paid: paid in cash'];
  await act(4, 'payout', {
    ...{ kind: 'transaction', subject: 'o-1', type: 'PayoutCompleted', actor, text },
    ...{ sellerId: 's-2', amount: 1_400_050 },
  });
  expect((await ask('?act=payout')).body).toMatchObject({
    result: [
      { id: 'act-4', about: 'transaction', subject: 'o-1', seller: 's-2', amount: 14_000.5, actor },
    ],
    nextCursor: null,
  });
  expect((await ask('?cursor=of-another-list')).status).toBe(400);
  expect((await ask('', token)).status).toBe(403);
});
