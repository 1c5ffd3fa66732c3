import { emailCodes } from '@oja/domain/rules';
import { createRateLimiter, type RateRule } from '@oja/http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aBag, type Market, openMarket, person, pictures } from './support/market.js';

let market: Market;
beforeAll(async () => {
  market = await openMarket({ demo: false });
});
afterAll(() => market.close());

const from = (address: string) => ({ 'X-Forwarded-For': address });

const MINUTE = 60_000;
const DAY = 86_400_000;
const nobodys = `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.${'0'.repeat(22)}`;
const subscription = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/one',
  expirationTime: null,
  keys: { p256dh: 'p', auth: 'a' },
};

type Limited = readonly [
  call: string,
  rule: RateRule,
  request: string,
  body?: (i: number, sellerId: string) => object,
];
const rule = (name: string, limit: number, windowMs: number): RateRule => ({
  name,
  limit,
  windowMs,
});
const perPerson = (...given: Parameters<typeof rule>): RateRule => ({
  ...rule(...given),
  per: 'person',
});
const changes = perPerson('changes', 1_000, MINUTE);
const ofProfile = perPerson('profile', 60, DAY);
const ofPushes = perPerson('pushes', 200, DAY);
const ofNews = rule('order-news', 120, MINUTE);
const listing = [
  'POST /v1/add-product',
  () => ({ updatedInput: aBag, imageUrls: pictures }),
] as const;

/** Requests in the right form, whatever comes of them: what is counted is that they were made. */
const limited: readonly Limited[] = [
  [
    'sendEmail',
    rule('contact', 10, 10 * MINUTE),
    'POST /v1/email/sendEmail',
    () => ({ name: 'Ngozi', email: 'n@example.com', subject: 'Hello', message: 'A letter' }),
  ],
  [
    'register',
    rule('register', 40, 10 * MINUTE),
    'POST /v1/register',
    (i) => ({ ...person, businessName: `Store number ${i}`, password: 'long enough' }),
  ],
  ['refreshToken', rule('refresh', 600, MINUTE), 'GET /v1/refresh-token'],
  ['checkBusinessName', rule('name-check', 600, MINUTE), 'GET /v1/businessName-checker/name'],
  ['sendReceipt', rule('receipt', 60, MINUTE), `POST /v1/orders/${nobodys}/receipt`],
  [
    'askLetterAddress',
    rule('email-code', 60, 10 * MINUTE),
    'POST /v1/user/letters/address',
    () => ({ email: 'ada@example.com', password: 'not hers' }),
  ],
  ['verifyTransaction', rule('verify', 120, MINUTE), 'GET /v1/transaction/verify/nobodys'],
  ['confirmDelivery', ofNews, `PUT /v1/buyers/transactions/${nobodys}`],
  ['reportNotReceived', ofNews, `POST /v1/orders/${nobodys}/not-received`],
  [
    'reportProblem',
    ofNews,
    `POST /v1/orders/${nobodys}/problem`,
    () => ({ sellerIds: ['x'], message: 'It is broken.' }),
  ],
  ['addProduct', changes, ...listing],
  ['addProduct', perPerson('changes-a-day', 5_000, DAY), ...listing],
  ['updateProduct', changes, 'PUT /v1/product/update/x', () => ({ price: 5_000 })],
  ['toggleProductStatus', changes, 'PUT /v1/products/x/toggle-status'],
  ['removeProduct', changes, 'DELETE /v1/product/x'],
  ['clearNotifications', changes, 'DELETE /v1/notifications/read/x'],
  [
    'updateProfile',
    ofProfile,
    'PUT /v1/user/update/x',
    () => ({ ...person, businessName: 'Somebody' }),
  ],
  [
    'setPayoutAccount',
    ofProfile,
    'PUT /v1/user/payout-account',
    () => ({
      account_name: 'Ada Obi',
      account_number: '0123456789',
      bank_code: '058',
      password: 'not hers',
    }),
  ],
  [
    'confirmLetterAddress',
    ofProfile,
    'PUT /v1/user/letters/address',
    () => ({ code: '0'.repeat(emailCodes.digits) }),
  ],
  ['removeLetterAddress', ofProfile, 'DELETE /v1/user/letters/address'],
  ['switchLetters', ofProfile, 'PUT /v1/user/letters', () => ({ on: true })],
  [
    'addSubscription',
    ofPushes,
    'POST /subscription',
    (_, sellerId) => ({ newSubscription: subscription, sellerId }),
  ],
  [
    'removeSubscription',
    ofPushes,
    'DELETE /subscription',
    (_, sellerId) => ({ endpoint: subscription.endpoint, sellerId }),
  ],
  [
    'changePassword',
    perPerson('password', 30, MINUTE),
    'PUT /v1/user/password',
    () => ({ old_password: 'not hers', new_password: 'long enough' }),
  ],
];

it.each(
  limited.map(([call, counted, ...request], n) => ({ call, counted, request, n, ...counted })),
)('$call is let through $limit times in $windowMs ms', async ({ counted, request, n }) => {
  const [what, body] = request;
  const [method = '', path = ''] = what.split(' ');
  const address = `192.0.2.${n}`;
  const { id, token } = await market.register(`Busy store ${n}`);
  const ask = (i: number) =>
    market.call(method, path, {
      token,
      headers: from(address),
      ...(body && { body: body(i, id) }),
    });
  expect((await ask(0)).status).not.toBe(429);
  // What another process of the service has counted since.
  const others = createRateLimiter(market.deps.state);
  const key = counted.per === 'person' ? `seller:${id}` : address;
  for (let i = 2; i < counted.limit; i += 1)
    expect(await others.hit(counted, key, market.clock.now())).toMatchObject({ allowed: true });
  expect((await ask(1)).status).not.toBe(429);
  const refused = await ask(2);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBe(counted.windowMs / 1_000);
});

it('requests that are made at once are not let through more often, and others go on', async () => {
  const write = (i: number, address = '203.0.113.1') =>
    market.call('POST', '/v1/email/sendEmail', {
      body: { name: 'Ngozi', email: 'n@example.com', subject: 'Hello', message: `Letter ${i}` },
      headers: from(address),
    });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => write(i)));
  expect(answers.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(10);
  expect((await write(0, '203.0.113.2')).status).toBe(200);
  market.clock.time += 600_000;
  expect((await write(0)).status).toBe(200);
});

it('one address signs in so often a minute as one seller, and others go on', async () => {
  const [ada, bisi] = [await market.register('Ada Bags'), await market.register('Bisi Shoes')];
  const judged = vi.spyOn(market.deps.passwords, 'matches').mockResolvedValue(true);
  const signIn = ({ businessName, password } = ada, address = '203.0.113.5') =>
    market.call('POST', '/v1/login', { body: { businessName, password }, headers: from(address) });
  const statuses = [];
  for (let i = 0; i < 65; i += 1) statuses.push((await signIn()).status);
  expect(statuses.slice(0, 60)).toEqual(Array(60).fill(200));
  expect(statuses.slice(60)).toEqual(Array(5).fill(429));
  expect(judged).toHaveBeenCalledTimes(60);
  expect((await signIn(bisi)).status).toBe(200);
  expect((await signIn(ada, '203.0.113.6')).status).toBe(200);
  market.clock.time += 60_000;
  expect((await signIn()).status).toBe(200);
  judged.mockRestore();
});

it('one seller changes so much a minute, from however many addresses, and others go on', async () => {
  const [chidi, dayo] = [await market.register('Chidi Phones'), await market.register('Dayo Tins')];
  const write = (i: number, { token } = chidi) => {
    const headers = from(`198.51.100.${i % 250}`);
    return i % 2 === 0
      ? market.call('PUT', '/v1/products/x/toggle-status', { token, headers })
      : market.call('DELETE', '/v1/product/x', { token, headers });
  };
  // What another process of the service has counted.
  const before = createRateLimiter(market.deps.state);
  const rule = { name: 'changes', limit: 1_000, windowMs: 60_000 };
  for (let i = 0; i < 990; i += 1) await before.hit(rule, `seller:${chidi.id}`, market.clock.now());
  const statuses = [];
  for (let i = 0; i < 12; i += 1) statuses.push((await write(i)).status);
  expect(statuses.slice(0, 10)).not.toContain(429);
  expect(statuses.slice(10)).toEqual([429, 429]);
  expect((await write(0, dayo)).status).toBe(404);
  market.clock.time += 60_000;
  expect((await write(0)).status).toBe(404);
});

it('one address changes so much a minute, as however many sellers, and others go on', async () => {
  const address = '203.0.113.7';
  const sellers = [await market.register('Femi Fans'), await market.register('Gbenga Gas')];
  const change = ({ token }: { readonly token: string }, by = address) =>
    market.call('PUT', '/v1/products/x/toggle-status', { token, headers: from(by) });
  // What the other sellers of the address have changed.
  const before = createRateLimiter(market.deps.state);
  const ofAddress = rule('changes-of-address', 3_000, MINUTE);
  for (let i = 0; i < 2_998; i += 1) await before.hit(ofAddress, address, market.clock.now());
  const statuses = [];
  for (const one of [...sellers, ...sellers]) statuses.push((await change(one)).status);
  expect(statuses).toEqual([404, 404, 429, 429]);
  for (const one of sellers) expect((await change(one, '203.0.113.8')).status).toBe(404);
  market.clock.time += MINUTE;
  for (const one of sellers) expect((await change(one)).status).toBe(404);
});

it('one seller changes their profile so often a day, since all of it is read at each login', async () => {
  const { id, token } = await market.register('Emeka Fans');
  const rename = (i: number) =>
    market.call('PUT', `/v1/user/update/${id}`, {
      token,
      body: { name: `Emeka Obi ${i}`, businessName: 'Emeka Fans', phone_1: '08031234567' },
    });
  let changed = 0;
  for (let i = 0; i < 65; i += 1) if ((await rename(i)).status === 200) changed += 1;
  expect(changed).toBe(60);
  expect(await market.typesOf(`seller-${id}`)).toHaveLength(61);
  market.clock.time += 24 * 3_600_000;
  const { json } = await market.call('POST', '/v1/login', {
    body: { businessName: 'Emeka Fans', password: 'password of Emeka Fans' },
  });
  const again = { token: json.accessToken, body: { on: true } };
  // There is no address yet: refused for that, and not for being too often.
  expect((await market.call('PUT', '/v1/user/letters', again)).status).toBe(409);
});
