import { afterAll, beforeAll, expect, it } from 'vitest';
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
