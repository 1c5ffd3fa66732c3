import { seller, UNCONFIRMED_AFTER_MS } from '@oja/domain';
import { KeyLingers } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadRefunds } from '../../src/checkout/settlement/progress.js';
import { HOUR, type Market, openMarket, settle } from './market.js';

let market: Market;
beforeEach(async () => {
  market = await openMarket();
  const head = { sellerId: 'head', by: 'operator' };
  await market.seller('head', { type: 'HeadAdminGranted', data: head });
});
afterEach(() => market.close());

const confirm = (key: string, body?: object) =>
  market.call('PUT', `/v1/buyers/transactions/${key}`, body);
const problem = (key: string, sellerIds = ['ada']) =>
  market.call('POST', `/v1/orders/${key}/problem`, { sellerIds, message: 'A broken zip' });

describe('whoever holds the key of an order', () => {
  it('confirms the delivery, once', async () => {
    const order = await market.paid();
    const answer = await confirm(order.key);
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    expect(answer.headers.get('oja-position')).toMatch(/\.\d{20}$/);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect((await confirm(order.key)).status).toBe(200);
    expect((await market.story(order.id)).slice(3)).toEqual([
      'DeliveryConfirmed',
      'SellerShareReleased',
    ]);
  });

  it.each([{ recieved: 'DELIVERED' }, { recieved: 'PENDING', status: 'failed', amount: 1 }])(
    'confirms the delivery whatever else the request states: %j',
    async (body) => {
      const order = await market.paid();
      expect((await confirm(order.key, body)).status).toBe(200);
      expect((await market.story(order.id)).slice(3)).toContain('DeliveryConfirmed');
    },
  );

  it('cannot confirm what was not paid', async () => {
    const order = await market.ordered();
    expect((await confirm(order.key)).status).toBe(409);
  });

  it('says that nothing has come, and from 48 hours on what is wrong', async () => {
    const order = await market.paid();
    const notYet = await market.call('POST', `/v1/orders/${order.key}/not-received`);
    expect(notYet.body).toEqual({ success: true });
    expect((await problem(order.key)).status).toBe(409);
    market.pass(48 * HOUR);
    expect((await problem(order.key, ['nobody'])).status).toBe(400);
    expect((await problem(order.key)).status).toBe(200);
    expect((await market.story(order.id)).slice(3)).toEqual(['DeliveryNotYet', 'DeliveryDisputed']);
    for await (const { data } of market.deps.eventStore.readStream(`transaction-${order.id}`))
      expect(JSON.stringify(data)).not.toContain('zip');
  });

  it('is not thanked for a second report, whose words nobody would read', async () => {
    const order = await market.paid();
    market.pass(48 * HOUR);
    expect((await problem(order.key)).status).toBe(200);
    const second = await problem(order.key);
    expect(second.status).toBe(409);
    expect(second.body.message).toMatch(/reported already.*write to us/);
  });
});

describe('a buyer who asks for the receipt again', () => {
  const ask = (key: string) => market.call('POST', `/v1/orders/${key}/receipt`);

  it('is sent it three times a day, to the address of the order alone', async () => {
    const order = await market.paid();
    for (let time = 0; time < 3; time += 1)
      expect(await ask(order.key)).toMatchObject({ status: 200, body: { success: true } });
    const fourth = await ask(order.key);
    expect(fourth.status).toBe(409);
    expect(fourth.body.message).toMatch(/sent 3 times in a day\. Look in your spam folder/);
    market.pass(24 * HOUR);
    expect((await ask(order.key)).status).toBe(200);
    expect((await market.story(order.id)).slice(3)).toEqual(Array(4).fill('ReceiptRequested'));
  });

  it('needs the key of an order that is paid', async () => {
    const order = await market.ordered();
    expect((await ask(order.key)).status).toBe(409);
    expect((await ask(`${order.id}.${'x'.repeat(22)}`)).status).toBe(404);
    const { status } = await market.call('POST', `/v1/orders/${order.key}/receipt`, {
      email: 'somebody@else.example',
    });
    expect(status).toBe(400);
  });
});

describe('a buyer who says No again and again', () => {
  it('is answered the same each time, and noted once a day', async () => {
    const order = await market.paid();
    for (let minute = 0; minute < 30; minute += 1) {
      const answer = await market.call('POST', `/v1/orders/${order.key}/not-received`);
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
      market.pass(60_000);
    }
    market.pass(24 * HOUR);
    await market.call('POST', `/v1/orders/${order.key}/not-received`);
    expect((await market.story(order.id)).slice(3)).toEqual(['DeliveryNotYet', 'DeliveryNotYet']);
  });
});

describe('everybody else', () => {
  it('finds no order: with a wrong secret, another order’s, or a guessed id', async () => {
    const order = await market.paid();
    const other = await market.paid();
    const [, secret = ''] = other.key.split('.');
    const keys = [
      `${order.id}.${'A'.repeat(22)}`,
      `${order.id}.${secret}`,
      `11111111-1111-4111-8111-111111111111.${secret}`,
      order.id,
      `${order.id}.`,
    ];
    for (const key of keys) {
      const answers = [
        await confirm(key),
        await problem(key),
        await market.call('POST', `/v1/orders/${key}/not-received`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(answers[0]?.headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect(await market.story(order.id)).toHaveLength(3);
  });
});

describe('the head admin', () => {
  const resolve = async (id: string, outcome: string, as = 'head') =>
    market.call(
      'POST',
      `/v1/transactions/${id}/resolve`,
      { sellerId: 'ada', outcome, note: 'They sent a picture' },
      await market.tokenOf(as),
    );
  const remove = async (id: string, as = 'head') =>
    market.call('DELETE', `/v1/buyers/${id}`, undefined, await market.tokenOf(as));

  async function disputed() {
    const order = await market.paid();
    market.pass(48 * HOUR);
    await problem(order.key);
    return order;
  }

  it('alone settles disputes and removes records: sellers and other admins are refused', async () => {
    const sub = { sellerId: 'sub', by: 'operator' };
    await market.seller('sub', { type: 'SubAdminGranted', data: sub });
    const { id } = await disputed();
    for (const other of ['sub', 'ada']) {
      for (const outcome of ['release', 'refund'])
        expect((await resolve(id, outcome, other)).status).toBe(403);
      expect((await remove(id, other)).status).toBe(403);
    }
    expect((await market.story(id)).at(-1)).toBe('DeliveryDisputed');
    expect(await market.deps.keys.isDestroyed(`transaction:${id}`)).toBe(false);
  });

  it('releases a disputed share', async () => {
    const { id } = await disputed();
    expect((await resolve(id, 'release')).status).toBe(200);
    expect((await market.stateOf(id)).shares[0]?.status).toBe('released');
    expect((await resolve(id, 'release')).status).toBe(409);
    expect((await resolve('nothing', 'release')).status).toBe(404);
  });

  it('gives it back to the buyer, asked of the provider once although its answer was lost', async () => {
    const { id } = await disputed();
    expect((await resolve(id, 'refund')).status).toBe(200);
    let asked = 0;
    market.provider({
      refund: async (request) => {
        asked += 1;
        await market.paystack.refund(request);
        return { ok: false, reason: 'unreachable' };
      },
    });
    for (let minute = 0; minute < 5; minute += 1) {
      await market.sweep();
      market.pass(60_000);
    }
    expect(asked).toBe(1);
    expect((await market.stateOf(id)).refunds).toMatchObject([
      { amount: 1_150_000, status: 'completed' },
    ]);
  });

  it('asks again for a refund that the provider could not make, and hears of it by webhook', async () => {
    const { id } = await disputed();
    await resolve(id, 'refund');
    await market.control({ fault: 'fail-refund' });
    await market.sweep();
    market.pass(60_000);
    await market.sandbox.deliverDue();
    await market.sweep();
    expect((await market.stateOf(id)).refunds[0]?.status).toBe('failed');
    market.pass(HOUR);
    await market.sweep();
    market.pass(60_000);
    expect(await market.sandbox.deliverDue()).toBe(1);
    await market.sweep();
    expect((await market.story(id)).slice(-3)).toEqual([
      'RefundRequested',
      'RefundFailed',
      'RefundCompleted',
    ]);
  });

  it('remembers that somebody must act at the provider, until the refund goes on', async () => {
    const { id } = await disputed();
    await resolve(id, 'refund');
    await market.control({ fault: 'stall-refund' });
    const remembered = async () => {
      market.pass(HOUR);
      await market.sweep();
      const [stored] = (await loadRefunds(market.deps, id)).values();
      return stored?.progress;
    };
    await market.sweep();
    expect(await remembered()).toMatchObject({ needsSomebody: true });
    market.provider({
      refunds: async (of) => {
        const listed = await market.paystack.refunds(of);
        const goesOn = { status: 'processing' } as const;
        if (!listed.ok) return listed;
        return { ok: true, value: listed.value.map((refund) => ({ ...refund, ...goesOn })) };
      },
    });
    expect(await remembered()).not.toHaveProperty('needsSomebody');
  });

  it('keeps the record of a buyer whose refund waits for somebody: it may need their bank account', async () => {
    await market.seller('bisi');
    await market.goods('pot', 230_000, 'bisi');
    const { id, key, address, reference } = await market.ordered(
      [{ id: 'bag' }, { id: 'pot' }],
      13_800,
    );
    await market.press(address, 'pay');
    await market.verify(reference);
    market.pass(48 * HOUR);
    for (const act of [problem, confirm]) expect((await act(key)).status).toBe(200);
    await resolve(id, 'refund');
    await market.control({ fault: 'stall-refund' });
    await market.sweep();
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'refund_owed' } });
  });

  it('settles what nobody has confirmed for long, and reads of no dispute that never was', async () => {
    const { id } = await market.paid();
    market.pass(UNCONFIRMED_AFTER_MS);
    expect(await resolve(id, 'release')).toMatchObject({
      status: 200,
      body: { message: 'It is settled: the money is released to the seller' },
    });
  });

  it('is told of each time that a refund fails, also after the payment had gone and come back', async () => {
    await market.seller('bisi');
    await market.goods('pot', 230_000, 'bisi');
    const order = await market.ordered([{ id: 'bag' }, { id: 'pot' }], 13_800);
    await market.press(order.address, 'pay');
    await market.verify(order.reference);
    market.pass(48 * HOUR);
    await problem(order.key);
    await resolve(order.id, 'refund');
    market.provider({
      refund: async () => ({ ok: false, reason: 'refused', message: 'The card is closed' }),
    });
    await market.sweep();
    const bank = async (...acts: readonly string[]) => {
      for (const raise of acts) await market.control({ raise, reference: order.reference, id: 7 });
      await market.sandbox.deliverDue();
      await market.sweep();
    };
    await bank('dispute', 'chargeback');
    expect((await market.stateOf(order.id)).refunds).toMatchObject([{ status: 'void' }]);
    await bank('dispute-won');
    for (let hour = 0; hour < 3; hour += 1) {
      market.pass(HOUR);
      await market.sweep();
    }
    expect((await market.stateOf(order.id)).refunds).toMatchObject([{ status: 'failed' }]);
    const failures = (await market.story(order.id)).filter((type) => type === 'RefundFailed');
    expect(failures).toHaveLength(2);
  });

  it.each([
    ['has no time', { ok: false, reason: 'rate-limited', retryAfterSeconds: 30 }],
    ['refuses the key of the market', { ok: false, reason: 'unauthorized', message: 'No' }],
  ] as const)(
    'asks again for a refund every hour where the provider %s, which is no failure of it',
    async (_, failure) => {
      const { id } = await disputed();
      await resolve(id, 'refund');
      let asked = 0;
      market.provider({
        refund: async () => {
          asked += 1;
          return failure;
        },
      });
      for (let hour = 0; hour < 4; hour += 1) {
        await market.sweep();
        market.pass(HOUR);
      }
      expect(asked).toBe(4);
      expect((await market.stateOf(id)).refunds).toMatchObject([{ status: 'requested' }]);
      market.provider({});
      market.pass(HOUR);
      await market.sweep();
      market.pass(60_000);
      await market.sandbox.deliverDue();
      await market.sweep();
      expect((await market.story(id)).slice(-2)).toEqual(['RefundRequested', 'RefundCompleted']);
    },
  );

  it('asks ever less often for a refund that is refused for good, and takes one made by hand', async () => {
    const { id } = await disputed();
    await resolve(id, 'refund');
    const asked: number[] = [];
    const start = market.clock.now();
    market.provider({
      refund: async () => {
        asked.push((market.clock.now() - start) / HOUR);
        return { ok: false, reason: 'refused', message: 'The card of ada@example.com is closed' };
      },
    });
    for (let hour = 0; hour < 96; hour += 1) {
      await market.sweep();
      market.pass(HOUR);
    }
    expect(asked).toEqual([0, 1, 3, 7, 15, 31, 55, 79]);
    expect((await market.story(id)).slice(-2)).toEqual(['RefundRequested', 'RefundFailed']);
    // The log is never rewritten, so no erasure could reach an address in what the provider said.
    let reason: unknown;
    for await (const { data } of market.deps.eventStore.readStream(`transaction-${id}`))
      reason = data.reason;
    expect(reason).toBe('The card of [e-mail] is closed');

    const { payment, refunds } = await market.stateOf(id);
    const transaction = payment?.providerId ?? '';
    await market.paystack.refund({ transaction, amount: 1_150_000, note: 'by hand' });
    market.pass(60_000);
    await market.sandbox.deliverDue();
    await market.sweep();
    expect(refunds).toMatchObject([{ status: 'failed' }]);
    expect((await market.stateOf(id)).refunds).toMatchObject([{ status: 'completed' }]);
    expect(asked).toHaveLength(8);
  });

  it('removes a delivered record, and with it all that could be read of its buyer', async () => {
    const order = await market.paid();
    const subject = `transaction:${order.id}`;
    expect((await remove(order.id)).status).toBe(409);
    await confirm(order.key);
    const answer = await remove(order.id);
    expect([answer.status, answer.body.success]).toEqual([200, true]);
    expect(answer.headers.get('oja-position')).toMatch(/\.\d{20}$/);
    expect(await market.deps.keys.isDestroyed(subject)).toBe(true);
    expect((await confirm(order.key)).status).toBe(404);
    expect((await market.verify(order.reference, order.cookie)).body).toEqual({
      ok: true,
      status: 'success',
    });
    expect((await remove(order.id)).status).toBe(200);
    expect((await remove('nobody')).status).toBe(404);
  });

  it('need not wait for a key that could not be destroyed at once: it is owed', async () => {
    const order = await market.paid();
    await confirm(order.key);
    const { keys } = market.deps;
    const { destroy } = keys;
    keys.destroy = async () => {
      throw new Error('the disk is away');
    };
    expect((await remove(order.id)).status).toBe(200);
    keys.destroy = destroy;
    await market.sweep();
    expect(await keys.isDestroyed(`transaction:${order.id}`)).toBe(true);
  });
});

describe('whoever runs the market', () => {
  it('settles what nobody confirms, not before its time', async () => {
    const { id } = await market.paid();
    market.pass(UNCONFIRMED_AFTER_MS - HOUR);
    expect(await settle(market, id, 'refund')).toMatchObject({
      ok: false,
      refusal: { code: 'no_dispute' },
    });
    market.pass(HOUR);
    expect((await settle(market, id, 'refund')).ok).toBe(true);
    expect((await market.story(id)).slice(-2)).toEqual(['DisputeResolved', 'RefundRequested']);
  });

  it('cannot settle it for a reason that is blank', async () => {
    const { id } = await market.paid();
    market.pass(UNCONFIRMED_AFTER_MS);
    for (const note of ['', ' \n'])
      expect(await settle(market, id, 'refund', { note })).toMatchObject({
        ok: false,
        refusal: { code: 'invalid_field' },
      });
  });

  it('settles the order of a buyer who was erased as they paid, though nothing can be sealed for them', async () => {
    const { id } = await market.paid();
    await market.deps.keys.destroy(`transaction:${id}`);
    market.pass(UNCONFIRMED_AFTER_MS);
    expect(await settle(market, id, 'refund')).toMatchObject({ ok: true });
  });
});

describe('a key that a reader keeps on the disk', () => {
  it('is owed until it is gone: the answer does not wait for it, each sweep tries again', async () => {
    const order = await market.paid();
    await confirm(order.key);
    const { keys } = market.deps;
    const { destroy } = keys;
    const subject = `transaction:${order.id}`;
    let tries = 0;
    keys.destroy = async (of) => {
      await destroy(of);
      tries += 1;
      if (tries < 3) throw new KeyLingers(of);
      return true;
    };
    const token = await market.tokenOf('head');
    const removed = await market.call('DELETE', `/v1/buyers/${order.id}`, undefined, token);
    expect([removed.status, tries]).toEqual([200, 1]);
    for (const expected of [2, 3, 3]) {
      await market.sweep();
      expect(tries).toBe(expected);
    }
    expect(await keys.isDestroyed(subject)).toBe(true);
  });
});

describe('a suspended seller', () => {
  it('keeps the money of orders that were paid', async () => {
    const order = await market.paid();
    const suspended = { sellerId: 'ada', by: 'head' };
    await market.happen(seller, 'ada', { type: 'SellerSuspended', data: suspended });
    await confirm(order.key);
    expect((await market.stateOf(order.id)).shares[0]?.status).toBe('released');
  });
});
