import { obligations } from '@oja/contracts/models';
import { transaction } from '@oja/domain';
import { type Payments, StoreUnavailable } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSweep } from '../../src/sweeps/index.js';
import { aBuyer, HOUR, type Market, openMarket } from './market.js';

const MINUTE = 60_000;
const paidStory = ['OrderPlaced', 'PaymentInitialized', 'PaymentVerified'];
const chargeOf = (reference: string) => ({
  event: 'charge.success',
  data: { reference, status: 'success', amount: 1_150_000 },
});

let market: Market;
beforeEach(async () => {
  market = await openMarket();
});
afterEach(() => market.close());

/** A provider that never answers when it is asked about these references. */
const silentAbout = (references: ReadonlySet<string>): Partial<Payments> => ({
  verify: async (reference) =>
    references.has(reference)
      ? { ok: false, reason: 'unreachable' }
      : market.paystack.verify(reference),
});

describe('a webhook while the store is down', () => {
  it('is answered with an error, so that the provider tells it again, and changes nothing', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    const { state } = market.deps;
    const { put } = state;
    state.put = async () => {
      throw new StoreUnavailable('SQLite', 'the disk is away', true);
    };
    const answer = await market.webhook(chargeOf(order.reference));
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('disk');
    state.put = put;
    await market.sweep();
    expect(await market.story(order.id)).toEqual(paidStory.slice(0, 2));

    expect((await market.webhook(chargeOf(order.reference))).status).toBe(200);
    await market.sweep();
    expect(await market.story(order.id)).toEqual(paidStory);
  });
});

describe('orders about which the provider stays silent for ever', () => {
  it('keep no other payment from being looked after, however many they are', async () => {
    const silent = new Set<string>();
    for (let i = 0; i < 12; i += 1) silent.add((await market.ordered()).reference);
    market.pass(1_000);
    const paid = await market.ordered();
    await market.press(paid.address, 'pay');
    market.provider(silentAbout(silent));
    market.pass(2 * MINUTE);

    const known = new Set<string>();
    await market.sweep();
    for (let sweep = 0; sweep < 3; sweep += 1)
      await runSweep(market.deps, market.clock.now(), async () => true, known);
    expect(await market.story(paid.id)).toEqual(paidStory);
    expect(known.size).toBe(silent.size);

    market.provider({});
    await runSweep(market.deps, market.clock.now(), async () => true, known);
    expect(known.size).toBe(0);
  });

  it('are no longer remembered as silent when something else has found out about them', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    market.pass(2 * MINUTE);
    market.provider(silentAbout(new Set([order.reference])));
    await market.sweep();
    const known = new Set<string>();
    await runSweep(market.deps, market.clock.now(), async () => true, known);
    expect(known.size).toBe(1);

    market.provider({});
    await market.verify(order.reference);
    await market.sweep();
    await runSweep(market.deps, market.clock.now(), async () => true, known);
    expect([...known]).toEqual([]);
  });

  it('keep no payment waiting that is answered about again, wherever it stands among them', async () => {
    const orders = [];
    for (let i = 0; i < 12; i += 1) {
      orders.push(await market.ordered());
      market.pass(1_000);
    }
    const [healed] = orders.slice(8);
    if (healed === undefined) throw new Error('nothing was ordered');
    await market.press(healed.address, 'pay');
    const silent = new Set(orders.map(({ reference }) => reference));
    market.provider(silentAbout(silent));
    market.pass(2 * MINUTE);

    const known = new Set<string>();
    const sweepOften = async () => {
      for (let sweep = 0; sweep < 3; sweep += 1)
        await runSweep(market.deps, market.clock.now(), async () => true, known);
    };
    await market.sweep();
    await sweepOften();
    expect(known.size).toBe(silent.size);

    silent.delete(healed.reference);
    await sweepOften();
    expect(await market.story(healed.id)).toEqual(paidStory);
  });

  it('do not hold up the notices of others either', async () => {
    const silent = new Set<string>();
    const orders = [];
    for (let i = 0; i < 8; i += 1) orders.push(await market.ordered());
    const [last, ...others] = orders.sort((a, b) => (a.reference < b.reference ? 1 : -1));
    for (const { reference } of others) silent.add(reference);
    for (const { reference, address } of orders) {
      await market.press(address, 'pay');
      await market.webhook(chargeOf(reference));
    }
    market.provider(silentAbout(silent));
    const known = new Set<string>();
    for (let sweep = 0; sweep < 2; sweep += 1)
      await runSweep(market.deps, market.clock.now(), async () => true, known);
    expect(await market.story(last?.id ?? '')).toEqual(paidStory);
  });
});

describe('a payment that is taken back while a refund is asked for', () => {
  /** A paid order of two sellers, with a refund due for each of `refunded`; then the bank reverses the payment. */
  async function takenBack(refunded: readonly string[]) {
    const head = { sellerId: 'head', by: 'operator' };
    await market.seller('head', { type: 'HeadAdminGranted', data: head });
    await market.seller('bisi');
    await market.goods('pot', 230_000, 'bisi');
    const order = await market.ordered([{ id: 'bag' }, { id: 'pot' }], 13_800);
    await market.press(order.address, 'pay');
    await market.verify(order.reference);
    market.pass(48 * HOUR);
    const complaint = { sellerIds: ['ada', 'bisi'], message: 'A broken zip' };
    await market.call('POST', `/v1/orders/${order.key}/problem`, complaint);
    const token = await market.tokenOf('head');
    for (const sellerId of refunded)
      await market.call(
        'POST',
        `/v1/transactions/${order.id}/resolve`,
        { sellerId, outcome: 'refund' },
        token,
      );
    const known = await market.paystack.verify(order.reference);
    if (!known.ok) throw new Error('the sandbox does not know it');
    let asked = 0;
    market.provider({
      verify: async () => ({ ok: true, value: { ...known.value, status: 'reversed' } }),
      refund: async () => {
        asked += 1;
        return { ok: false, reason: 'refused', message: 'It was reversed' };
      },
    });
    await market.webhook({
      event: 'charge.dispute.create',
      data: { id: 7, transaction: { reference: order.reference } },
    });
    for (let day = 0; day < 3; day += 1) {
      await market.sweep();
      market.pass(24 * HOUR);
    }
    return { story: await market.story(order.id), state: await market.stateOf(order.id), asked };
  }

  it('voids the refund of a part: nothing is asked of the provider', async () => {
    const { story, state, asked } = await takenBack(['ada']);
    expect(asked).toBe(0);
    expect(state.refunds).toMatchObject([{ status: 'void' }]);
    expect(story.slice(-3)).toEqual(['RefundRequested', 'PaymentDisputed', 'PaymentReversed']);
  });

  it('has given back what was to go back whole: it is not asked for at all', async () => {
    const { story, state, asked } = await takenBack(['ada', 'bisi']);
    expect(asked).toBe(0);
    expect(state.refunds).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    expect(story.slice(-2)).toEqual(['RefundCompleted', 'RefundCompleted']);
  });
});

it('a second payment is found although its notice and the queue of checks were lost', async () => {
  const order = await market.begunTwice();
  const { reference, accessCode, authorizationUrl } = order.second;
  await market.happen(transaction, order.id, {
    type: 'PaymentInitialized',
    data: { transactionId: order.id, reference, accessCode, authorizationUrl },
  });
  await market.press(order.address, 'pay');
  await market.verify(order.reference);
  await market.press(authorizationUrl, 'pay');
  market.pass(HOUR);
  await market.sweep();
  expect(await market.story(order.id)).toContain('PaymentMismatched');
  expect((await market.stateOf(order.id)).mismatched).toMatchObject([{ reason: 'second-payment' }]);
});

describe('a payment that is held aside and taken back by the cardholder’s bank', () => {
  /** Pays an order twice. Returns its id and the reference of the second payment, which the bank then reverses. */
  async function paidTwice(): Promise<{ readonly id: string; readonly second: string }> {
    const order = await market.paidTwice();
    const second = order.second.reference;
    const known = await market.paystack.verify(second);
    if (!known.ok) throw new Error('the sandbox does not know it');
    market.provider({
      verify: async (reference) =>
        reference === second
          ? { ok: true, value: { ...known.value, status: 'reversed' } }
          : market.paystack.verify(reference),
      refund: async () => {
        asked += 1;
        return { ok: false, reason: 'refused', message: 'It was reversed' };
      },
    });
    return { id: order.id, second };
  }
  let asked = 0;
  const disputeOf = (reference: string) => ({
    event: 'charge.dispute.create',
    data: { id: 8, transaction: { reference } },
  });

  it('is given back by that, and nothing is asked for, when the notice comes first', async () => {
    const { id, second } = await paidTwice();
    asked = 0;
    await market.webhook(disputeOf(second));
    for (let hour = 0; hour < 3; hour += 1) {
      await market.sweep();
      market.pass(HOUR);
    }
    expect(asked).toBe(0);
    const told = ['PaymentMismatched', 'PaymentDisputed', 'RefundCompleted'];
    expect((await market.story(id)).slice(-3)).toEqual(told);
    const { reversed, refunds, shares } = await market.stateOf(id);
    expect(reversed).toBe(false);
    expect(refunds).toMatchObject([{ sellerId: null, status: 'completed' }]);
    expect(shares).toMatchObject([{ status: 'held' }]);
  });

  it('is asked about once, not every hour for ever, when no notice comes', async () => {
    const { id } = await paidTwice();
    asked = 0;
    for (let hour = 0; hour < 5; hour += 1) {
      await market.sweep();
      market.pass(HOUR);
    }
    expect(asked).toBe(1);
    expect((await market.story(id)).at(-1)).toBe('RefundCompleted');
    await market.sweep();
    const owed = await market.deps.readModels.liveCollection(obligations, 'due');
    const refunds = [{ field: 'kind', op: 'eq', value: 'refund' }] as const;
    expect(await market.deps.documents.count(owed, refunds)).toBe(0);
  });
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
