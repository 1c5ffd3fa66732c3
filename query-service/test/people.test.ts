import type {
  PayoutDocument,
  SaleDocument,
  ShareStatus,
  SoldDayDocument,
} from '@oja/contracts/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  commentDocument,
  noticeDocument,
  ORDER_ID,
  payoutDocument,
  saleDocument,
  sellerDocument,
} from './support/fixtures.js';
import { type Market, openMarket } from './support/market.js';
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
  const staff = { isAdmin: true, isStaff: true, registeredAt: '2026-01-01T00:00:00.000Z' };
  for (const [id, change] of [
    ['s-1', {}],
    ['gone', { erased: true, isSubAdmin: true, isStaff: true }],
    ['admin', staff],
  ] as const) {
    await market.put('sellers', 'sellers', id, await sellerDocument(market.sealer, id, change));
  }
  await market.keys.destroy('seller:gone');
});
afterAll(async () => {
  await served.close();
  await market.close();
});

it('shows sellers themselves', async () => {
  const { body } = await read(served, 'singleUser', '/v1/user/single-user', token);
  expect(body).toMatchObject({
    result: [
      { user_id: 's-1', userId: 's-1', name: 'Name of s-1', phone_1: '08030000000', is_admin: 0 },
    ],
  });
});

it('shows admins everybody, without what can no longer be read', async () => {
  const { body } = await read(served, 'getAllUsers', '/v1/user/getAllUsers', admin);
  expect(body).toMatchObject({
    result: [
      { user_id: 'gone', name: null, phone_1: null, erased: 1 },
      { user_id: 's-1', name: 'Name of s-1' },
      { user_id: 'admin', is_admin: 1 },
    ],
  });
});

it('shows admins everybody page by page, if they ask for it', async () => {
  const page = async (query: string) => {
    const path = `/v1/user/getAllUsers?limit=2${query}`;
    const { result, nextCursor } = (await read(served, 'getAllUsers', path, admin)).body as {
      readonly result: readonly { readonly user_id: string }[];
      readonly nextCursor: string | null;
    };
    return { ids: result.map(({ user_id }) => user_id), next: nextCursor };
  };
  const first = await page('');
  expect(first.ids).toEqual(['gone', 's-1']);
  expect(await page(`&cursor=${first.next}`)).toEqual({ ids: ['admin'], next: null });
  expect((await read(served, 'getAllUsers', '/v1/user/getAllUsers', admin)).body).toMatchObject({
    nextCursor: null,
  });
});

it('counts sellers and admins, but nobody who was erased', async () => {
  const { body } = await read(served, 'adminOverview', '/v1/admin/overview', admin);
  expect(body).toMatchObject({
    totalSellers: 1,
    totalAdmins: 1,
    money: { cash: 0, balanced: true },
  });
});

it('shows a payout account once there is one', async () => {
  const asked = () => read(served, 'getPayoutAccount', '/v1/user/payout-account', token);
  expect((await asked()).body).toMatchObject({ account: null });
  const payoutAccount = await market.sealer.seal('seller:s-1', 'seller-s-1', {
    accountName: 'Bola Ade',
    accountNumber: '0123456789',
    bankCode: '058',
  });
  const document = await sellerDocument(market.sealer, 's-1', { payoutAccount });
  await market.put('sellers', 'sellers', 's-1', document);
  expect((await asked()).body).toMatchObject({
    account: { account_name: 'Bola Ade', account_number: '0123456789', bank_code: '058' },
  });
});

it('shows where letters go to its owner, and a code that is under way until it is too old', async () => {
  const asked = async () => (await read(served, 'userLetters', '/v1/user/letters', token)).body;
  expect(await asked()).toEqual({ success: true, email: null, on: false, asked: null });
  const sealed = (email: string) =>
    market.sealer.seal('seller:s-1', 'seller-s-1', { email, code: '123456' });
  const [confirmed, waiting] = [await sealed('bola@example.com'), await sealed('new@example.com')];
  const standing = async (minutes: number, lettersSince: string | null) => {
    const at = new Date(market.clock.now() - minutes * 60_000).toISOString();
    const letters = { asks: 2, asked: { ...waiting, at }, email: confirmed.email, left: [] };
    const document = await sellerDocument(market.sealer, 's-1', { letters, lettersSince });
    await market.put('sellers', 'sellers', 's-1', document);
    return asked();
  };
  expect(await standing(29, '2026-03-01T00:00:00.000Z')).toMatchObject({
    email: 'bola@example.com',
    on: true,
    asked: { email: 'new@example.com', ends_at: expect.any(String) },
  });
  expect(await standing(30, null)).toMatchObject({ on: false, asked: null });
});

it('tells sellers what they have earned', async () => {
  const asked = () => read(served, 'userEarnings', '/v1/user/earnings', token);
  expect((await asked()).body).toMatchObject({ result: { held: 0, payable: 0, paid_out: 0 } });
  await market.put('ledger', 'earnings', 's-1', {
    sellerId: 's-1',
    held: 150,
    payable: 200,
    paidOut: 0,
  });
  expect((await asked()).body).toMatchObject({ result: { held: 1.5, payable: 2, paid_out: 0 } });
});

it('shows sellers what was ordered of them and paid, and nobody else’s', async () => {
  const order = (change: Partial<SaleDocument>) => {
    const document = saleDocument(change);
    const id = `${document.sellerId}/${document.transactionId}`;
    return market.put('sales', 'sales', id, document);
  };
  await order({ transactionId: 'aaaaaaaa-1', paidAt: '2026-03-01T10:00:00.000Z' });
  await order({
    transactionId: 'bbbbbbbb-2',
    paidAt: '2026-03-02T10:00:00.000Z',
    status: 'released',
  });
  await order({ transactionId: 'cccccccc-3', paid: false, paidAt: '' });
  await order({ transactionId: 'dddddddd-4', sellerId: 's-2' });

  const all = await read(served, 'userOrders', '/v1/user/orders', token);
  expect(all.body).toMatchObject({
    result: [{ number: 'BBBBBBBB', share: 20_000 }, { number: 'AAAAAAAA' }],
    total: 2,
    counts: { held: 1, released: 1, disputed: 0 },
    nextCursor: null,
  });
  const held = await read(served, 'userOrders', '/v1/user/orders?status=held', token);
  expect(held.body).toMatchObject({ result: [{ number: 'AAAAAAAA' }], total: 1 });
  const found = await read(served, 'userOrders', '/v1/user/orders?find=bbbb', token);
  expect(found.body).toMatchObject({ result: [{ number: 'BBBBBBBB' }], total: 1 });
  // Both are true while something is looked for: what the list holds, and what still has to be packed.
  expect(found.body).toMatchObject({ counts: { held: 0, released: 1 }, to_hand_over: 1 });
  expect(all.body).toMatchObject({ to_hand_over: 1 });
  const totalOf = async (find: string) =>
    (await read(served, 'userOrders', `/v1/user/orders?find=${find}`, token)).body;
  expect(await totalOf('bb')).toMatchObject({ total: 1, counts: { held: 0, released: 1 } });
  expect(await totalOf('tv')).toMatchObject({ total: 0 });
  expect(await totalOf('b')).toMatchObject({ total: 1 });
  expect(await totalOf('%20')).toMatchObject({ total: 2 });
  const first = await read(served, 'userOrders', '/v1/user/orders?limit=1', token);
  expect(first.body).toMatchObject({ result: [{ number: 'BBBBBBBB' }], total: 2 });
  const cursor = encodeURIComponent(String(Object(first.body).nextCursor));
  const second = await read(
    served,
    'userOrders',
    `/v1/user/orders?limit=1&cursor=${cursor}`,
    token,
  );
  expect(second.body).toMatchObject({ result: [{ number: 'AAAAAAAA' }] });

  const own = await read(served, 'userOrder', '/v1/user/orders/aaaaaaaa-1', token);
  expect(own.body).toMatchObject({ result: { number: 'AAAAAAAA', history: [{ text: 'Paid' }] } });
  for (const id of ['cccccccc-3', 'dddddddd-4', 'nobodys']) {
    const { status } = await served.get(`/v1/user/orders/${id}`, {
      Authorization: `Bearer ${token}`,
    });
    expect(status).toBe(404);
  }
});

it.each<[string, readonly string[], true | undefined]>([
  ['none', [], undefined],
  ['an open one', ['PaymentDisputed'], true],
  ['a closed one', ['PaymentDisputed', 'PaymentDisputeClosed'], undefined],
  ['one of two closed', ['PaymentDisputed', 'PaymentDisputed', 'PaymentDisputeClosed'], true],
  ['one after another was closed unheard', ['PaymentDisputeClosed', 'PaymentDisputed'], true],
])('tells sellers whether a bank disputes the payment of an order: %s', async (_, types, told) => {
  const steps = types.map((type) => ({ type, at: '2026-03-01T10:00:00.000Z', text: type }));
  const transactionId = 'eeeeeeee-5';
  const document = saleDocument({ transactionId, status: 'released', steps });
  await market.put('sales', 'sales', `s-1/${transactionId}`, document);
  const { body } = await read(served, 'userOrder', `/v1/user/orders/${transactionId}`, token);
  expect(Object(body).result.bank_disputed).toBe(told);
});

it('shows sellers what was paid out to them, page by page, and nobody else’s', async () => {
  const payout = (id: string, change: Partial<PayoutDocument>) =>
    market.put('income', 'payouts', id, payoutDocument(change));
  await payout('one', {
    requestedAt: '2026-02-01T10:00:00.000Z',
    status: 'failed',
    reason: 'bank',
  });
  await payout('two', { requestedAt: '2026-02-02T10:00:00.000Z' });
  await payout('others', { sellerId: 's-2' });
  const ask = (query = '') => read(served, 'userPayouts', `/v1/user/payouts${query}`, token);
  expect((await ask()).body).toMatchObject({ paid_out: { month: 0, year: 0, all: 0 } });
  await market.put('income', 'paidOut', 's-1', {
    months: [
      { month: '2025-12', amount: 100 },
      { month: '2026-02', amount: 1_000 },
      { month: '2026-03', amount: 10_050 },
    ],
  });
  const all = await ask();
  expect(all.body).toMatchObject({
    result: [
      { payout_id: 'two', number: ORDER_ID.slice(0, 8).toUpperCase(), amount: 20_000 },
      { payout_id: 'one', status: 'failed', reason: 'bank' },
    ],
    paid_out: { month: 100.5, year: 110.5, all: 111.5 },
    nextCursor: null,
  });
  const newest = await ask('?limit=1');
  expect(newest.body).toMatchObject({ result: [{ payout_id: 'two' }] });
  const cursor = encodeURIComponent(String(Object(newest.body).nextCursor));
  expect((await ask(`?limit=1&cursor=${cursor}`)).body).toMatchObject({
    result: [{ payout_id: 'one' }],
  });
  expect((await ask('?cursor=of-another-list')).status).toBe(400);
});

it('says to which account a payout went, as far as that was kept and can be read', async () => {
  const account = await market.sealer.seal('seller:s-1', `transaction-${ORDER_ID}`, {
    accountEnd: '6789',
    bankName: 'Zenith Bank',
  });
  await market.put('income', 'payouts', 'to-bank', payoutDocument({ account }));
  await market.put(
    'income',
    'payouts',
    'of-old',
    payoutDocument({ requestedAt: '2026-02-01T10:00:00.000Z' }),
  );
  const ask = async () =>
    Object(await read(served, 'userPayouts', '/v1/user/payouts', token)).body.result.map(
      ({ payout_id, account }: { payout_id: string; account: object | null }) => [
        payout_id,
        account,
      ],
    );
  expect(Object.fromEntries(await ask())).toMatchObject({
    'to-bank': { ends_in: '6789', bank_name: 'Zenith Bank' },
    'of-old': null,
  });
});

it('says of a payout whether its money is still owed', async () => {
  const order = (transactionId: string, ...statuses: readonly ShareStatus[]) =>
    market.put('income', 'orders', transactionId, {
      paidOn: '2026-02-01',
      shares: statuses.map((status, place) => ({ sellerId: `s-${place + 1}`, status })),
      lines: [],
    });
  await order('to-be-paid', 'released', 'paid-out');
  await order('paid-since', 'paid-out', 'released');
  await order('taken-back', 'refunded', 'released');
  const orders = ['to-be-paid', 'paid-since', 'taken-back', 'unknown'];
  for (const transactionId of orders)
    await market.put('income', 'payouts', `of-${transactionId}`, {
      ...payoutDocument({ status: 'failed', reason: 'bank' }),
      transactionId,
    });
  const { body } = await read(served, 'userPayouts', '/v1/user/payouts', token);
  const owed = Object(body)
    .result.filter((payout: { transaction_id: string }) => orders.includes(payout.transaction_id))
    .map((payout: { transaction_id: string; owed: boolean }) => [
      payout.transaction_id,
      payout.owed,
    ]);
  expect(Object.fromEntries(owed)).toEqual({
    'to-be-paid': true,
    'paid-since': false,
    'taken-back': false,
    unknown: false,
  });
});

it('shows sellers what they sold, up to today in Lagos, by the day or the month, and the best first', async () => {
  const day = (id: string, ...products: SoldDayDocument['products']) =>
    market.put('income', 'days', id, {
      orders: 1,
      sum: products.reduce((total, { sum }) => total + sum, 0),
      products,
    });
  const tote = { productId: 'p-1', name: 'Ankara tote', pieces: 2, sum: 2_000_000 };
  const cap = { productId: 'p-2', name: 'Fila cap', pieces: 3, sum: 450_000 };
  await day('s-1/2026-03-20', { ...tote, name: 'Ankara tote bag' }, cap);
  await day('s-1/2026-02-19', tote);
  await day('s-1/2026-02-18', tote);
  await day('s-1/2025-04-01', tote);
  await day('s-1/2025-03-31', tote);
  await day('s-2/2026-03-20', tote);
  const ask = (query = '') => read(served, 'userSales', `/v1/user/sales${query}`, token);
  const { body } = await ask();
  const { steps, ...rest } = Object(body).result;
  expect(rest).toEqual({
    sum: 44_500,
    orders: 2,
    products: [
      { product_id: 'p-1', prod_name: 'Ankara tote bag', pieces: 4, sum: 40_000 },
      { product_id: 'p-2', prod_name: 'Fila cap', pieces: 3, sum: 4_500 },
    ],
  });
  expect(steps).toHaveLength(30);
  expect(steps.at(0)).toEqual({ from: '2026-02-19', orders: 1, sum: 20_000 });
  expect(steps.at(1)).toEqual({ from: '2026-02-20', orders: 0, sum: 0 });
  expect(steps.at(-1)).toEqual({ from: '2026-03-20', orders: 1, sum: 24_500 });
  expect(Object((await ask('?period=7-days')).body).result).toMatchObject({ orders: 1 });
  const year = Object((await ask('?period=12-months')).body).result;
  expect(year).toMatchObject({ orders: 4, sum: 84_500 });
  expect(year.steps).toHaveLength(12);
  expect(year.steps.at(0)).toEqual({ from: '2025-04-01', orders: 1, sum: 20_000 });
  expect(year.steps.at(-2)).toEqual({ from: '2026-02-01', orders: 2, sum: 40_000 });
  expect((await ask('?period=for-ever')).status).toBe(400);
});

it('lists unread notices with the position up to which they may be cleared', async () => {
  const path = '/v1/notifications/unread/s-1';
  expect((await read(served, 'unreadNotifications', path, token)).body).toMatchObject({
    result: [],
    position: null,
  });
  await market.put('notifications', 'items', 's-1/one', noticeDocument());
  const later = noticeDocument({ position: '00000000000000000009' });
  await market.put('notifications', 'items', 's-1/two', later);
  const released = noticeDocument({
    eventId: 'released',
    type: 'SellerShareReleased',
    message: '₦20,000 released to you: Bag, Shoe',
    position: '00000000000000000008',
  });
  await market.put('notifications', 'items', 's-1/released', released);
  const { body } = await read(served, 'unreadNotifications', path, token);
  expect(body).toMatchObject({
    news: [{ id: 'released', message: released.message, transaction_id: ORDER_ID }],
    result: [{}, { message: 'New order for:Bag,Shoe', prod_id: ':p-1,p-2', quantity: ':1,2' }],
    position: `${await market.eventStore.logId()}.00000000000000000009`,
  });
  const others = await read(served, 'unreadNotifications', '/v1/notifications/unread/admin', token);
  expect(others.status).toBe(404);
});

it('shows comments, newest first, and how many gave each number of stars', async () => {
  expect((await read(served, 'getRatings', '/v1/ratings')).body).toMatchObject({
    result: [{ bar1: 0, bar5: 0 }],
  });
  await market.put('reviews', 'comments', 'r-1', commentDocument());
  const later = commentDocument({ reviewId: 'r-2', position: '00000000000000000002' });
  await market.put('reviews', 'comments', 'r-2', later);
  await market.put('reviews', 'ratings', 'all', { bar1: 0, bar2: 0, bar3: 1, bar4: 0, bar5: 2 });
  expect((await read(served, 'getComments', '/v1/comments')).body).toMatchObject({
    result: [
      { comment_id: 'r-2' },
      { comment_id: 'r-1', businessName: null, comment_text: 'Fine goods' },
    ],
  });
  expect((await read(served, 'getRatings', '/v1/ratings')).body).toMatchObject({
    result: [{ bar3: 1, bar5: 2 }],
  });
});
