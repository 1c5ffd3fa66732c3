import { transaction } from '@oja/domain';
import { type Payments, StoreUnavailable } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitingWebhooks } from '../../src/checkout/index.js';
import { workWebhook } from '../../src/checkout/webhook.js';
import { runSweep } from '../../src/sweeps/index.js';
import { HOUR, type Market, openMarket } from './market.js';

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

it('a disputed payment is asked about at the next sweep where the provider did not answer, not the next day', async () => {
  const { id, reference } = await market.paid();
  await market.control({ raise: 'dispute', reference, id: 358_950 });
  await market.sandbox.deliverDue();
  await market.sweep();
  market.pass(24 * HOUR);
  await market.control({ raise: 'chargeback', reference });
  market.provider({ verify: async () => ({ ok: false, reason: 'unreachable' }) });
  await market.sweep();
  expect((await market.story(id)).at(-1)).toBe('PaymentDisputed');
  market.provider({});
  await market.sweep();
  expect((await market.story(id)).at(-1)).toBe('PaymentReversed');
});

it('the notice that a dispute is won waits for a provider that does not answer', async () => {
  const { id, reference } = await market.paid();
  const heard = async () => {
    await market.sandbox.deliverDue();
    await market.sweep();
  };
  await market.control({ raise: 'dispute', reference, id: 358_950 });
  await market.control({ raise: 'chargeback', reference });
  await heard();
  expect((await market.story(id)).at(-1)).toBe('PaymentReversed');
  await market.control({ raise: 'dispute-won', reference, id: 358_950 });
  market.provider({ verify: async () => ({ ok: false, reason: 'unreachable' }) });
  await heard();
  expect((await market.stateOf(id)).openDisputes).toHaveLength(1);
  market.provider({});
  await market.sweep();
  const told = ['PaymentRestored', 'PaymentDisputeClosed'];
  expect((await market.story(id)).slice(-2)).toEqual(told);
});

it('a job about a notice that a sweep has worked off already has nothing to do', async () => {
  const order = await market.ordered();
  await market.press(order.address, 'pay');
  await market.webhook(chargeOf(order.reference));
  const keys: string[] = [];
  for await (const { key } of waitingWebhooks(market.deps)) keys.push(key);
  await market.sweep();
  expect(await market.story(order.id)).toEqual(paidStory);
  expect(keys).toHaveLength(1);
  for (const key of keys) expect(await workWebhook(market.deps, key)).toBe(true);
});

it('the notice of a payment that is held aside does not wait for the end of its refund', async () => {
  const { second } = await market.paidTwice();
  await market.sweep();
  expect(await market.paystack.verify(second.reference)).toMatchObject({
    value: { status: 'pending' },
  });
  await market.webhook(chargeOf(second.reference));
  await market.sweep();
  for await (const { key } of waitingWebhooks(market.deps)) expect(key).toBe('none waits');
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
