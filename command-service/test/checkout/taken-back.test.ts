import { obligations } from '@oja/contracts/models';
import type { Payments } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR, type Market, openMarket } from './market.js';

let market: Market;
beforeEach(async () => {
  market = await openMarket();
});
afterEach(() => market.close());

describe('a payment that is taken back while a refund is asked for', () => {
  let asked = 0;
  /** A paid order of two sellers, with a refund due for each of `refunded`. The bank reverses the payment, of which no notice comes. */
  async function reversed(refunded: readonly string[]) {
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
    asked = 0;
    const provider: Partial<Payments> = {
      verify: async () => ({ ok: true, value: { ...known.value, status: 'reversed' } }),
      refund: async () => {
        asked += 1;
        return { ok: false, reason: 'refused', message: 'It was reversed' };
      },
    };
    market.provider(provider);
    return { ...order, provider };
  }
  const disputed = (reference: string) =>
    market.webhook({
      event: 'charge.dispute.create',
      data: { id: 7, transaction: { reference } },
    });
  async function threeDays() {
    for (let day = 0; day < 3; day += 1) {
      await market.sweep();
      market.pass(24 * HOUR);
    }
  }
  async function takenBack(refunded: readonly string[]) {
    const order = await reversed(refunded);
    await disputed(order.reference);
    await threeDays();
    return { story: await market.story(order.id), state: await market.stateOf(order.id), asked };
  }

  it('voids the refund of a part: nothing is asked of the provider', async () => {
    const { story, state, asked } = await takenBack(['ada']);
    expect(asked).toBe(0);
    expect(state.refunds).toMatchObject([{ status: 'void' }]);
    expect(story.slice(-3)).toEqual(['RefundRequested', 'PaymentDisputed', 'PaymentReversed']);
  });

  it('is asked for once when no notice comes, and did not fail', async () => {
    const { id } = await reversed(['ada']);
    await threeDays();
    expect(asked).toBe(1);
    expect((await market.story(id)).slice(-2)).toEqual(['RefundRequested', 'PaymentReversed']);
    expect((await market.stateOf(id)).refunds).toMatchObject([{ status: 'void' }]);
  });

  it('is judged once the provider has told what it has refunded, and not before', async () => {
    const { id, reference, provider } = await reversed(['ada']);
    market.provider({ ...provider, refunds: async () => ({ ok: false, reason: 'unreachable' }) });
    await disputed(reference);
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PaymentDisputed');
    const [due] = (await market.stateOf(id)).refunds;
    const { refundId: note = '', amount = 0 } = due ?? {};
    const made = { id: 'of Ada', amount, note, disputeId: null, status: 'processed' } as const;
    market.provider({ ...provider, refunds: async () => ({ ok: true, value: [made] }) });
    await market.sweep();
    expect((await market.story(id)).slice(-2)).toEqual(['RefundCompleted', 'PaymentReversed']);
    expect((await market.stateOf(id)).reversedAmount).toBe(230_000);
  });

  it('has given back what was to go back whole: it is not asked for at all', async () => {
    const { story, state, asked } = await takenBack(['ada', 'bisi']);
    expect(asked).toBe(0);
    expect(state.refunds).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    expect(story.slice(-2)).toEqual(['RefundCompleted', 'RefundCompleted']);
  });

  it('has given it back only until the bank returns it, for which its won dispute waits', async () => {
    const { id, reference } = await reversed(['ada', 'bisi']);
    await disputed(reference);
    await market.sweep();
    const data = { id: 7, resolution: 'declined', transaction: { reference } };
    await market.webhook({ event: 'charge.dispute.resolve', data });
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('RefundCompleted');
    market.provider({});
    await market.sweep();
    expect((await market.story(id)).slice(-3)).toEqual([
      'RefundUndone',
      'RefundUndone',
      'PaymentDisputeClosed',
    ]);
  });
});

describe('a dispute that is lost', () => {
  const sent = async () => {
    await market.sandbox.deliverDue();
    await market.sweep();
  };

  it('is closed with that where the payment has gone', async () => {
    const { id, reference } = await market.paid();
    for (const raise of ['dispute', 'dispute-lost'])
      await market.control({ raise, reference, id: 7 });
    await sent();
    expect(await market.story(id)).toContain('PaymentReversed');
    expect((await market.stateOf(id)).openDisputes).toEqual([]);
  });

  it('stays open until the payment goes, which is found although no notice says so', async () => {
    const { id, reference } = await market.paid();
    await market.control({ raise: 'dispute', reference, id: 7 });
    await sent();
    const data = { id: 7, resolution: 'merchant-accepted', transaction: { reference } };
    const warn = vi.spyOn(market.deps.logger, 'warn');
    await market.webhook({ event: 'charge.dispute.resolve', data });
    await market.sweep();
    expect((await market.stateOf(id)).openDisputes).toMatchObject([{ disputeId: '7' }]);
    // The provider may have given back a part alone, of which nothing else would tell.
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ reference, disputeId: '7' }),
      expect.stringContaining('the payment has not gone'),
    );
    await market.control({ raise: 'chargeback', reference });
    market.pass(24 * HOUR);
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PaymentReversed');
  });
});

it('a payment that was begun is told of as that, though another one of its order is held aside', async () => {
  const order = await market.begunTwice();
  await market.press(order.address, 'pay');
  const paid = await market.paystack.verify(order.reference);
  if (!paid.ok) throw new Error('the sandbox does not know it');
  market.provider({
    verify: async (of) =>
      of === order.reference
        ? { ok: true, value: { ...paid.value, amount: 1 } }
        : market.paystack.verify(of),
  });
  expect((await market.verify(order.reference)).body).toMatchObject({ status: 'mismatched' });
  expect((await market.verify(order.second.reference)).body).toMatchObject({ status: 'abandoned' });
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

  it.each([
    ['the payment that counts', 'while the other one is gone'],
    ['the other one', 'while the payment that counts is gone'],
  ])('leaves a dispute of %s to be over at once when it is won %s', async (disputed) => {
    const { id, second } = await paidTwice();
    const [reference, gone] = disputed === 'the other one' ? [second, id] : [id, second];
    market.provider({
      verify: async (of) => {
        const known = await market.paystack.verify(of);
        return known.ok && of === gone
          ? { ok: true, value: { ...known.value, status: 'reversed' } }
          : known;
      },
    });
    await market.webhook(disputeOf(gone));
    await market.sweep();
    const { reversed, refunds } = await market.stateOf(id);
    expect([reversed, refunds[0]?.byReversal]).toEqual([gone === id, gone === second]);
    const data = { id: 9, transaction: { reference } };
    await market.webhook({ event: 'charge.dispute.create', data });
    await market.sweep();
    const won = { ...data, resolution: 'declined' };
    await market.webhook({ event: 'charge.dispute.resolve', data: won });
    await market.sweep();
    expect((await market.stateOf(id)).openDisputes).toMatchObject([{ reference: gone }]);
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
