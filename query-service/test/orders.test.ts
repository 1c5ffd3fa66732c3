import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ORDER_ID, SECRET, transactionDocument } from './support/fixtures.js';
import { type Market, openMarket } from './support/market.js';
import { read, type Served, serve } from './support/served.js';

const OTHER = '6f0c7a52-7d0e-4c83-9b7c-2f5b7a0d9e42';
const OTHER_SECRET = 'zyxwvutsrqponmlkjihgf_';
const UNPAID = '7f0c7a52-7d0e-4c83-9b7c-2f5b7a0d9e43';
const GONE = '8f0c7a52-7d0e-4c83-9b7c-2f5b7a0d9e44';
const TWICE = '5d0c7a52-7d0e-4c83-9b7c-2f5b7a0d9e46';
const RETURNED = '9f0c7a52-7d0e-4c83-9b7c-2f5b7a0d9e45';

let market: Market;
let served: Served;
let admin: string;
let seller: string;
let suspended: string;

beforeAll(async () => {
  market = await openMarket();
  served = await serve(market);
  admin = await market.signedIn('admin', 'SubAdminGranted');
  seller = await market.signedIn('s-1');
  suspended = await market.signedIn('ended', 'SubAdminGranted', 'SellerSuspended');
  const { complaint, secret: ofOther } = await market.sealer.seal(
    `transaction:${OTHER}`,
    `transaction-${OTHER}`,
    { complaint: 'It never came', secret: OTHER_SECRET },
  );
  const plain = await transactionDocument(market.sealer);
  const [first, second] = plain.shares;
  if (first === undefined || second === undefined) throw new Error('an order of two sellers');
  const aside = {
    refundId: 'r-1',
    of: 'held-aside',
    sellerId: null,
    amount: 3_530_000,
    currency: 'NGN',
    status: 'completed',
  } as const;
  const documents = [
    plain,
    await transactionDocument(market.sealer, {
      transactionId: OTHER,
      secret: ofOther,
      received: 'DISPUTED',
      deliveredAt: '2026-03-06T10:00:00.000Z',
      unconfirmed: false,
      placedAt: '2026-03-05T10:00:00.000Z',
      shares: [{ ...first, status: 'disputed', complaint }, second],
    }),
    await transactionDocument(market.sealer, {
      transactionId: UNPAID,
      status: 'pending',
      paidAt: null,
      unconfirmed: false,
    }),
    await transactionDocument(market.sealer, {
      transactionId: RETURNED,
      status: 'pending',
      paidAt: null,
      unconfirmed: false,
      refunds: [aside],
    }),
    // Removed, so that it is in no list of the other tests.
    await transactionDocument(market.sealer, {
      transactionId: TWICE,
      removed: true,
      unconfirmed: false,
      refunds: [aside],
    }),
    await transactionDocument(market.sealer, {
      transactionId: GONE,
      removed: true,
      unconfirmed: false,
    }),
  ];
  for (const one of documents) {
    await market.put('transactions', 'transactions', one.transactionId, one);
  }
  await market.keys.destroy(`transaction:${GONE}`);
});
afterAll(async () => {
  await served.close();
  await market.close();
});

it('opens an order to whoever holds its secret', async () => {
  const key = `${ORDER_ID}.${SECRET}`;
  const { status, body } = await read(served, 'getOrder', `/v1/orders/${key}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    order: {
      transactionId: key,
      status: 'success',
      recieved: 'PENDING',
      amount: 35_300,
      delivery_fee: 800,
      may_report_problem: true,
      report_from: '2026-03-03T10:00:00.000Z',
      email_hint: expect.stringMatching(/^.•••@[^@]+$/),
      lines: [{ prod_name: 'Ankara tote', quantity: 2 }, { prod_name: 'Wax shoe' }],
      shares: [{ share: 23_000 }, { share: 11_500 }],
    },
  });
  expect(JSON.stringify(body)).not.toMatch(/Ada|Market Road|0803/);
});

it.each([
  ['another secret', `${ORDER_ID}.${'x'.repeat(22)}`],
  ['the secret of another order', `${OTHER}.${SECRET}`],
  ['an order nobody knows', `${ORDER_ID.replace('5f', '0f')}.${SECRET}`],
  ['an order whose key is gone', `${GONE}.${SECRET}`],
  ['the id alone', ORDER_ID],
  ['a secret that is too short', `${ORDER_ID}.abc`],
])('opens nothing to %s', async (_, key) => {
  expect((await served.get(`/v1/orders/${key}`)).status).toBe(404);
});

it('opens each order with its own secret', async () => {
  const { body } = await read(served, 'getOrder', `/v1/orders/${OTHER}.${OTHER_SECRET}`);
  expect(body).toMatchObject({ order: { recieved: 'DISPUTED' } });
});

it('tells when its buyer has confirmed it, and nothing of that where they have not', async () => {
  const { body: other } = await read(served, 'getOrder', `/v1/orders/${OTHER}.${OTHER_SECRET}`);
  expect(other).toMatchObject({ order: { delivered_at: '2026-03-06T10:00:00.000Z' } });
  const { body } = await read(served, 'getOrder', `/v1/orders/${ORDER_ID}.${SECRET}`);
  expect(body).not.toHaveProperty('order.delivered_at');
});

it('tells of an order whether a payment for it went back, also of one that is paid', async () => {
  const returnedOf = async (id: string) => {
    const { body } = await read(served, 'getOrder', `/v1/orders/${id}.${SECRET}`);
    return body;
  };
  for (const id of [RETURNED, TWICE])
    expect(await returnedOf(id)).toMatchObject({ order: { payment_returned: true } });
  for (const id of [UNPAID, ORDER_ID])
    expect(await returnedOf(id)).not.toMatchObject({ order: { payment_returned: true } });
});

it('offers to report a problem from 48 hours after the payment', async () => {
  const then = market.clock.time;
  const from = Date.parse('2026-03-03T10:00:00.000Z');
  for (const [time, isOffered] of [
    [from - 1, false],
    [from, true],
  ] as const) {
    market.clock.time = time;
    const { body } = await read(served, 'getOrder', `/v1/orders/${ORDER_ID}.${SECRET}`);
    expect(body).toMatchObject({ order: { may_report_problem: isOffered } });
  }
  market.clock.time = then;
});

it('lists to admins what was paid and not removed, newest first, as the user spells it', async () => {
  const { body } = await read(served, 'getTransactions', '/v1/buyers/transactions', admin);
  expect(body).toMatchObject({
    ok: true,
    nextCursor: null,
    result: [
      {
        transaction_id: OTHER,
        recieved: 'DISPUTED',
        shares: [{ complaint: 'It never came' }, { user_id: 's-2' }],
      },
      {
        transaction_id: ORDER_ID,
        buyer_id: ORDER_ID,
        buyer_name: 'Ada Obi',
        email: 'ada@example.com',
        home_address: '1 Market Road',
        phone_number: '08031111111',
        product_ids: 'p-1,p-2',
        quantities: '2,1',
        prices: '11500,11500',
        user_ids: 's-1,s-2',
        amount: 35_300,
      },
    ],
  });
});

it('lists them in pages for whoever asks for pages', async () => {
  const page = async (query: string) =>
    (await read(served, 'getTransactions', `/v1/buyers/transactions${query}`, admin)).body as {
      result: { transaction_id: string }[];
      nextCursor: string | null;
    };
  const first = await page('?limit=1');
  expect(first.result.map((one) => one.transaction_id)).toEqual([OTHER]);
  const second = await page(`?limit=1&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  expect(second.result.map((one) => one.transaction_id)).toEqual([ORDER_ID]);
  expect(second.nextCursor).toBeNull();
});

it('lists hundreds without reading them all at once, which would keep everybody else waiting', async () => {
  const many = await openMarket();
  const service = await serve(many);
  const one = await transactionDocument(many.sealer);
  const ids = Array.from(
    { length: 600 },
    (_, at) => `${String(at).padStart(8, '0')}${ORDER_ID.slice(8)}`,
  );
  for (const [at, transactionId] of ids.entries()) {
    const placedAt = new Date(Date.parse('2026-03-01T10:00:00.000Z') - at * 1_000).toISOString();
    await many.put('transactions', 'transactions', transactionId, {
      ...one,
      transactionId,
      placedAt,
    });
  }
  const find = vi.spyOn(many.documents, 'find');
  const by = await many.signedIn('admin', 'SubAdminGranted');
  const list = async (query: string) => {
    const { body } = await read(service, 'getTransactions', `/v1/buyers/transactions${query}`, by);
    const { result, nextCursor } = body as {
      result: { transaction_id: string }[];
      nextCursor: string | null;
    };
    return { listed: result.map(({ transaction_id }) => transaction_id), nextCursor };
  };
  expect(await list('')).toEqual({ listed: ids, nextCursor: null });
  expect(Math.max(...find.mock.calls.map(([, { limit = Infinity }]) => limit))).toBeLessThanOrEqual(
    250,
  );
  const first = await list('?limit=550');
  expect(first.listed).toEqual(ids.slice(0, 550));
  const cursor = encodeURIComponent(first.nextCursor ?? '');
  expect(await list(`?limit=550&cursor=${cursor}`)).toEqual({
    listed: ids.slice(550),
    nextCursor: null,
  });
  await service.close();
  await many.close();
});

it('shows one transaction, without what can no longer be read', async () => {
  const { body } = await read(served, 'getTransaction', `/v1/transactions/${GONE}`, admin);
  expect(body).toMatchObject({ result: { buyer_name: null, email: null, home_address: null } });
  expect((await read(served, 'getTransaction', '/v1/transactions/none', admin)).status).toBe(404);
});

it.each([
  ['/v1/buyers/transactions'],
  [`/v1/transactions/${ORDER_ID}`],
  ['/v1/admin/overview'],
  ['/v1/user/getAllUsers'],
  ['/v1/admin/audit'],
])('shows %s to admins, but to no seller and to no suspended admin', async (path) => {
  const as = async (token: string) =>
    (await served.get(path, { Authorization: `Bearer ${token}` })).status;
  expect(await as(admin)).toBe(200);
  expect(await as(seller)).toBe(403);
  expect(await as(suspended)).toBe(403);
});

it('adds the money up, and lists disputes and what waits too long', async () => {
  const accounts = {
    cash: 95_000,
    held: 60_000,
    payable: 20_000,
    paidOut: 0,
    house: 15_000,
    refundsDue: 4_000,
    heldAside: 1_000,
    providerFees: 3_000,
    losses: 2_000,
    balanced: true,
  };
  await market.put('ledger', 'accounts', 'all', accounts);
  const { body } = await read(served, 'adminOverview', '/v1/admin/overview', admin);
  const { money, disputes, unconfirmed } = body as {
    money: { cash: number; accounts: { amount: number }[]; balanced: boolean };
    disputes: { transaction_id: string }[];
    unconfirmed: { transaction_id: string }[];
  };
  expect(money.accounts.reduce((sum, { amount }) => sum + amount, 0)).toBe(money.cash);
  expect(money.cash).toBe(1_000);
  expect(disputes.map((one) => one.transaction_id)).toEqual([OTHER]);
  expect(unconfirmed.map((one) => one.transaction_id)).toEqual([ORDER_ID]);
});

it('of what needs a person it names the ten oldest, and says how many there are', async () => {
  const disputed = Array.from({ length: 12 }, (_, n) =>
    transactionDocument(market.sealer, {
      transactionId: `d-${n}`,
      received: 'DISPUTED',
      unconfirmed: false,
      placedAt: `2026-02-${28 - n}T10:00:00.000Z`,
    }),
  );
  for (const one of await Promise.all(disputed)) {
    await market.put('transactions', 'transactions', one.transactionId, one);
  }
  const { body } = await read(served, 'adminOverview', '/v1/admin/overview', admin);
  const { disputes, waiting } = body as {
    disputes: { transaction_id: string }[];
    waiting: { disputes: number; unconfirmed: number };
  };
  expect(disputes.map((one) => one.transaction_id)).toEqual(
    Array.from({ length: 10 }, (_, n) => `d-${11 - n}`),
  );
  expect(waiting).toEqual({ disputes: 13, unconfirmed: 1 });
});
