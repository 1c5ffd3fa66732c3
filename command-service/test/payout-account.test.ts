import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Market, openMarket, type Seller } from './support/market.js';

let market: Market;
let ada: Seller;
beforeAll(async () => {
  market = await openMarket();
  ada = await market.register('Ada Bags');
});
afterAll(() => market.close());

describe('a payout account', () => {
  it('is kept sealed', async () => {
    const body = {
      account_name: 'Ada Obi',
      account_number: '0123456789',
      bank_code: '058',
      password: ada.password,
    };
    const answer = await market.call('PUT', '/v1/user/payout-account', { token: ada.token, body });
    expect(answer).toMatchObject({ status: 200, json: { success: true } });
    let data: object = {};
    for await (const event of market.deps.eventStore.readStream(`seller-${ada.id}`))
      data = event.data;
    expect(JSON.stringify(data)).not.toContain('0123456789');
    expect(data).toMatchObject({ accountNumber: { subject: `seller:${ada.id}` } });
  });

  it('that is saved once more as it is has not changed, so nobody is alarmed', async () => {
    const yemi = await market.register('Yemi Yams');
    const save = (number: string) =>
      market.call('PUT', '/v1/user/payout-account', {
        token: yemi.token,
        body: {
          account_name: 'Yemi Alade',
          account_number: number,
          bank_code: '058',
          password: yemi.password,
        },
      });
    expect((await save('0123456789')).status).toBe(200);
    expect(await save('0123456789')).toMatchObject({ status: 200, json: { success: true } });
    const written = ['SellerRegistered', 'PayoutAccountSet'];
    expect(await market.typesOf(`seller-${yemi.id}`)).toEqual(written);
    expect((await save('9876543210')).status).toBe(200);
    expect((await save('0123456789')).status).toBe(200);
    expect(await market.typesOf(`seller-${yemi.id}`)).toEqual([
      ...written,
      'PayoutAccountSet',
      'PayoutAccountSet',
    ]);
  });
});

describe('the account that money goes to', () => {
  const account = { account_name: 'Thief', account_number: '9876543210', bank_code: '058' };
  const set = (seller: Seller, password: string | undefined) =>
    market.call('PUT', '/v1/user/payout-account', {
      token: seller.token,
      body: { ...account, password },
    });

  it('is changed by who knows the password, not by who finds a browser signed in', async () => {
    const wande = await market.register('Wande Watches');
    expect((await set(wande, undefined)).status).toBe(400);
    expect(await set(wande, 'not the password')).toMatchObject({
      status: 400,
      json: { errors: { password: 'is not your password' } },
    });
    expect(await market.typesOf(`seller-${wande.id}`)).toEqual(['SellerRegistered']);
    expect((await set(wande, wande.password)).status).toBe(200);
  });

  it('is not a place to guess at passwords', async () => {
    const zainab = await market.register('Zainab Zips');
    const guesses = [];
    for (let i = 0; i < 8; i += 1) guesses.push((await set(zainab, `guess ${i} of many`)).status);
    expect(guesses).toContain(429);
  });
});
