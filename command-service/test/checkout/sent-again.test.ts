import { product, transaction } from '@oja/domain';
import { StoreUnavailable } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aBuyer, addressOf, type Market, openMarket } from './market.js';

const MINUTE = 60_000;
const NAIRA = 11_500;
const another = { ...aBuyer, full_name: 'Emeka Udo', email: 'emeka@buyers.example' };
const bag = [{ id: 'bag' }];
const click = { 'Idempotency-Key': 'click' };

let market: Market;
beforeEach(async () => {
  market = await openMarket();
  await count('bag', 1);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await market.close();
});

const count = (productId: string, stock: number) =>
  market.happen(product, productId, {
    type: 'ProductUpdated',
    data: { productId, sellerId: 'ada', stock },
  });

const ofSeller = (productId: string) => ({ productId, sellerId: 'ada' });

/** Sends the order of the last bag, as the form does each time: with the same key. */
const send = () => market.initialize(bag, NAIRA, click);

const idOf = (answer: Awaited<ReturnType<typeof send>>) =>
  String(answer.body.transactionId).split('.')[0] ?? '';

async function happened(productId: string): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of market.deps.eventStore.readStream(`product-${productId}`))
    types.push(type);
  return types;
}

describe('an unpaid order that is sent again', () => {
  it('is told that its goods are sold, before it is paid for nothing', async () => {
    const first = await send();
    market.pass(31 * MINUTE);
    const quicker = await market.initialize(bag, NAIRA, {}, another);
    await market.press(addressOf(quicker), 'pay');
    await market.verify(idOf(quicker));
    expect(await send()).toMatchObject({
      status: 409,
      body: { code: 'sold_out', message: expect.stringContaining('Sold out: Thing bag.') },
    });
    expect(await market.story(idOf(first))).not.toContain('PaymentMismatched');
  });

  it('holds its goods once more where nobody else has them', async () => {
    const first = await send();
    market.pass(31 * MINUTE);
    expect((await send()).body).toEqual(first.body);
    expect(await market.initialize(bag, NAIRA, {}, another)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Someone else is paying for the last') },
    });
  });

  it('stands once in the cookie of its browser, which keeps other orders', async () => {
    await count('bag', 9);
    const other = await market.ordered();
    const headers = { ...click, cookie: other.cookie };
    const first = await market.initialize(bag, NAIRA, headers);
    const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(cookie.match(/[0-9a-f-]{36}/g)).toEqual([idOf(first), other.id]);
    const again = await market.initialize(bag, NAIRA, { ...click, cookie });
    expect((again.headers.get('set-cookie') ?? '').split(';')[0]).toBe(cookie);
  });

  it('writes nothing while its goods are still held', async () => {
    await send();
    const before = await happened('bag');
    market.pass(MINUTE);
    expect((await send()).status).toBe(200);
    expect(await happened('bag')).toEqual(before);
  });

  it('is paid for in time by who is led to the payment page when its first half hour is almost over', async () => {
    await send();
    market.pass(29 * MINUTE);
    const again = await send();
    market.pass(2 * MINUTE);
    expect((await market.initialize(bag, NAIRA, {}, another)).body).toMatchObject({
      code: 'sold_out',
    });
    await market.press(addressOf(again), 'pay');
    expect((await market.verify(idOf(again))).body).toMatchObject({ ok: true });
  });

  it('holds nothing for somebody who only guessed its key', async () => {
    await send();
    market.pass(31 * MINUTE);
    const guess = await market.initialize(bag, NAIRA, click, another);
    expect(guess.body).toMatchObject({ code: 'idempotency_key_reused' });
    expect((await market.initialize(bag, NAIRA, {}, another)).status).toBe(200);
  });

  it('holds what can be held, and is not refused for what its seller has hidden since', async () => {
    await market.goods('cap', 230_000);
    await count('cap', 1);
    const both = [{ id: 'cap' }, { id: 'bag' }];
    const first = await market.initialize(both, 13_800, click);
    market.pass(31 * MINUTE);
    await market.happen(product, 'bag', { type: 'ProductRemoved', data: ofSeller('bag') });
    expect((await market.initialize(both, 13_800, click)).body).toEqual(first.body);
    const cap = await market.initialize([{ id: 'cap' }], 3_100, {}, another);
    expect(cap.body).toMatchObject({ code: 'sold_out' });
  });

  it('keeps the rest of its hold when a seller hides goods at that moment', async () => {
    await market.goods('cap', 230_000);
    await count('cap', 1);
    const both = [{ id: 'cap' }, { id: 'bag' }];
    const first = await market.initialize(both, 13_800, click);
    market.pass(31 * MINUTE);
    const { eventStore } = market.deps;
    const real = eventStore.append.bind(eventStore);
    let isHidden = false;
    vi.spyOn(eventStore, 'append').mockImplementation(async (stream, ...more) => {
      if (
        stream === 'product-bag' &&
        more[1].some(({ type }) => type === 'StockHeld') &&
        !isHidden
      ) {
        isHidden = true;
        market.pass(1);
        await market.happen(product, 'bag', { type: 'ProductRemoved', data: ofSeller('bag') });
      }
      return real(stream, ...more);
    });
    expect((await market.initialize(both, 13_800, click)).body).toEqual(first.body);
    expect(isHidden).toBe(true);
    const cap = await market.initialize([{ id: 'cap' }], 3_100, {}, another);
    expect(cap.body).toMatchObject({ code: 'sold_out' });
  });

  it('is not sold out by its own payment, which took the goods before the process died', async () => {
    const first = await send();
    market.pass(31 * MINUTE);
    await market.press(addressOf(first), 'pay');
    const { eventStore } = market.deps;
    const real = eventStore.append.bind(eventStore);
    const append = vi
      .spyOn(eventStore, 'append')
      .mockImplementation((stream, ...more) =>
        more[1].some(({ type }) => type === 'PaymentVerified')
          ? Promise.reject(new StoreUnavailable('SQLite', 'died', true))
          : real(stream, ...more),
      );
    expect((await market.verify(idOf(first))).status).toBe(503);
    append.mockRestore();
    expect((await send()).body).toEqual(first.body);
    expect((await happened('bag')).at(-1)).toBe('StockTaken');
    expect((await market.verify(idOf(first))).body).toMatchObject({ ok: true });
  });
});

describe('an order that is sent again after its payment went back', () => {
  const isOver = {
    status: 422,
    body: { code: 'idempotency_key_reused', message: expect.stringContaining('goes back to you') },
  };

  it('is not led to a page that is done with, where its goods were sold out', async () => {
    const first = await send();
    market.pass(31 * MINUTE);
    const quicker = await market.initialize(bag, NAIRA, {}, another);
    await market.press(addressOf(quicker), 'pay');
    await market.verify(idOf(quicker));
    await market.press(addressOf(first), 'pay');
    expect((await market.verify(idOf(first))).body).toEqual({ ok: false, status: 'sold_out' });
    await count('bag', 1);
    expect(await send()).toMatchObject(isOver);
    expect((await market.initialize(bag, NAIRA)).status).toBe(200);
  });

  it('is not led there where the bank has taken the payment back', async () => {
    const first = await send();
    await market.press(addressOf(first), 'pay');
    await market.verify(idOf(first));
    const at = new Date(market.clock.now()).toISOString();
    const taken = { transactionId: idOf(first), reference: idOf(first), amount: NAIRA * 100, at };
    await market.happen(transaction, idOf(first), { type: 'PaymentReversed', data: taken });
    expect(await send()).toMatchObject(isOver);
  });
});
