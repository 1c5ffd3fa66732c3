import { DAY_MS, UNCONFIRMED_AFTER_MS } from '@oja/domain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aBuyer, addressOf, HOUR, type Market, openMarket, settle } from './market.js';

let market: Market;
beforeEach(async () => {
  market = await openMarket();
  await market.seller('bob');
  await market.goods('hat', 138_000, 'bob');
});
afterEach(() => market.close());

const id = 358_950;
const HAT = 138_000;
/** The payment of an order of Ada's bag and Bob's hat. */
const PAID = 1_288_000;

async function heard(): Promise<void> {
  await market.sandbox.deliverDue();
  await market.sweep();
}

/** A few hours pass, in which the market hears of what it waits for. */
async function settled(): Promise<void> {
  for (let hour = 0; hour < 3; hour++) {
    market.pass(HOUR);
    await heard();
  }
}

/** A paid order of two sellers whose buyer has been silent for long, and disputes the payment. */
async function placed(): Promise<string> {
  const of = (product_id: string, user_id: string) => ({ product_id, user_id, quantity: 1 });
  const answer = await market.call('POST', '/v1/transaction/initialize', {
    ...aBuyer,
    amount: PAID / 100,
    buyerItems: [of('bag', 'ada'), of('hat', 'bob')],
  });
  const order = String(answer.body.transactionId).split('.')[0] ?? '';
  await market.press(addressOf(answer), 'pay');
  await market.verify(order);
  market.pass(UNCONFIRMED_AFTER_MS);
  await market.control({ raise: 'dispute', reference: order, id });
  await heard();
  return order;
}

/** The dispute is lost, and this much goes back, in kobo. */
async function lose(order: string, amount: number): Promise<void> {
  await market.control({ raise: 'dispute-lost', reference: order, id, amount });
  await heard();
}

async function lost(amount: number): Promise<string> {
  const order = await placed();
  market.pass(DAY_MS);
  await lose(order, amount);
  return order;
}

const refundsOf = async (order: string) => (await market.stateOf(order)).refunds;
const refund = (order: string, sellerId: string) =>
  settle(market, order, 'refund', { sellerId, note: 'It was not there' });

describe('a dispute that is lost for a part of the payment', () => {
  it('is closed with what it gave back, and the rest of the payment stays', async () => {
    const order = await lost(HAT);
    expect((await market.story(order)).slice(-3)).toEqual([
      'PaymentDisputed',
      'PaymentReturnedInPart',
      'PaymentDisputeClosed',
    ]);
    expect(await market.stateOf(order)).toMatchObject({
      reversed: false,
      openDisputes: [],
      returned: { open: HAT },
    });
  });

  it('has refunded the goods of that price: nothing is asked of the provider, nor taken for another refund', async () => {
    const order = await lost(HAT);
    expect(await refund(order, 'bob')).toMatchObject({ ok: true });
    await settled();
    const { payment } = await market.stateOf(order);
    const listed = await market.paystack.refunds(payment?.providerId ?? '');
    expect(listed).toMatchObject({ ok: true, value: [{ amount: HAT, disputeId: String(id) }] });
    expect(await refundsOf(order)).toMatchObject([{ sellerId: 'bob', status: 'completed' }]);
    await refund(order, 'ada');
    await settled();
    expect(await refundsOf(order)).toMatchObject([
      { amount: HAT, status: 'completed' },
      { amount: PAID - HAT, status: 'completed' },
    ]);
  });

  it('leaves the rest of a dearer refund to be sent, at once', async () => {
    const order = await lost(100_000);
    await refund(order, 'bob');
    await market.sweep();
    const { payment } = await market.stateOf(order);
    const listed = await market.paystack.refunds(payment?.providerId ?? '');
    expect(listed).toMatchObject({ value: [{ amount: 100_000 }, { amount: HAT - 100_000 }] });
    await settled();
    expect(await refundsOf(order)).toMatchObject([
      { sellerId: 'bob', amount: HAT - 100_000, status: 'completed' },
    ]);
  });

  it('makes a refund that was asked for before and could not be sent', async () => {
    let asked = 0;
    market.provider({
      refund: async () => {
        asked += 1;
        return { ok: false, reason: 'rate-limited', retryAfterSeconds: 60 };
      },
    });
    const order = await placed();
    await refund(order, 'bob');
    await market.sweep();
    expect(asked).toBe(1);
    await lose(order, HAT);
    await settled();
    expect(await refundsOf(order)).toMatchObject([{ sellerId: 'bob', status: 'completed' }]);
    expect((await market.stateOf(order)).returned).toMatchObject({ open: 0 });
    expect(asked).toBe(1);
  });

  it('is not taken for a refund of the same amount that the provider has yet to make', async () => {
    const order = await placed();
    await refund(order, 'bob');
    await market.sweep();
    await lose(order, HAT);
    await settled();
    const { payment, refunds, returned } = await market.stateOf(order);
    const listed = await market.paystack.refunds(payment?.providerId ?? '');
    expect(listed).toMatchObject({ ok: true, value: [{ amount: HAT }, { amount: HAT }] });
    expect(refunds).toMatchObject([{ status: 'completed' }]);
    expect(returned).toMatchObject({ open: HAT });
  });

  it('is found by the next check where its notice was lost', async () => {
    const order = await placed();
    await market.control({ fault: 'drop-webhook', reference: order });
    await lose(order, HAT);
    expect(await market.stateOf(order)).toMatchObject({ openDisputes: [{}] });
    market.pass(DAY_MS);
    await heard();
    expect(await market.stateOf(order)).toMatchObject({
      openDisputes: [],
      returned: { open: HAT },
    });
  });

  it('is found where it leaves too little for a refund, though nobody ever told of the dispute', async () => {
    const order = await placed();
    await market.control({ fault: 'drop-webhook', reference: order });
    await market.control({ raise: 'dispute-lost', reference: order, id: id + 1, amount: PAID - 1 });
    await refund(order, 'ada');
    await market.sweep();
    await settled();
    expect(await refundsOf(order)).toMatchObject([{ sellerId: 'ada', status: 'completed' }]);
    expect(await market.story(order)).not.toContain('RefundFailed');
  });

  it('counts once, however often its notice comes', async () => {
    const order = await lost(HAT);
    const data = {
      id,
      resolution: 'merchant-accepted',
      refund_amount: String(HAT),
      transaction: { reference: order },
    };
    await market.webhook({ event: 'charge.dispute.resolve', data: { ...data, status: 'again' } });
    await heard();
    expect((await market.stateOf(order)).returned).toMatchObject({ open: HAT });
  });
});
