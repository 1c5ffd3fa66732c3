import { product } from '@oja/domain';
import { StoreUnavailable } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dueObligations } from '../../src/deps.js';
import { aBuyer, addressOf, HOUR, type Market, openMarket } from './market.js';

const MINUTE = 60_000;
const NAIRA = 11_500;
const another = { ...aBuyer, full_name: 'Emeka Udo', email: 'emeka@buyers.example' };

let market: Market;
beforeEach(async () => {
  market = await openMarket();
  await count('bag', 1);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await market.close();
});

/** The seller sets the number of pieces in stock, or stops counting them. */
const count = (productId: string, stock: number | null) =>
  market.happen(product, productId, {
    type: 'ProductUpdated',
    data: { productId, sellerId: 'ada', stock },
  });

async function left(productId = 'bag'): Promise<number | null> {
  const { state } = await market.deps.load(product, productId);
  return state.status === 'none' ? null : (state.stock?.left ?? null);
}

async function happened(productId: string): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of market.deps.eventStore.readStream(`product-${productId}`))
    types.push(type);
  return types;
}

/** Lets each append of this event fail, as if the process had died; after `mockRestore` the next process runs. */
function dyingBefore(event: string) {
  const { eventStore } = market.deps;
  const real = eventStore.append.bind(eventStore);
  return vi.spyOn(eventStore, 'append').mockImplementation((stream, ...more) => {
    if (more[1].some(({ type }) => type === event))
      return Promise.reject(new StoreUnavailable('SQLite', 'died', true));
    return real(stream, ...more);
  });
}

async function settled(id: string, outcome: 'release' | 'refund') {
  await market.seller('head', {
    type: 'HeadAdminGranted',
    data: { sellerId: 'head', by: 'operator' },
  });
  return market.call(
    'POST',
    `/v1/transactions/${id}/resolve`,
    { sellerId: 'ada', outcome },
    await market.tokenOf('head'),
  );
}

async function complained() {
  const order = await market.paid();
  market.pass(48 * HOUR);
  const complaint = { sellerIds: ['ada'], message: 'It never came' };
  await market.call('POST', `/v1/orders/${order.key}/problem`, complaint);
  return order;
}

describe('the last one', () => {
  it('goes to whoever is quicker, and the other is told before they pay', async () => {
    const first = await market.ordered();
    const second = await market.initialize([{ id: 'bag' }], NAIRA, {}, another);
    expect(second).toMatchObject({
      status: 409,
      body: {
        code: 'sold_out',
        message: expect.stringContaining('Someone else is paying for the last: Thing bag.'),
        gone: [{ product_id: 'bag', prod_name: 'Thing bag', left: 0 }],
      },
    });
    expect(await left()).toBe(1);
    await market.press(first.address, 'pay');
    expect((await market.verify(first.reference)).body).toMatchObject({ ok: true });
    expect(await left()).toBe(0);
    expect((await market.initialize([{ id: 'bag' }], NAIRA, {}, another)).body).toMatchObject({
      code: 'sold_out',
      message: expect.stringContaining('Sold out: Thing bag.'),
    });
    expect(await market.orders()).toBe(1);
  });

  it('becomes one order where two come at the same moment', async () => {
    const answers = await Promise.all(
      [aBuyer, another].map((buyer) => market.initialize([{ id: 'bag' }], NAIRA, {}, buyer)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await market.orders()).toBe(1);
  });

  it('names all that are sold out, and says to take them out of the cart', async () => {
    await market.goods('cap', 230_000);
    for (const id of ['bag', 'cap']) await count(id, 0);
    const answer = await market.initialize([{ id: 'bag' }, { id: 'cap' }], 13_800);
    expect(answer).toMatchObject({
      status: 409,
      body: { message: 'Sold out: Thing bag, Thing cap. Please take them out of the cart.' },
    });
  });

  it('is for others again when nobody has paid for it in time', async () => {
    await market.ordered();
    market.pass(30 * MINUTE);
    expect((await market.initialize([{ id: 'bag' }], NAIRA, {}, another)).status).toBe(200);
  });

  it('stays with the browser that comes back to order it with something else', async () => {
    await market.goods('cap', 230_000);
    const { cookie } = await market.ordered();
    const both = [{ id: 'bag' }, { id: 'cap' }];
    expect((await market.initialize(both, 13_800, {}, another)).status).toBe(409);
    const forged = cookie.replace(/\.[\w-]{22}/, '.aaaaaaaaaaaaaaaaaaaaaa');
    expect((await market.initialize(both, 13_800, { cookie: forged })).status).toBe(409);
    expect((await market.initialize(both, 13_800, { cookie })).status).toBe(200);
  });

  it('is held for nobody who cannot have the rest of their order', async () => {
    await market.goods('cap', 230_000);
    await count('cap', 2);
    const answer = await market.initialize(
      [{ id: 'bag' }, { id: 'cap', quantity: 3 }],
      18_400,
      {},
      another,
    );
    expect(answer).toMatchObject({
      status: 409,
      body: {
        message: 'Only 2 left: Thing cap. Please order fewer.',
        gone: [{ product_id: 'cap', left: 2 }],
      },
    });
    expect(await happened('bag')).not.toContain('StockHeld');
    expect((await market.initialize([{ id: 'bag' }], NAIRA)).status).toBe(200);
  });

  it('is held for nobody whose total has changed', async () => {
    const answer = await market.initialize([{ id: 'bag' }], NAIRA - 500);
    expect(answer.body).toMatchObject({ code: 'amount_changed' });
    expect(await happened('bag')).not.toContain('StockHeld');
  });
});

describe('an order that got no payment page', () => {
  const corrected = { ...aBuyer, email: 'ngozi.eze@buyers.example' };
  const silent = async () => ({ ok: false, reason: 'unreachable' }) as const;
  const refusing = async () =>
    ({ ok: false, reason: 'refused', message: 'Invalid e-mail' }) as const;

  it('does not stand in the way of its own buyer, who corrects the e-mail address', async () => {
    market.provider({ initialize: silent, verify: silent });
    const down = await market.initialize([{ id: 'bag' }], NAIRA);
    expect(down.status).toBe(503);
    market.provider({});
    expect((await market.initialize([{ id: 'bag' }], NAIRA, {}, another)).status).toBe(409);
    const cookie = (down.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const answer = await market.initialize([{ id: 'bag' }], NAIRA, { cookie }, corrected);
    expect(answer.status).toBe(200);
  });

  it('holds nothing once the provider has refused it', async () => {
    await market.goods('cap', 230_000);
    await count('cap', 1);
    const both = [{ id: 'bag' }, { id: 'cap' }];
    market.provider({ initialize: refusing });
    expect(await market.initialize(both, 13_800)).toMatchObject({
      status: 502,
      body: { code: 'provider_refused' },
    });
    market.provider({});
    expect((await market.initialize(both, 13_800, {}, another)).status).toBe(200);
  });

  it('is told to wait, not to correct anything, where the provider refuses the market’s own key', async () => {
    const warn = vi.spyOn(market.deps.logger, 'warn');
    market.provider({
      initialize: async () => ({ ok: false, reason: 'unauthorized', message: 'Invalid key' }),
    });
    const answer = await market.initialize([{ id: 'bag' }], NAIRA);
    expect(answer).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    expect(JSON.stringify(answer.body)).not.toContain('e-mail');
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ reason: 'unauthorized', message: 'Invalid key' }),
      expect.stringContaining('no payment page'),
    );
  });

  it('keeps what it holds when a repetition got a page while the provider was slow to refuse', async () => {
    const click = { 'Idempotency-Key': 'click' };
    let calls = 0;
    market.provider({
      initialize: async (payment) => {
        calls += 1;
        if (calls > 1) return market.paystack.initialize(payment);
        market.pass(MINUTE);
        const page = await market.initialize([{ id: 'bag' }], NAIRA, click);
        expect(page.status).toBe(200);
        return refusing();
      },
    });
    expect((await market.initialize([{ id: 'bag' }], NAIRA, click)).status).toBe(502);
    expect(calls).toBe(2);
    expect(await happened('bag')).not.toContain('StockHoldEnded');
  });

  it('is answered as refused also where its hold cannot be ended', async () => {
    market.provider({ initialize: refusing });
    dyingBefore('StockHoldEnded');
    expect((await market.initialize([{ id: 'bag' }], NAIRA)).body).toMatchObject({
      code: 'provider_refused',
    });
  });
});

describe('what happens to a product while it is being ordered', () => {
  /** Runs `what` just before stock is held for the first time. */
  function beforeHolding(what: () => Promise<void>) {
    const { eventStore } = market.deps;
    const real = eventStore.append.bind(eventStore);
    let isFirst = true;
    vi.spyOn(eventStore, 'append').mockImplementation(async (stream, ...more) => {
      const isHold = more[1].some(({ type }) => type === 'StockHeld');
      if (isHold && isFirst) {
        isFirst = false;
        await what();
      }
      return real(stream, ...more);
    });
  }

  it('is told as it is when its seller hides it: it is not there, however many are left', async () => {
    await count('bag', 5);
    const data = { productId: 'bag', sellerId: 'ada' };
    beforeHolding(() => market.happen(product, 'bag', { type: 'ProductMadeUnavailable', data }));
    expect(await market.initialize([{ id: 'bag' }], NAIRA)).toMatchObject({
      status: 409,
      body: {
        code: 'goods_gone',
        message: 'No longer available: Thing bag. Please take it out of the cart.',
        gone: [{ product_id: 'bag', prod_name: 'Thing bag' }],
      },
    });
  });

  it('leaves what was held already to others when another buyer is quicker with the rest', async () => {
    await market.goods('cap', 230_000);
    await count('cap', 1);
    beforeHolding(async () => {
      expect((await market.initialize([{ id: 'cap' }], 3_100, {}, another)).status).toBe(200);
    });
    const both = [{ id: 'bag' }, { id: 'cap' }];
    expect(await market.initialize(both, 13_800)).toMatchObject({
      status: 409,
      body: { gone: [{ product_id: 'cap', left: 0 }] },
    });
    expect(await happened('bag')).toEqual(expect.arrayContaining(['StockHeld', 'StockHoldEnded']));
    expect((await market.initialize([{ id: 'bag' }], NAIRA, {}, another)).status).toBe(200);
  });

  it('is told as it is when others change it again and again: try again, not order fewer', async () => {
    await count('bag', 5);
    const { eventStore } = market.deps;
    const real = eventStore.append.bind(eventStore);
    vi.spyOn(eventStore, 'append').mockImplementation(async (stream, ...more) => {
      if (more[1].some(({ type }) => type === 'StockHeld')) await count('bag', 5);
      return real(stream, ...more);
    });
    expect(await market.initialize([{ id: 'bag' }], NAIRA)).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile', message: expect.stringContaining('try again') },
    });
  });
});

describe('a payment that comes after the goods are gone', () => {
  /** Two orders of the last piece; the second is paid first. */
  async function tooLate() {
    const late = await market.ordered();
    market.pass(31 * MINUTE);
    const quick = await market.initialize([{ id: 'bag' }], NAIRA, {}, another);
    await market.press(addressOf(quick), 'pay');
    const id = String(quick.body.transactionId).split('.')[0] ?? '';
    expect((await market.verify(id)).body).toMatchObject({ ok: true });
    await market.press(late.address, 'pay');
    return { late, quick: id };
  }

  it('goes back whole, and is not taken for an order', async () => {
    const { late, quick } = await tooLate();
    expect((await market.verify(late.reference)).body).toEqual({ ok: false, status: 'sold_out' });
    expect(await market.stateOf(late.id)).toMatchObject({
      payment: null,
      mismatched: [{ reason: 'sold-out' }],
      refunds: [{ amount: NAIRA * 100, status: 'requested' }],
    });
    expect((await market.stateOf(quick)).payment).not.toBeNull();
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    expect((await market.story(late.id)).at(-1)).toBe('RefundCompleted');
    expect(await left()).toBe(0);
  });

  it('puts back what it had taken of other goods, also after a crash', async () => {
    await market.goods('cap', 230_000);
    await count('cap', 5);
    const both = await market.ordered([{ id: 'cap' }, { id: 'bag' }], 13_800);
    market.pass(31 * MINUTE);
    const quick = await market.initialize([{ id: 'bag' }], NAIRA, {}, another);
    await market.press(addressOf(quick), 'pay');
    await market.verify(String(quick.body.transactionId).split('.')[0] ?? '');
    await market.press(both.address, 'pay');

    const append = dyingBefore('StockReturned');
    expect((await market.verify(both.reference)).body).toMatchObject({ status: 'sold_out' });
    expect(await left('cap')).toBe(4);
    append.mockRestore();
    await market.sweep();
    expect(await left('cap')).toBe(5);
    await market.sweep();
    expect((await happened('cap')).filter((type) => type === 'StockReturned')).toHaveLength(1);
  });

  it('is an order where some are left', async () => {
    const order = await market.ordered();
    market.pass(100 * HOUR);
    await market.press(order.address, 'pay');
    expect((await market.verify(order.reference)).body).toMatchObject({ ok: true });
    expect(await left()).toBe(0);
  });
});

it('what is told many times of one payment takes one', async () => {
  await count('bag', 5);
  const order = await market.ordered();
  await market.press(order.address, 'pay');
  await Promise.all([1, 2, 3].map(() => market.verify(order.reference)));
  expect(await left()).toBe(4);
});

describe('a payment that has taken goods and was not recorded', () => {
  /** The process took the stock and died before it recorded the payment, made `after` ms after the order. */
  async function takenAndNotRecorded(after = 0) {
    const order = await market.ordered();
    market.pass(after);
    await market.sweep();
    await market.press(order.address, 'pay');
    const append = dyingBefore('PaymentVerified');
    expect((await market.verify(order.reference)).status).toBe(503);
    append.mockRestore();
    expect(await left()).toBe(0);
    return order;
  }

  async function goesBack(reference: string) {
    const known = await market.paystack.verify(reference);
    if (!known.ok) throw new Error('the sandbox does not know it');
    market.provider({
      verify: async () => ({ ok: true, value: { ...known.value, status: 'reversed' } }),
    });
  }

  it('is asked after, though the order has expired and nobody tells of it again', async () => {
    const order = await takenAndNotRecorded(100 * HOUR);
    expect(await market.story(order.id)).toContain('OrderExpired');
    market.pass(3 * MINUTE);
    await market.sweep();
    expect((await market.story(order.id)).at(-1)).toBe('PaymentVerified');
    expect(await left()).toBe(0);
  });

  it('gives them back when it has gone back', async () => {
    const order = await takenAndNotRecorded();
    await goesBack(order.reference);
    market.pass(73 * HOUR);
    await market.sweep();
    expect((await market.story(order.id)).at(-1)).toBe('OrderExpired');
    expect(await left()).toBe(1);
  });

  it('takes them again when the bank decides otherwise', async () => {
    const order = await takenAndNotRecorded();
    await goesBack(order.reference);
    expect((await market.verify(order.reference)).body).toMatchObject({ status: 'reversed' });
    expect(await left()).toBe(1);
    market.provider({});
    expect((await market.verify(order.reference)).body).toMatchObject({ ok: true });
    expect(await left()).toBe(0);
  });
});

it('a refund brings the goods back, a release does not', async () => {
  await count('bag', 2);
  const [kept, refunded] = [await complained(), await complained()];
  expect(await left()).toBe(0);
  expect((await settled(kept.id, 'release')).status).toBe(200);
  expect(await left()).toBe(0);
  expect((await settled(refunded.id, 'refund')).status).toBe(200);
  expect(await left()).toBe(1);
});

describe('goods whose seller stops counting them after a sale', () => {
  /** Sold while they were counted, and refunded since; then what the refund left to do is done. */
  async function refundedUncounted(...counts: readonly (number | null)[]) {
    const order = await complained();
    for (const stock of counts) await count('bag', stock);
    expect((await settled(order.id, 'refund')).status).toBe(200);
    market.pass(3 * MINUTE);
    await market.sweep();
  }

  async function stillToReturn(): Promise<readonly string[]> {
    const owed: string[] = [];
    for await (const { subject } of dueObligations(market.deps, 'stock-return', market.clock.now()))
      owed.push(subject);
    return owed;
  }

  it('come back from a refund all the same, so nothing is owed for ever', async () => {
    await refundedUncounted(null);
    expect(await happened('bag')).toContain('StockReturned');
    await market.sweep();
    expect(await stillToReturn()).toEqual([]);
    expect(await left()).toBeNull();
  });

  it('come back to the count that their seller has begun again', async () => {
    await refundedUncounted(null, 5);
    await market.sweep();
    expect(await stillToReturn()).toEqual([]);
    expect(await left()).toBe(6);
  });
});
