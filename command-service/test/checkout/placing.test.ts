import { product, seller } from '@oja/domain';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aBuyer, addressOf, HOUR, type Market, openMarket } from './market.js';

let market: Market;
beforeEach(async () => {
  market = await openMarket();
});
afterEach(() => market.close());

const silent = async () => ({ ok: false, reason: 'unreachable' }) as const;
const key = (value: string) => ({ 'Idempotency-Key': value });

describe('placing an order', () => {
  it('answers where to pay, what opens the order, and how far the log has come', async () => {
    const answer = await market.initialize([{ id: 'bag', quantity: 2 }], 23_000);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, data: { status: true } });
    expect(addressOf(answer)).toContain(`${market.publicUrl}/sandbox/checkout/`);
    expect(answer.body.transactionId).toMatch(/^[0-9a-f-]{36}\.[\w-]{22}$/);
    expect(answer.headers.get('oja-position')).toMatch(/\.\d{20}$/);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly/);
    const [id = ''] = String(answer.body.transactionId).split('.');
    expect(await market.story(id)).toEqual(['OrderPlaced', 'PaymentInitialized']);
  });

  it('takes a product as a list gives it for one piece', async () => {
    const bag = { product_id: 'bag', user_id: 'ada', prod_name: 'Bag', price: 11_500 };
    const body = { ...aBuyer, amount: 11_500, buyerItems: [bag] };
    const answer = await market.call('POST', '/v1/transaction/initialize', body);
    expect(answer.status).toBe(200);
  });

  it('names goods that are gone, unavailable or of a suspended seller', async () => {
    await market.goods('shoe', 100_000);
    await market.goods('lamp', 100_000);
    await market.goods('wig', 100_000, 'eve');
    const gone = { productId: 'shoe', sellerId: 'ada' };
    await market.happen(product, 'shoe', { type: 'ProductRemoved', data: gone });
    const away = { productId: 'lamp', sellerId: 'ada' };
    await market.happen(product, 'lamp', { type: 'ProductMadeUnavailable', data: away });
    const suspended = { sellerId: 'eve', by: 'head' };
    await market.seller('eve', { type: 'SellerSuspended', data: suspended });
    const items = ['bag', 'shoe', 'lamp', 'wig', 'never'].map((id) => ({ id }));
    const answer = await market.initialize(items, 15_500);
    expect(answer.status).toBe(409);
    expect(answer.body.gone).toEqual([
      { product_id: 'shoe', prod_name: 'Thing shoe' },
      { product_id: 'lamp', prod_name: 'Thing lamp' },
      { product_id: 'wig', prod_name: 'Thing wig' },
      { product_id: 'never', prod_name: null },
    ]);
    expect(answer.body.message).toContain('Thing shoe, Thing lamp, Thing wig');
    expect(await market.orders()).toBe(0);
  });

  it('asks again with the new total when a price has changed, and keeps nothing', async () => {
    const answer = await market.initialize([{ id: 'bag' }], 9_000, key('one'));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'amount_changed', amount: 11_500 });
    expect(await market.orders()).toBe(0);
    const kept = await market.deps.keys.kept(null);
    expect(kept.map(({ subject }) => subject)).not.toContainEqual(
      expect.stringMatching(/^transaction:/),
    );
    expect((await market.initialize([{ id: 'bag' }], 11_500, key('one'))).status).toBe(200);
  });

  it('charges the fee below the threshold', async () => {
    await market.goods('pin', 100_000);
    expect((await market.initialize([{ id: 'pin' }], 1_000)).body.amount).toBe(1_800);
    expect((await market.initialize([{ id: 'pin' }], 1_800)).status).toBe(200);
  });

  it.each([
    ['full_name', ['', '08031234567', 'ngozi@buyers.example', 'N']],
    ['home_address', ['', 'Nsukka', '12345 678', '4 Od', '4'.repeat(2_000)]],
    ['phone_number', ['', '0803123456', '080312345678', 'call me', '+234 803 123', '00000000000']],
    ['email', ['', 'ngozi', 'ngozi@', 'ngozi@buyers.example, other@buyers.example']],
  ])('is refused by the name of the field where its %s leads to nobody', async (field, values) => {
    for (const value of values) {
      const buyer = { ...aBuyer, [field]: value };
      const { status, body } = await market.initialize([{ id: 'bag' }], 11_500, {}, buyer);
      expect({ status, fields: Object.keys(Object(body.errors)) }, value).toEqual({
        status: 400,
        fields: [field],
      });
    }
    expect(await market.orders()).toBe(0);
  });

  it.each([
    {
      full_name: '李 雷',
      home_address: 'Behind St. Mary, Nsukka',
      phone_number: '+234 803 123 4567',
    },
    { full_name: 'Ọlá', home_address: '4 Odim Street, Nsukka', phone_number: '0803-123-4567' },
    { full_name: 'Ngozi Eze', home_address: '12 Allen, Ikeja', phone_number: '+44 20 7946 0958' },
  ])('takes whoever a rider can find: %j', async (change) => {
    const buyer = { ...aBuyer, ...change };
    expect((await market.initialize([{ id: 'bag' }], 11_500, {}, buyer)).status).toBe(200);
  });

  it('keeps the buyer unreadable in the log', async () => {
    const { id } = await market.ordered();
    for await (const { data } of market.deps.eventStore.readStream(`transaction-${id}`)) {
      const text = JSON.stringify(data);
      for (const value of Object.values(aBuyer)) expect(text).not.toContain(value);
    }
  });
});

describe('repeating the same request', () => {
  it('answers with the same order and the same address, and makes no second one', async () => {
    const first = await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    const again = await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('oja-position')).toBe(first.headers.get('oja-position'));
    expect(await market.orders()).toBe(1);
  });

  it('does so whatever has become of the goods and their seller since', async () => {
    const first = await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    const gone = { productId: 'bag', sellerId: 'ada' };
    await market.happen(product, 'bag', { type: 'ProductRemoved', data: gone });
    const suspended = { sellerId: 'ada', by: 'head' };
    await market.happen(seller, 'ada', { type: 'SellerSuspended', data: suspended });
    const again = await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    expect(again.body).toEqual(first.body);
  });

  it('makes one order of a double click', async () => {
    const clicks = [1, 2, 3].map(() => market.initialize([{ id: 'bag' }], 11_500, key('double')));
    const answers = await Promise.all(clicks);
    expect(new Set(answers.map(({ body }) => body.transactionId)).size).toBe(1);
    expect(await market.orders()).toBe(1);
  });

  it.each<[string, { id: string; quantity?: number }, number, object]>([
    ['other goods of the same price', { id: 'purse' }, 11_500, {}],
    ['more pieces', { id: 'bag', quantity: 2 }, 11_500, {}],
    ['another amount', { id: 'bag' }, 11_400, {}],
    ['another name', { id: 'bag' }, 11_500, { full_name: 'Somebody Else' }],
    ['another e-mail address', { id: 'bag' }, 11_500, { email: 'else@buyers.example' }],
    ['another address', { id: 'bag' }, 11_500, { home_address: '5 Odim Street, Nsukka' }],
    ['another phone number', { id: 'bag' }, 11_500, { phone_number: '08031234568' }],
  ])('after a try that failed does not give the order for %s', async (_, item, amount, change) => {
    await market.goods('purse', 1_150_000);
    market.provider({ initialize: silent, verify: silent });
    const down = await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    expect(down.status).toBe(503);
    market.provider({});
    const buyer = { ...aBuyer, ...change };
    const answer = await market.initialize([item], amount, key('click'), buyer);
    expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(answer.body.transactionId).toBeUndefined();
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await market.orders()).toBe(1);
  });

  it('gives an order to nobody who reuses its key for another, however long after', async () => {
    await market.initialize([{ id: 'bag' }], 11_500, key('guessed'));
    const other = { ...aBuyer, full_name: 'Somebody Else' };
    market.pass(48 * 3_600_000);
    const answer = await market.initialize([{ id: 'bag' }], 11_500, key('guessed'), other);
    expect(answer.status).toBe(422);
    expect(answer.body.transactionId).toBeUndefined();
  });
});

describe('a provider in trouble', () => {
  it('keeps the order when it is down, and goes on with it at the next try', async () => {
    market.provider({ initialize: silent, verify: silent });
    const down = await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    expect(down.status).toBe(503);
    expect(down.body.code).toBe('provider_unavailable');
    expect(await market.orders()).toBe(1);
    market.provider({});
    const again = await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    expect(again.status).toBe(200);
    expect(await market.orders()).toBe(1);
  });

  it('takes the next reference when the answer was lost', async () => {
    const begun: string[] = [];
    market.provider({
      initialize: async (payment) => {
        const answer = await market.paystack.initialize(payment);
        return begun.push(payment.reference) === 1 ? silent() : answer;
      },
    });
    const answer = await market.initialize([{ id: 'bag' }], 11_500);
    expect(answer.status).toBe(200);
    const [id = ''] = String(answer.body.transactionId).split('.');
    expect(begun).toEqual([id, `${id}-2`]);
    expect((await market.stateOf(id)).attempts.map(({ reference }) => reference)).toEqual([
      `${id}-2`,
    ]);
    await market.press(addressOf(answer), 'pay');
    expect((await market.verify(`${id}-2`)).body.ok).toBe(true);
    expect((await market.verify(id)).body.ok).toBe(true);
  });

  it('takes the same reference when the provider has not heard of it', async () => {
    let lost = 1;
    market.provider({
      initialize: async (payment) => (lost-- > 0 ? silent() : market.paystack.initialize(payment)),
    });
    const answer = await market.initialize([{ id: 'bag' }], 11_500);
    const [id = ''] = String(answer.body.transactionId).split('.');
    expect((await market.stateOf(id)).attempts).toMatchObject([{ reference: id }]);
  });

  it('is asked after by that reference too, where nobody comes back from paying', async () => {
    let lost = 1;
    market.provider({
      initialize: async (payment) => {
        const answer = await market.paystack.initialize(payment);
        return lost-- > 0 ? silent() : answer;
      },
    });
    const answer = await market.initialize([{ id: 'bag' }], 11_500);
    await market.press(addressOf(answer), 'pay');
    market.pass(HOUR);
    await market.sweep();
    const [id = ''] = String(answer.body.transactionId).split('.');
    expect((await market.stateOf(id)).payment).toMatchObject({ reference: `${id}-2` });
  });

  it('does so too when the process died before it wrote the answer down', async () => {
    market.provider({ initialize: silent, verify: silent });
    await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    let reference = '';
    market.provider({
      initialize: async (payment) => {
        reference ||= payment.reference;
        return market.paystack.initialize(payment);
      },
    });
    const order = {
      email: aBuyer.email,
      amount: 1_150_000,
      currency: 'NGN',
      metadata: {},
    } as const;
    const all = [];
    for await (const event of market.deps.eventStore.readAll({ after: null })) all.push(event);
    const id = String(all.at(-1)?.data.transactionId);
    await market.paystack.initialize({ ...order, reference: id, callbackUrl: market.publicUrl });
    const again = await market.initialize([{ id: 'bag' }], 11_500, key('click'));
    expect(reference).toBe(id);
    expect(again.body).toMatchObject({ data: { data: { reference: `${id}-2` } } });
  });

  it('says how long to wait when it is asked too often', async () => {
    market.provider({
      initialize: async () => ({ ok: false, reason: 'rate-limited', retryAfterSeconds: 17 }),
    });
    const answer = await market.initialize([{ id: 'bag' }], 11_500);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('17');
  });

  it('asks the buyer to check the e-mail address that the provider refuses', async () => {
    const error = vi.spyOn(market.deps.logger, 'error');
    const message = 'Invalid Email Address Passed';
    market.provider({ initialize: async () => ({ ok: false, reason: 'refused', message }) });
    const answer = await market.initialize([{ id: 'bag' }], 11_500);
    expect(answer).toMatchObject({ status: 502, body: { code: 'provider_refused' } });
    expect(answer.body.message).toContain('check your e-mail address');
    expect(error).not.toHaveBeenCalled();
  });

  it.each([
    ['has disabled the market', { message: 'Merchant is not active' }, 502],
    ['wants to be written to', { message: 'Account on hold. Please email our support.' }, 502],
    ['does not know its servers', { message: 'Your IP is not allowed', isForbidden: true }, 503],
  ] as const)(
    'does not send the buyer to the e-mail address if it %s, and reports it',
    async (_, refusal, status) => {
      const error = vi.spyOn(market.deps.logger, 'error');
      market.provider({ initialize: async () => ({ ok: false, reason: 'refused', ...refusal }) });
      const answer = await market.initialize([{ id: 'bag' }], 11_500);
      expect(answer.status).toBe(status);
      expect(JSON.stringify(answer.body)).not.toContain('e-mail address');
      expect(error).toHaveBeenCalledWith(
        expect.objectContaining({ reason: 'refused', message: refusal.message }),
        expect.stringContaining('no payment page'),
      );
    },
  );
});

describe('outside a demo', () => {
  it('an address that orders again and again is told to slow down, and nothing is placed', async () => {
    await market.close();
    market = await openMarket({ demo: false });
    const statuses: number[] = [];
    for (let i = 0; i < 32; i += 1)
      statuses.push((await market.initialize([{ id: 'bag' }], 11_500, {}, aBuyer)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect(await market.orders()).toBe(30);
  });
});
