import { DAY_MS, seller, UNCONFIRMED_AFTER_MS } from '@oja/domain';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitingWebhooks } from '../../src/checkout/index.js';
import { aBuyer, addressOf, HOUR, type Market, openMarket, settle } from './market.js';

let market: Market;
beforeEach(async () => {
  market = await openMarket({ payouts: true });
  const account = await market.deps.sealer.seal('seller:ada', 'seller-ada', {
    accountName: 'Ada Obi',
    accountNumber: '0123456789',
    bankCode: '058',
  });
  const data = { sellerId: 'ada', ...account };
  await market.happen(seller, 'ada', { type: 'PayoutAccountSet', data });
});
afterEach(() => {
  vi.restoreAllMocks();
  return market.close();
});

async function heard(): Promise<void> {
  await market.sandbox.deliverDue();
  await market.sweep();
}

const confirm = (key: string) => market.call('PUT', `/v1/buyers/transactions/${key}`);
const shareOf = async (id: string) => (await market.stateOf(id)).shares[0];
const id = 358_950;

describe('a payment whose dispute is lost days after it was opened', () => {
  it('is asked after, although no notice of the end ever comes, and nothing is paid out', async () => {
    const { id: order, key, reference } = await market.paid();
    await market.control({ raise: 'dispute', reference, id });
    await heard();
    expect((await confirm(key)).status).toBe(200);
    market.pass(HOUR);
    await market.sweep();
    expect((await shareOf(order))?.status).toBe('released');
    market.pass(5 * DAY_MS);
    await market.control({ raise: 'chargeback', reference });
    await market.sweep();
    expect((await market.story(order)).at(-1)).toBe('PaymentReversed');
    market.pass(DAY_MS);
    await market.sweep();
    expect(await shareOf(order)).toMatchObject({ status: 'reversed', payoutId: null });
  });

  it('is asked after each day while nobody does anything with the order', async () => {
    const { id: order, reference } = await market.paid();
    await market.control({ raise: 'dispute', reference, id });
    await heard();
    market.pass(DAY_MS);
    await market.control({ raise: 'chargeback', reference });
    market.pass(DAY_MS);
    await market.sweep();
    expect((await market.story(order)).at(-1)).toBe('PaymentReversed');
  });

  it('is not released after that, though nobody was told', async () => {
    const { key, reference } = await market.paid();
    await market.control({ raise: 'dispute', reference, id });
    await heard();
    market.pass(HOUR);
    await market.control({ raise: 'chargeback', reference });
    expect((await confirm(key)).status).toBe(409);
  });
});

it('a dispute that is heard of before its payment follows the payment in the log', async () => {
  const order = await market.ordered();
  await market.control({ fault: 'drop-webhook', reference: order.reference });
  await market.press(order.address, 'pay');
  await market.control({ raise: 'dispute', reference: order.reference, id });
  await heard();
  expect((await market.story(order.id)).slice(-2)).toEqual(['PaymentVerified', 'PaymentDisputed']);
});

it('a dispute is recorded although the provider does not answer about its payment', async () => {
  const order = await market.ordered();
  market.provider({ verify: async () => ({ ok: false, reason: 'unreachable' }) });
  await market.control({ raise: 'dispute', reference: order.reference, id });
  await heard();
  expect((await market.story(order.id)).at(-1)).toBe('PaymentDisputed');
});

it('the provider is asked about a disputed payment once a day, also when a payout waits for it', async () => {
  const { key, reference } = await market.paid();
  await market.control({ raise: 'dispute', reference, id });
  await heard();
  expect((await confirm(key)).status).toBe(200);
  let asked = 0;
  market.provider({
    verify: async (of) => {
      asked += 1;
      return market.paystack.verify(of);
    },
  });
  for (let hour = 0; hour < 48; hour += 1) {
    market.pass(HOUR);
    await market.sweep();
  }
  expect(asked).toBeLessThanOrEqual(2);
});

it('a dispute of which the end is never told is not asked about for ever', async () => {
  const { id: order, reference } = await market.paid();
  await market.control({ raise: 'dispute', reference, id });
  await heard();
  await market.control({ raise: 'chargeback', reference });
  let asked = 0;
  market.provider({
    verify: async (of) => {
      asked += 1;
      return market.paystack.verify(of);
    },
  });
  for (let day = 0; day < 65; day += 1) {
    market.pass(DAY_MS);
    await market.sweep();
  }
  expect((await market.story(order)).slice(-2)).toEqual([
    'PaymentReversed',
    'PaymentDisputeClosed',
  ]);
  expect(asked).toBeLessThanOrEqual(61);
});

describe('a dispute of a payment that is held aside', () => {
  /** An order that was paid twice. Its second payment is held aside, goes back, and is disputed. */
  const disputed = async () => {
    const order = await market.paidTwice();
    const second = order.second.reference;
    await market.control({ raise: 'dispute', reference: second, id });
    await heard();
    expect(await market.story(order.id)).toContain('PaymentDisputed');
    return { ...order, second };
  };

  it('keeps nobody waiting for the money of the payment that counts', async () => {
    const { id: order, key } = await disputed();
    expect((await confirm(key)).status).toBe(200);
    market.pass(HOUR);
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    expect((await shareOf(order))?.status).toBe('paid-out');
  });

  it('is asked about under its own reference', async () => {
    const { reference, second } = await disputed();
    const asked: string[] = [];
    market.provider({
      verify: async (of) => {
        asked.push(of);
        return market.paystack.verify(of);
      },
    });
    market.pass(DAY_MS);
    await market.sweep();
    expect(asked).toContain(second);
    expect(asked).not.toContain(reference);
  });

  it('is closed after long, also where no other payment was made', async () => {
    const order = await market.ordered();
    await market.control({ raise: 'dispute', reference: order.reference, id });
    await heard();
    expect(await market.story(order.id)).toContain('PaymentDisputed');
    market.pass(61 * DAY_MS);
    await market.sweep();
    expect(await market.story(order.id)).toContain('PaymentDisputeClosed');
  });
});

it('what the bank takes back is judged by what was given back before, though no notice said so', async () => {
  await market.seller('bob');
  await market.goods('hat', 138_000, 'bob');
  const of = (product_id: string, user_id: string) => ({ product_id, user_id, quantity: 1 });
  const placed = await market.call('POST', '/v1/transaction/initialize', {
    ...aBuyer,
    amount: 12_880,
    buyerItems: [of('bag', 'ada'), of('hat', 'bob')],
  });
  const transactionId = String(placed.body.transactionId).split('.')[0] ?? '';
  await market.press(addressOf(placed), 'pay');
  await market.verify(transactionId);
  market.pass(UNCONFIRMED_AFTER_MS);
  await settle(market, transactionId, 'refund', { sellerId: 'bob', note: 'It was not there' });
  await market.control({ raise: 'dispute', reference: transactionId, id });
  await heard();
  // The provider refunds the price of the hat, and then the bank reverses the rest.
  market.pass(DAY_MS);
  await market.control({ raise: 'chargeback', reference: transactionId });
  await market.sweep();
  expect(await market.story(transactionId)).toContain('PaymentReversed');
  const { reversedAmount, refunds } = await market.stateOf(transactionId);
  expect(refunds).toMatchObject([{ sellerId: 'bob', status: 'completed' }]);
  expect(reversedAmount).toBe(1_150_000);
});

it('a dispute that is won brings back what was taken, and it is paid out', async () => {
  const { id: order, key, reference } = await market.paid();
  await confirm(key);
  await market.control({ raise: 'dispute', reference, id });
  await market.control({ raise: 'chargeback', reference });
  await heard();
  expect((await shareOf(order))?.status).toBe('reversed');
  market.pass(DAY_MS);
  await market.control({ raise: 'dispute-won', reference, id });
  await heard();
  expect(await market.story(order)).toContain('PaymentRestored');
  market.pass(HOUR);
  await market.sweep();
  market.pass(HOUR);
  await market.sweep();
  expect((await shareOf(order))?.status).toBe('paid-out');
  expect((await market.stateOf(order)).openDisputes).toEqual([]);
});

describe('a dispute that was lost, and is won after all,', () => {
  /** A paid order whose dispute was lost a day ago. */
  async function lost() {
    const order = await market.paid();
    const { reference } = order;
    await market.control({ raise: 'dispute', reference, id });
    await market.control({ raise: 'dispute-lost', reference, id });
    await heard();
    expect((await shareOf(order.id))?.status).toBe('reversed');
    market.pass(DAY_MS);
    return order;
  }

  it('brings the payment back', async () => {
    const { id: order, reference } = await lost();
    await market.control({ raise: 'dispute-won', reference, id });
    await heard();
    expect(await market.story(order)).toContain('PaymentRestored');
    expect((await market.stateOf(order)).openDisputes).toEqual([]);
  });

  it('is waited for as long as any other', async () => {
    const { id: order, reference } = await lost();
    const won = { id, resolution: 'declined', transaction: { reference } };
    await market.webhook({ event: 'charge.dispute.resolve', data: won });
    for (let day = 0; day < 5; day++) {
      await market.sweep();
      market.pass(DAY_MS);
    }
    expect((await shareOf(order))?.status).toBe('reversed');
    await market.control({ raise: 'dispute-won', reference, id });
    for (let day = 0; day < 2; day++) {
      await heard();
      market.pass(DAY_MS);
    }
    expect((await shareOf(order))?.status).toBe('held');
  });
});

describe('a payment that has come back, of which no notice has been heard yet', () => {
  async function givenBack() {
    const order = await market.paid();
    const { reference } = order;
    await market.control({ raise: 'dispute', reference, id });
    await market.control({ raise: 'chargeback', reference });
    await heard();
    expect((await shareOf(order.id))?.status).toBe('reversed');
    await market.control({ raise: 'dispute-won', reference, id });
    return order;
  }

  it('is there for the buyer who confirms', async () => {
    const { id: order, key } = await givenBack();
    expect((await confirm(key)).status).toBe(200);
    expect((await shareOf(order))?.status).toBe('released');
  });

  it('is there for the operator who settles', async () => {
    const { id: order } = await givenBack();
    market.pass(UNCONFIRMED_AFTER_MS);
    const settled = await settle(market, order, 'release', { note: 'Lost' });
    expect(settled).toMatchObject({ ok: true });
    expect((await shareOf(order))?.status).toBe('released');
  });
});

describe('a dispute that is won before the payment is given back', () => {
  const takenBack = (reference: string) =>
    market.provider({
      verify: async (of) => {
        const known = await market.paystack.verify(of);
        return known.ok && of === reference
          ? { ok: true, value: { ...known.value, status: 'reversed' } }
          : known;
      },
    });
  /** A confirmed order of which the dispute is won, while the provider still says that the payment went back. */
  async function won({ isKnown }: { readonly isKnown: boolean }) {
    const order = await market.paid();
    await confirm(order.key);
    const { reference } = order;
    await market.control({ raise: 'dispute', reference, id });
    await heard();
    takenBack(reference);
    market.pass(DAY_MS);
    if (isKnown) await market.sweep();
    await market.control({ raise: 'dispute-won', reference, id });
    await heard();
    expect((await shareOf(order.id))?.status).toBe('reversed');
    return order;
  }

  it.each([
    ['known', true],
    ['not known', false],
  ])('is over once it has come back, where the reversal was %s', async (_, isKnown) => {
    const order = await won({ isKnown });
    market.provider({});
    await market.sweep();
    expect((await market.stateOf(order.id)).openDisputes).toEqual([]);
    market.pass(HOUR);
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    expect((await shareOf(order.id))?.status).toBe('paid-out');
  });

  it('is over at once where the market itself has refunded the payment', async () => {
    const { id: order, reference } = await market.paid();
    market.pass(UNCONFIRMED_AFTER_MS);
    await settle(market, order, 'refund', { note: 'Lost' });
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    expect((await market.stateOf(order)).refunds).toMatchObject([{ status: 'completed' }]);
    takenBack(reference);
    await market.control({ raise: 'dispute', reference, id });
    await heard();
    await market.control({ raise: 'dispute-won', reference, id });
    await heard();
    expect((await market.story(order)).at(-1)).toBe('PaymentDisputeClosed');
  });

  it('keeps its notice waiting on purpose, which is logged once', async () => {
    const info = vi.spyOn(market.deps.logger, 'info');
    await won({ isKnown: true });
    const until = market.clock.now() + 3 * DAY_MS;
    market.pass(HOUR);
    await market.sweep();
    const waiting = [];
    for await (const notice of waitingWebhooks(market.deps)) waiting.push(notice);
    expect(waiting).toEqual([{ key: expect.any(String), due: until }]);
    const logged = info.mock.calls.filter(([, message]) => message?.startsWith('a webhook waits'));
    expect(logged).toMatchObject([[{ until: new Date(until).toISOString() }, expect.any(String)]]);
  });

  it('is no longer asked about at every sweep after three days, and still every day', async () => {
    const order = await won({ isKnown: true });
    market.pass(3 * DAY_MS);
    await market.sweep();
    let asked = 0;
    market.provider({
      verify: async (of) => {
        asked += 1;
        return market.paystack.verify(of);
      },
    });
    await market.sweep();
    expect(asked).toBe(0);
    market.pass(DAY_MS);
    await market.sweep();
    expect(asked).toBe(1);
    expect((await shareOf(order.id))?.status).toBe('released');
  });
});

describe('a payment held aside that the bank takes back before its refund, and gives back later', () => {
  const takenBack = async () => {
    const order = await market.paidTwice();
    const reference = order.second.reference;
    await market.control({ raise: 'dispute', reference, id });
    await market.control({ raise: 'chargeback', reference });
    await heard();
    expect((await market.story(order.id)).at(-1)).toBe('RefundCompleted');
    return { ...order, reference };
  };
  const refunded = async (order: string) => {
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    return (await market.stateOf(order)).refunds;
  };

  it('is refunded then, once', async () => {
    const { id: order, reference } = await takenBack();
    await market.control({ raise: 'dispute-won', reference, id });
    await heard();
    expect(await market.story(order)).toContain('RefundUndone');
    const asked: string[] = [];
    market.provider({
      refund: async (request) => {
        asked.push(request.note);
        return market.paystack.refund(request);
      },
    });
    expect(await refunded(order)).toMatchObject([{ sellerId: null, status: 'completed' }]);
    expect(asked).toHaveLength(1);
    expect((await market.stateOf(order)).openDisputes).toEqual([]);
  });

  it('is refunded also where its dispute was won before it came back', async () => {
    const { id: order, reference } = await takenBack();
    market.provider({
      verify: async (of) => {
        const known = await market.paystack.verify(of);
        return known.ok ? { ok: true, value: { ...known.value, status: 'reversed' } } : known;
      },
    });
    await market.control({ raise: 'dispute-won', reference, id });
    await heard();
    expect((await market.story(order)).at(-1)).toBe('RefundCompleted');
    market.provider({});
    await market.sweep();
    expect(await market.story(order)).toContain('RefundUndone');
    expect(await refunded(order)).toMatchObject([{ sellerId: null, status: 'completed' }]);
  });
});

it('a payment that was told of and is still pending is asked after, though the order has expired', async () => {
  const order = await market.ordered();
  market.pass(73 * HOUR);
  await market.sweep();
  await market.control({ fault: 'late-success', reference: order.reference, delayMs: 3 * HOUR });
  await market.press(order.address, 'pay');
  await market.webhook({
    event: 'charge.success',
    data: { reference: order.reference, status: 'success', amount: 1_150_000 },
  });
  await market.sweep();
  market.pass(4 * HOUR);
  await market.sweep();
  expect((await market.story(order.id)).slice(-2)).toEqual(['OrderExpired', 'PaymentVerified']);
});
