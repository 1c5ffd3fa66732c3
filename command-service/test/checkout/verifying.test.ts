import { queues } from '@oja/contracts/models';
import { product, seller, streamNames } from '@oja/domain';
import { createPaystack, type Jobs, type VerifiedPayment } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyPayment } from '../../src/checkout/index.js';
import { dueObligations } from '../../src/deps.js';
import { startWorkers } from '../../src/sweeps/index.js';
import { addressOf, HOUR, type Market, openMarket, SECRET } from './market.js';

let market: Market;
beforeEach(async () => {
  market = await openMarket();
});
afterEach(() => market.close());

/** A refund is asked for by the first sweep, and found to be made by the second. */
async function anHourOfSweeps(): Promise<void> {
  await market.sweep();
  market.pass(HOUR);
  await market.sweep();
}
/** How the story ends of a payment that was held aside. */
const refundedStory = ['PaymentMismatched', 'RefundCompleted'];
const paidStory = ['OrderPlaced', 'PaymentInitialized', 'PaymentVerified'];
const success = (reference: string, more: Partial<VerifiedPayment> = {}): VerifiedPayment => ({
  id: '9000000000001',
  reference,
  status: 'success',
  amount: 1_150_000,
  requestedAmount: null,
  currency: 'NGN',
  channel: 'card',
  paidAt: '2026-01-05T13:00:00+01:00',
  fees: 27_250,
  ...more,
});
/** Makes the provider answer this for every reference. */
const saying = (more: Partial<VerifiedPayment>) =>
  market.provider({
    verify: async (reference) => ({ ok: true, value: success(reference, more) }),
  });
const chargeOf = (reference: string) => ({
  event: 'charge.success',
  data: { reference, status: 'success', amount: 1_150_000, customer: { email: 'a@b.example' } },
});

describe('the browser that comes back', () => {
  it('is told that a payment was made, and gets the key of the order it has placed', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    const answer = await market.verify(order.reference, order.cookie);
    expect(answer.body).toEqual({ ok: true, status: 'success', transactionId: order.key });
    expect(answer.headers.get('oja-position')).toMatch(/\.\d{20}$/);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await market.story(order.id)).toEqual(paidStory);
  });

  it('gets no key when it is another browser, or has placed another order', async () => {
    const order = await market.paid();
    const other = await market.paid();
    expect((await market.verify(order.reference)).body).toEqual({ ok: true, status: 'success' });
    const answer = await market.verify(order.reference, other.cookie);
    expect(answer.body).toEqual({ ok: true, status: 'success' });
    const forged = order.cookie.replace(/\.[\w-]{22}/, `.${'A'.repeat(22)}`);
    expect((await market.verify(order.reference, forged)).body.transactionId).toBeUndefined();
  });

  it('is remembered by several orders', async () => {
    const first = await market.ordered();
    const second = await market.initialize([{ id: 'bag' }], 11_500, { cookie: first.cookie });
    const cookie = (second.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    await market.press(first.address, 'pay');
    expect((await market.verify(first.reference, cookie)).body.transactionId).toBe(first.key);
  });

  it('is told that nothing was paid yet, and of a reference that nobody knows', async () => {
    const order = await market.ordered();
    expect((await market.verify(order.reference)).body).toEqual({ ok: false, status: 'abandoned' });
    expect((await market.verify(`${order.id}-7`)).status).toBe(404);
    market.provider({ verify: async () => ({ ok: false, reason: 'not-found' }) });
    const answer = { ok: false, status: 'not-started' };
    expect((await market.verify(order.reference)).body).toEqual(answer);
    market.provider({});
    expect((await market.verify('11111111-1111-4111-8111-111111111111')).status).toBe(404);
    expect((await market.verify('no-reference-of-ours')).status).toBe(404);
  });

  it('is told to ask again when the provider is silent, unless the answer is known', async () => {
    const order = await market.ordered();
    const known = await market.paid();
    market.provider({ verify: async () => ({ ok: false, reason: 'unreachable' }) });
    const answer = await market.verify(order.reference);
    expect([answer.status, answer.body.code]).toEqual([503, 'provider_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect((await market.verify(known.reference)).body.ok).toBe(true);
    const limited = { ok: false, reason: 'rate-limited', retryAfterSeconds: 17 } as const;
    market.provider({ verify: async () => limited });
    expect((await market.verify(order.reference)).headers.get('retry-after')).toBe('17');
  });
});

describe('a payment', () => {
  it('may fail and then succeed', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'decline');
    expect((await market.verify(order.reference)).body).toEqual({ ok: false, status: 'failed' });
    await market.press(order.address, 'pay');
    expect((await market.verify(order.reference)).body.ok).toBe(true);
    expect(await market.story(order.id)).toEqual(paidStory);
  });

  it('is recorded once when twenty ask at the same moment', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    const many = Array.from({ length: 20 }, () => market.verify(order.reference, order.cookie));
    const answers = await Promise.all(many);
    expect(answers.map(({ body }) => body.ok)).toEqual(Array(20).fill(true));
    expect(await market.story(order.id)).toEqual(paidStory);
  });

  it('counts after 71 hours, and also after the order has expired', async () => {
    const late = await market.ordered();
    const later = await market.ordered();
    market.pass(71 * HOUR);
    await market.press(late.address, 'pay');
    await market.sweep();
    expect(await market.story(late.id)).toEqual(paidStory);
    market.pass(2 * HOUR);
    await market.sweep();
    expect(await market.story(later.id)).toEqual([
      'OrderPlaced',
      'PaymentInitialized',
      'OrderExpired',
    ]);
    await market.press(later.address, 'pay');
    expect((await market.verify(later.reference)).body.ok).toBe(true);
  });

  it.each([
    ['amount', { amount: 1_000 }],
    ['amount', { amount: 1_150_000, requestedAmount: 1_000 }],
    ['currency', { currency: 'GHS' }],
  ])('of a wrong %s is held aside, once', async (reason, wrong) => {
    const order = await market.ordered();
    saying(wrong);
    for (let i = 0; i < 3; i += 1)
      expect((await market.verify(order.reference, order.cookie)).body).toEqual({
        ok: false,
        status: 'mismatched',
      });
    const told = [];
    for await (const event of market.deps.eventStore.readStream(`transaction-${order.id}`))
      if (event.type === 'PaymentMismatched') told.push(event.data.reason);
    expect(told).toEqual([reason]);
    expect((await market.stateOf(order.id)).refunds).toMatchObject([
      { sellerId: null, status: 'requested', providerId: '9000000000001' },
    ]);
  });

  it.each(['reversal_pending', 'reversed'])(
    'that is held aside is no success, and not an unknown one, while it goes back: %s',
    async (status) => {
      const order = await market.ordered();
      saying({ amount: 1_000 });
      expect((await market.verify(order.reference)).body.status).toBe('mismatched');
      const data = { ...success(order.reference, { amount: 1_000 }), status };
      const { verify, refunds } = createPaystack({
        url: 'http://paystack.example',
        secret: SECRET,
        send: async ({ url }) => {
          const text = JSON.stringify({ status: true, data: url.includes('/verify/') ? data : [] });
          return { status: 200, retryAfter: null, text };
        },
      });
      market.provider({ verify, refunds });
      const answer = await market.verify(order.reference);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ok: false, status: 'mismatched' });
      market.pass(73 * HOUR);
      await market.sweep();
      expect((await market.stateOf(order.id)).expired).toBe(true);
    },
  );

  it('that is the second for one order is held aside and refunded in full', async () => {
    const order = await market.ordered();
    const second = `${order.id}-2`;
    const payment = { email: 'a@b.example', amount: 1_150_000, currency: 'NGN' } as const;
    const callbackUrl = `${market.publicUrl}/payment/verify`;
    const request = { ...payment, reference: second, callbackUrl, metadata: {} };
    const twice = await market.paystack.initialize(request);
    await market.press(order.address, 'pay');
    if (twice.ok) await market.press(twice.value.authorizationUrl, 'pay');
    await market.verify(order.reference);
    expect((await market.verify(second)).body.ok).toBe(true);
    expect(await market.story(order.id)).toEqual([...paidStory, 'PaymentMismatched']);
    await anHourOfSweeps();
    expect((await market.stateOf(order.id)).refunds).toMatchObject([
      { amount: 1_150_000, status: 'completed' },
    ]);
  });

  it('counts as it was agreed, whatever happened to the goods while it was made', async () => {
    const order = await market.ordered();
    const goods = { productId: 'bag', sellerId: 'ada' };
    const dearer = { ...goods, price: 9_000_000, priceKind: 'update' } as const;
    await market.happen(product, 'bag', { type: 'ProductUpdated', data: dearer });
    await market.happen(product, 'bag', { type: 'ProductRemoved', data: goods });
    const suspended = { sellerId: 'ada', by: 'head' };
    await market.happen(seller, 'ada', { type: 'SellerSuspended', data: suspended });
    await market.press(order.address, 'pay');
    expect((await market.verify(order.reference)).body.ok).toBe(true);
    expect((await market.stateOf(order.id)).shares).toMatchObject([
      { price: 1_150_000, share: 1_000_000, status: 'held' },
    ]);
  });

  it('that was taken back is one no more', async () => {
    const order = await market.paid();
    const { payment } = await market.stateOf(order.id);
    saying({ id: payment?.providerId ?? '', status: 'reversed' });
    await verifyPayment(market.deps, order.reference, 'webhook', { force: true });
    expect((await market.verify(order.reference)).body).toEqual({ ok: false, status: 'reversed' });
  });

  it('that comes after its buyer was erased is refunded in full', async () => {
    const order = await market.ordered();
    await market.deps.keys.destroy(`transaction:${order.id}`);
    await market.press(order.address, 'pay');
    await market.verify(order.reference);
    await anHourOfSweeps();
    expect((await market.story(order.id)).slice(-2)).toEqual(refundedStory);
  });

  it('that comes after a seller of the order was erased is refunded in full, and its buyer is told', async () => {
    await market.seller('bob');
    await market.goods('cap', 230_000, 'bob');
    const order = await market.ordered([{ id: 'bag' }, { id: 'cap' }], 13_800);
    await market.deps.keys.destroy('seller:bob');
    await market.press(order.address, 'pay');
    expect((await market.verify(order.reference)).body).toEqual({ ok: false, status: 'sold_out' });
    await anHourOfSweeps();
    expect((await market.story(order.id)).slice(-2)).toEqual(refundedStory);
    const letters: string[] = [];
    for await (const { subject } of dueObligations(market.deps, 'sold-out', market.clock.now()))
      letters.push(subject);
    expect(letters).toEqual([expect.stringMatching(`^${order.id}/aside-`)]);
  });

  it('of another reference than was asked about is not believed', async () => {
    const order = await market.ordered();
    market.provider({ verify: async () => ({ ok: true, value: success('somebody-elses') }) });
    expect((await market.verify(order.reference)).status).toBe(503);
    expect(await market.story(order.id)).toEqual(['OrderPlaced', 'PaymentInitialized']);
  });
});

describe('the webhook', () => {
  it('may come before initialize has returned', async () => {
    let early = 0;
    market.provider({
      initialize: async (payment) => {
        const answer = await market.paystack.initialize(payment);
        if (answer.ok) await market.press(answer.value.authorizationUrl, 'pay');
        early = (await market.webhook(chargeOf(payment.reference))).status;
        await market.sweep();
        return answer;
      },
    });
    const answer = await market.initialize([{ id: 'bag' }], 11_500);
    expect([answer.status, early]).toEqual([200, 200]);
    const [id = ''] = String(answer.body.transactionId).split('.');
    expect(await market.story(id)).toEqual([
      'OrderPlaced',
      'PaymentVerified',
      'PaymentInitialized',
    ]);
    expect(addressOf(answer)).toBeTruthy();
  });

  it('is the sandbox’s own, delivered twice, and makes one payment', async () => {
    const order = await market.ordered();
    await market.control({ fault: 'duplicate-webhook' });
    await market.press(order.address, 'pay');
    expect(await market.sandbox.deliverDue()).toBe(2);
    await market.sweep();
    expect(await market.story(order.id)).toEqual(paidStory);
  });

  it('leaves nothing to do when its twin is worked on between two looks', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    await market.webhook(chargeOf(order.reference));
    const { state } = market.deps;
    const { put } = state;
    state.put = async (...about) => {
      state.put = put;
      await market.sweep();
      return put(...about);
    };
    expect((await market.webhook(chargeOf(order.reference))).status).toBe(200);
    expect(await market.story(order.id)).toEqual(paidStory);
    expect(await state.list('webhooks', 'todo/', market.clock.now())).toEqual([]);
  });

  it('signed with another key, or not at all, is refused and not kept', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    const body = chargeOf(order.reference);
    expect((await market.webhook(body, 'sk_test_of_somebody_else')).status).toBe(401);
    expect((await market.call('POST', '/v1/paystack/webhook', body)).status).toBe(401);
    expect(await market.deps.state.list('webhooks', '', market.clock.now())).toEqual([]);
    await market.sweep();
    expect(await market.story(order.id)).toEqual(['OrderPlaced', 'PaymentInitialized']);
  });

  it('is never believed by itself', async () => {
    const order = await market.ordered();
    expect((await market.webhook(chargeOf(order.reference))).status).toBe(200);
    await market.sweep();
    expect(await market.story(order.id)).toEqual(['OrderPlaced', 'PaymentInitialized']);
  });

  it('belongs to the story of the request that has placed the order', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    await market.webhook(chargeOf(order.reference));
    await market.sweep();
    const correlations = new Set<string>();
    const stream = market.deps.eventStore.readStream(streamNames.transaction(order.id));
    for await (const { metadata } of stream) correlations.add(metadata.correlationId);
    expect(await market.story(order.id)).toEqual(paidStory);
    expect(correlations.size).toBe(1);
  });

  it('waits in the store until the provider answers', async () => {
    const order = await market.ordered();
    await market.press(order.address, 'pay');
    await market.webhook(chargeOf(order.reference));
    market.provider({ verify: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.sweep();
    expect(await market.story(order.id)).toEqual(['OrderPlaced', 'PaymentInitialized']);
    market.provider({});
    await market.sweep();
    expect(await market.story(order.id)).toEqual(paidStory);
  });

  it('is waited for as long as an order may be paid, and no longer', async () => {
    const order = await market.ordered();
    await market.webhook(chargeOf(order.reference));
    const waiting = async () => {
      await market.sweep();
      return (await market.deps.state.list('webhooks', 'todo/', market.clock.now())).length;
    };
    expect(await waiting()).toBe(1);
    market.pass(72 * HOUR - 1);
    expect(await waiting()).toBe(1);
    market.pass(1);
    expect(await waiting()).toBe(0);
  });

  it('of an unknown kind, or about nothing of ours, is kept and answered 200', async () => {
    const bodies = [
      { event: 'subscription.create', data: {} },
      { event: 'charge.success', data: 'nonsense' },
      { surprise: true },
      chargeOf('not-ours'),
      {
        event: 'transfer.success',
        data: { reference: 'x_0_0', transfer_code: 'T', status: 'success', amount: 5 },
      },
    ];
    for (const body of bodies) expect((await market.webhook(body)).status).toBe(200);
    await market.sweep();
    const kept = await market.deps.state.list('webhooks', 'done/', market.clock.now());
    expect(kept.length).toBe(bodies.length);
    expect(JSON.stringify(kept)).not.toContain('a@b.example');
  });
});

describe('a market with queues', () => {
  it('does not say that a provider has not answered which does not bear a webhook out yet', async () => {
    const order = await market.ordered();
    expect((await market.webhook(chargeOf(order.reference))).status).toBe(200);
    const [waiting] = await market.deps.state.list('webhooks', 'todo/', market.clock.now());
    const data = { key: waiting?.key.slice('todo/'.length) ?? '' };
    const works = new Map<string, Parameters<Jobs['work']>[1]>();
    startWorkers({
      ...market.deps,
      jobs: {
        add: async () => {},
        work(queue, work) {
          works.set(queue, work);
          return { close: async () => {} };
        },
        counts: async () => ({ waiting: 0, delayed: 0, active: 0, failed: 0 }),
        find: async () => null,
        close: async () => {},
      },
    });
    const job = { id: 'a job', queue: queues.webhooks, data, attempt: 1 };
    const worked = works.get(queues.webhooks)?.({ ...job, addedAt: market.clock.now() });
    await expect(worked).rejects.toThrow(
      'the provider has not answered, or does not confirm it yet',
    );
  });

  it('has a webhook worked on at once, without any sweep', async () => {
    const busy = await openMarket({ jobs: true });
    try {
      busy.service.start();
      const order = await busy.ordered();
      await busy.press(order.address, 'pay');
      const ended = new AbortController();
      const told = busy.deps.eventStore.subscribe({ after: null, signal: ended.signal });
      expect((await busy.webhook(chargeOf(order.reference))).status).toBe(200);
      for await (const item of told)
        if (item.kind === 'event' && item.event.type === 'PaymentVerified') break;
      ended.abort();
      expect(await busy.story(order.id)).toEqual(paidStory);
    } finally {
      await busy.close();
    }
  });
});

it('a removed product of a suspended seller still is what its buyer has paid for', async () => {
  const order = await market.ordered();
  await market.happen(product, 'bag', {
    type: 'ProductRemoved',
    data: { productId: 'bag', sellerId: 'ada' },
  });
  await market.happen(seller, 'ada', {
    type: 'SellerSuspended',
    data: { sellerId: 'ada', by: 'operator' },
  });
  await market.press(order.address, 'pay');
  expect((await market.verify(order.reference)).body).toMatchObject({ ok: true });
});
