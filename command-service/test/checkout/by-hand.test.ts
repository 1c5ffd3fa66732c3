import { PAYOUT_CLEARS_AFTER_MS, transaction } from '@oja/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { endTransfer, listPayable, markPaid } from '../../src/checkout/index.js';
import { HOUR, type Market } from './market.js';
import { openReleased, transfersOf } from './released.js';

let market: Market;
afterEach(() => market.close());

/** A paid order whose buyer has confirmed the delivery. */
async function released(payouts: boolean) {
  const opened = await openReleased(payouts);
  market = opened.market;
  return opened.order.id;
}

const shareOf = async (id: string) => (await market.stateOf(id)).shares[0];

describe('a released share', () => {
  it('waits for the operator, who sees where to pay and marks it paid once', async () => {
    const id = await released(false);
    await market.sweep();
    expect(await listPayable(market.deps)).toMatchObject([
      {
        transactionId: id,
        sellerId: 'ada',
        amount: 1_000_000,
        payoutId: null,
        account: { name: 'Ada Obi', accountNumber: '0123456789', bankCode: '058' },
      },
    ]);
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({ ok: true });
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({ ok: true });
    expect((await market.story(id)).slice(-2)).toEqual(['PayoutRequested', 'PayoutCompleted']);
    for (const settle of [markPaid, endTransfer])
      expect(await settle(market.deps, id, 'nobody', 'in cash')).toMatchObject({
        refusal: { code: 'no_share' },
      });
    await market.sweep();
    expect(await listPayable(market.deps)).toEqual([]);
  });

  it('is listed as disputed while the bank disputes the payment that counts', async () => {
    const id = await released(false);
    const disputed = async () => {
      await market.sandbox.deliverDue();
      await market.sweep();
      return (await listPayable(market.deps)).map((share) => share.isDisputed);
    };
    expect(await disputed()).toEqual([false]);
    await market.control({ raise: 'dispute', reference: id, id: 358_950 });
    expect(await disputed()).toEqual([true]);
    await market.control({ raise: 'dispute-won', reference: id, id: 358_950 });
    expect(await disputed()).toEqual([false]);
  });

  it.each(['', ' \n'])('is not given up for a reason that is blank (%j)', async (blank) => {
    const id = await released(true);
    await market.sweep();
    market.provider({
      verifyTransfer: async (reference) => ({
        ok: true,
        value: { reference, amount: 1_000_000, status: 'otp' },
      }),
    });
    market.pass(HOUR);
    expect(await markPaid(market.deps, id, 'ada', blank)).toMatchObject({
      ok: false,
      refusal: { code: 'under_way' },
    });
    expect(await endTransfer(market.deps, id, 'ada', blank)).toMatchObject({
      ok: false,
      refusal: { code: 'invalid_field' },
    });
    expect((await shareOf(id))?.status).toBe('payout-requested');
  });

  it('has no payout to end before one is asked for', async () => {
    const id = await released(false);
    expect(await endTransfer(market.deps, id, 'ada', 'stuck')).toMatchObject({
      ok: false,
      refusal: { code: 'no_payout' },
    });
    expect((await market.story(id)).at(-1)).toBe('SellerShareReleased');
  });

  it.each([
    ['paid by hand', markPaid],
    ['ended', endTransfer],
  ])('is not %s while a sweep works on it at the same moment', async (_, settle) => {
    const id = await released(true);
    await market.sweep();
    market.pass(HOUR);
    const { state } = market.deps;
    let isFirst = true;
    const meanwhile: typeof state.put = async (space, ...entry) => {
      const isOurs = space === 'payouts' && isFirst;
      if (isOurs) isFirst = false;
      if (isOurs) await market.sweep();
      return state.put(space, ...entry);
    };
    market.provider({
      verifyTransfer: async (reference) => ({
        ok: true,
        value: { reference, amount: 1_000_000, status: 'otp' },
      }),
    });
    const deps = { ...market.deps, state: { ...state, put: meanwhile } };
    expect(await settle(deps, id, 'ada', 'in cash')).toMatchObject({
      ok: false,
      refusal: { code: 'conflict' },
    });
    expect((await market.story(id)).at(-1)).toBe('PayoutRequested');
    expect(await settle(market.deps, id, 'ada', 'in cash')).toMatchObject({ ok: true });
  });

  it('that earlier releases began to pay by hand is not sent as well, and no bank is asked about it', async () => {
    const id = await released(true);
    const at = new Date(market.clock.now()).toISOString();
    const of = { transactionId: id, sellerId: 'ada', payoutId: `${id}_0_0`, amount: 1_000_000, at };
    await market.happen(transaction, id, {
      type: 'PayoutRequested',
      data: { ...of, method: 'manual' },
    });
    await market.sweep();
    expect(await listPayable(market.deps)).toMatchObject([
      { payoutId: `${id}_0_0`, method: 'manual' },
    ]);
    await market.happen(transaction, id, { type: 'PayoutCompleted', data: of });
    market.pass(PAYOUT_CLEARS_AFTER_MS);
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PayoutCleared');
    expect(await transfersOf(market)).toEqual([]);
  });

  it('is marked paid by hand also with a reason that is blank, where none is needed', async () => {
    const id = await released(false);
    expect(await markPaid(market.deps, id, 'ada', ' ')).toMatchObject({ ok: true });
    expect((await shareOf(id))?.status).toBe('paid-out');
  });

  it.each([
    ['says ‘Invalid key’', { ok: false, reason: 'unauthorized', message: 'Invalid key' }],
    ['does not answer', { ok: false, reason: 'unreachable' }],
    ['does not answer', { ok: false, reason: 'rate-limited', retryAfterSeconds: 30 }],
  ] as const)(
    'is not called one that the provider is paying where it %s',
    async (answer, failure) => {
      const id = await released(true);
      await market.sweep();
      market.provider({ verifyTransfer: async () => failure });
      expect(await markPaid(market.deps, id, 'ada')).toMatchObject({
        refusal: {
          code: 'under_way',
          message: expect.stringContaining(`and the provider ${answer.replace(/[‘’]/g, "'")};`),
        },
      });
    },
  );
});
