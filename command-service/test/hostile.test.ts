import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBag, type Market, openMarket, pictures, type Seller } from './support/market.js';

let market: Market;
let boss: Seller;
beforeAll(async () => {
  market = await openMarket();
  boss = await market.headAdmin('Boss Market');
});
afterAll(() => market.close());

const odd = [
  '%00',
  '%F0%9F%A7%BA',
  '..%2F..',
  '$all',
  '%25',
  "'%20OR%201",
  'x'.repeat(64),
  'x'.repeat(65),
];

it.each(odd)('an id like %s is somebody’s fault, never ours', async (id) => {
  const { token } = boss;
  const answers = [
    await market.call('PUT', `/v1/products/${id}/toggle-status`, { token }),
    await market.call('PUT', `/v1/product/update/${id}`, { token, body: { price: 1_100 } }),
    await market.call('PUT', `/v1/user/${id}/toggle-suspended`, { token }),
    await market.call('PUT', `/v1/update-subAdmin?sellerId=${id}&isSubAdmin=true`, { token }),
    await market.call('DELETE', `/v1/notifications/read/${id}`, { token }),
    await market.call('GET', `/v1/businessName-checker/${id}`),
  ];
  for (const { status } of answers) expect([200, 400, 404]).toContain(status);
});

it.each(['\u0000', '\ud800', '🧺', '\u202e', 'e\u0301'.repeat(30)])(
  'text like %j is kept or refused, never stumbled over',
  async (text) => {
    const answers = [
      await market.call('POST', '/v1/login', { body: { businessName: text, password: text } }),
      await market.call('POST', '/v1/register', {
        body: {
          name: text.repeat(6),
          businessName: `Abcd${text}`,
          phone_1: '08031234567',
          password: text.repeat(8),
        },
      }),
      await market.call('POST', '/v1/add-product', {
        token: boss.token,
        body: { updatedInput: { ...aBag, prod_name: text, color: text }, imageUrls: pictures },
      }),
      await market.call('POST', '/v1/email/sendEmail', {
        body: { name: text, email: 'ada@example.com', subject: text, message: text },
      }),
      await market.call('GET', '/v1/refresh-token', {
        cookie: `oja-refresh=${encodeURIComponent(text.replace('\ud800', '%'))}`,
      }),
    ];
    for (const { status } of answers) expect(status).toBeLessThan(500);
  },
);
