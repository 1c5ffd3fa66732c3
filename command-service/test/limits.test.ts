import { createRateLimiter } from '@oja/http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Market, openMarket, person } from './support/market.js';

let market: Market;
beforeAll(async () => {
  market = await openMarket({ demo: false });
});
afterAll(() => market.close());

const from = (address: string) => ({ 'X-Forwarded-For': address });

/** Makes `count` calls at once. Returns how many were not rate-limited (429). */
async function letIn(count: number, call: (i: number) => Promise<{ readonly status: number }>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => call(i)));
  return answers.filter(({ status }) => status !== 429).length;
}

it('one address writes a few letters to the support, and no more', async () => {
  const write = (i: number, address = '203.0.113.1') =>
    market.call('POST', '/v1/email/sendEmail', {
      body: { name: 'Ngozi', email: 'n@example.com', subject: 'Hello', message: `Letter ${i}` },
      headers: from(address),
    });
  expect(await letIn(100, write)).toBeLessThanOrEqual(10);
  expect((await write(0, '203.0.113.2')).status).toBe(200);
  market.clock.time += 600_000;
  expect((await write(0)).status).toBe(200);
});

it('one address opens a few stores, and no more', async () => {
  const open = (i: number) =>
    market.call('POST', '/v1/register', {
      body: { ...person, businessName: `Store number ${i}`, password: 'long enough' },
      headers: from('203.0.113.3'),
    });
  expect(await letIn(60, open)).toBeLessThanOrEqual(40);
});

it('one address asks for so many tokens and names a minute', async () => {
  const refresh = () => market.call('GET', '/v1/refresh-token', { headers: from('203.0.113.4') });
  const check = (i: number) =>
    market.call('GET', `/v1/businessName-checker/name${i}`, { headers: from('203.0.113.4') });
  expect(await letIn(650, refresh)).toBeLessThanOrEqual(600);
  expect(await letIn(650, check)).toBeLessThanOrEqual(600);
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

it('one address tells so often a minute what became of orders', async () => {
  const nobodys = `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.${'0'.repeat(22)}`;
  const tell = (i: number) => {
    const headers = from('203.0.113.7');
    if (i % 3 === 0) return market.call('PUT', `/v1/buyers/transactions/${nobodys}`, { headers });
    if (i % 3 === 1) return market.call('POST', `/v1/orders/${nobodys}/not-received`, { headers });
    const body = { sellerIds: ['x'], message: 'It is broken.' };
    return market.call('POST', `/v1/orders/${nobodys}/problem`, { headers, body });
  };
  expect(await letIn(150, tell)).toBeLessThanOrEqual(120);
});
