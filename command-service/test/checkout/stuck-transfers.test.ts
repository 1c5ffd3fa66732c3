import { PAYOUT_CLEARS_AFTER_MS } from '@oja/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { endTransfer, listPayable, markPaid, verifyPayment } from '../../src/checkout/index.js';
import { HOUR, type Market } from './market.js';
import { openReleased, setAccount, transfersOf } from './released.js';

const MINUTE = 60_000;

let market: Market;
afterEach(() => market.close());

async function released() {
  const opened = await openReleased(true);
  market = opened.market;
  return opened.order.id;
}

const shareOf = async (id: string) => (await market.stateOf(id)).shares[0];

/** The provider makes each transfer, and its answer is lost. */
const loseAnswers = () =>
  market.provider({
    transfer: async (request) => {
      await market.paystack.transfer(request);
      return { ok: false, reason: 'unreachable' };
    },
  });

describe('a transfer', () => {
  it('whose first answer was lost is found at a provider that takes no reference twice', async () => {
    const id = await released();
    loseAnswers();
    await market.sweep();
    for (let look = 0; look < 3; look += 1) {
      market.pass(10 * MINUTE);
      await market.sweep();
    }
    expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_0` });
    expect(await transfersOf(market)).toEqual([`${id}_0_0`]);
  });

  it('that the provider has and does not show yet is not made twice, nor tried later', async () => {
    const id = await released();
    loseAnswers();
    await market.sweep();
    market.pass(10 * MINUTE);
    let asked = 0;
    market.provider({
      verifyTransfer: async (reference) => {
        asked += 1;
        if (asked === 1) return { ok: false, reason: 'not-found' };
        return market.paystack.verifyTransfer(reference);
      },
    });
    await market.sweep();
    expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_0` });
    expect(await transfersOf(market)).toEqual([`${id}_0_0`]);
  });

  it.each([
    ['is paid where it has arrived', null, 'paid-out'],
    ['is paid by hand where it has failed', 'failed', 'released'],
  ])('that was sent before transfers were switched off %s', async (_, outcome, status) => {
    const id = await released();
    if (outcome !== null) await market.control({ fault: 'end-transfer', outcome });
    loseAnswers();
    await market.sweep();
    expect(await shareOf(id)).toMatchObject({ status: 'payout-requested' });
    Object.assign(market.deps.settings, { payouts: false });
    for (let look = 0; look < 3; look += 1) {
      market.pass(10 * MINUTE);
      await market.sweep();
    }
    expect(await shareOf(id)).toMatchObject({ status });
    expect(await transfersOf(market)).toEqual([`${id}_0_0`]);
  });

  it('that was asked for, but not sent before transfers were switched off, is not sent', async () => {
    const id = await released();
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.sweep();
    market.provider({});
    Object.assign(market.deps.settings, { payouts: false });
    market.pass(10 * MINUTE);
    await market.sweep();
    expect(await shareOf(id)).toMatchObject({ status: 'payout-requested' });
    expect(await transfersOf(market)).toEqual([]);
  });

  it.each(['abandoned', 'blocked', 'rejected'])(
    'that was %s has ended, and is made again under another reference',
    async (outcome) => {
      const id = await released();
      await market.control({ fault: 'end-transfer', outcome });
      await market.sweep();
      market.pass(10 * MINUTE);
      await market.sweep();
      expect(await market.story(id)).toContain('PayoutFailed');
      market.pass(HOUR);
      await market.sweep();
      market.pass(HOUR);
      await market.sweep();
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_1` });
    },
  );

  it('that was asked for is not sent to another bank, where the number of the account ends alike', async () => {
    const id = await released();
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.sweep();
    await setAccount(market, '9876456789', '057');
    market.provider({});
    market.pass(HOUR);
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PayoutFailed');
    expect((await shareOf(id))?.givenUp).toEqual([`${id}_0_0`]);
    expect(await transfersOf(market)).toEqual([]);
    market.pass(HOUR);
    await market.sweep();
    expect(await transfersOf(market)).toEqual([`${id}_0_1`]);
  });

  it('that waits for somebody says so, and ends by itself when nobody comes', async () => {
    const id = await released();
    await market.control({ fault: 'end-transfer', outcome: 'otp' });
    await market.sweep();
    market.pass(10 * MINUTE);
    await market.sweep();
    const [waiting] = await listPayable(market.deps);
    expect(waiting).toMatchObject({ method: 'transfer', says: 'otp', needsSomebody: true });
    market.pass(HOUR);
    await market.sweep();
    expect(await market.story(id)).toContain('PayoutFailed');
  });

  it('is settled by an operator at any time, with a reason, and never paid again', async () => {
    const id = await released();
    await market.control({ fault: 'end-transfer', outcome: 'otp' });
    await market.sweep();
    market.pass(5 * MINUTE);
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({
      ok: false,
      refusal: {
        code: 'under_way',
        message: expect.stringContaining(
          "is paying this share by transfer already (it says 'otp')",
        ),
      },
    });
    const reason = 'paid in cash at the stall';
    expect(await markPaid(market.deps, id, 'ada', reason)).toMatchObject({ ok: true });
    expect((await market.story(id)).slice(-3)).toEqual([
      'PayoutFailed',
      'PayoutRequested',
      'PayoutCompleted',
    ]);
    for (let look = 0; look < 3; look += 1) {
      market.pass(HOUR);
      await market.sandbox.deliverDue();
      await market.sweep();
    }
    expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_1` });
    expect(await transfersOf(market)).toEqual([`${id}_0_0`]);
  });

  it.each([
    ['paid by hand', markPaid],
    ['ended', endTransfer],
  ])('that has arrived unheard is recorded as that when it is to be %s', async (_, settle) => {
    const id = await released();
    await market.sweep();
    market.pass(10 * MINUTE);
    const settled = await settle(market.deps, id, 'ada', 'paid in cash');
    expect(settled).toEqual({ ok: true, position: null });
    expect((await market.story(id)).slice(-2)).toEqual(['PayoutRequested', 'PayoutCompleted']);
    expect(await shareOf(id)).toMatchObject({ payoutMethod: 'transfer', payoutId: `${id}_0_0` });
  });

  it('that has failed unheard is recorded as that when it is to be ended, and may not arrive any more', async () => {
    const id = await released();
    await market.control({ fault: 'end-transfer', outcome: 'failed' });
    await market.sweep();
    market.pass(10 * MINUTE);
    const ended = await endTransfer(market.deps, id, 'ada', 'stuck');
    expect(ended).toEqual({ ok: true, position: null });
    expect(await shareOf(id)).toMatchObject({ status: 'released', givenUp: [] });
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({ ok: true });
  });

  it('that fails as soon as it is sent may be paid by hand at once, and without a reason', async () => {
    const id = await released();
    await market.sweep();
    market.provider({
      verifyTransfer: async (reference) => {
        return { ok: true, value: { reference, amount: 1_000_000, status: 'failed' } };
      },
    });
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({ ok: true });
    expect((await market.story(id)).slice(-3)).toEqual([
      'PayoutFailed',
      'PayoutRequested',
      'PayoutCompleted',
    ]);
    expect(await shareOf(id)).toMatchObject({ payoutMethod: 'manual', givenUp: [] });
  });

  it('sent by a clock that was ahead is not being sent for as long as it was', async () => {
    const id = await released();
    market.provider({ transfer: async () => ({ ok: false, reason: 'unreachable' }) });
    market.pass(24 * HOUR);
    await market.sweep();
    expect(await markPaid(market.deps, id, 'ada', 'paid in cash')).toMatchObject({
      refusal: { code: 'sending' },
    });
    market.pass(-23 * HOUR);
    expect(await markPaid(market.deps, id, 'ada', 'paid in cash')).toMatchObject({ ok: true });
  });

  it.each([
    ['success', 'PayoutCompleted'],
    ['blocked', 'PayoutFailed'],
  ])(
    'that was under way when the payment was taken back, and was %s unheard, is asked after days later',
    async (outcome, event) => {
      const id = await released();
      await market.control({ fault: 'end-transfer', outcome, delayMs: HOUR });
      await market.sweep();
      await market.control({ raise: 'dispute', reference: id, id: 358_950 });
      await market.control({ raise: 'chargeback', reference: id });
      await market.verify(id);
      await market.sandbox.deliverDue();
      await market.sweep();
      expect(await shareOf(id)).toMatchObject({ status: 'reversed', payoutId: `${id}_0_0` });
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect(await market.story(id)).toContain(event);
    },
  );

  it('that was never sent when the payment was taken back is given up days later, once', async () => {
    const id = await released();
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.sweep();
    await market.control({ raise: 'chargeback', reference: id });
    expect(await verifyPayment(market.deps, id, 'check', { force: true })).toMatchObject({
      status: 'reversed',
    });
    market.provider({});
    for (let look = 0; look < 2; look += 1) {
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
    }
    expect((await market.story(id)).slice(-2)).toEqual(['PaymentReversed', 'PayoutFailed']);
    expect(await transfersOf(market)).toEqual([]);
  });

  describe('that has arrived', () => {
    const arrived = async () => {
      const id = await released();
      await market.sweep();
      market.pass(10 * MINUTE);
      await market.sweep();
      expect((await shareOf(id))?.status).toBe('paid-out');
      return id;
    };

    it('and came back, which nobody was told of, is found days later and made again', async () => {
      const id = await arrived();
      market.provider({
        verifyTransfer: async (reference) => {
          const told = await market.paystack.verifyTransfer(reference);
          if (!told.ok || reference !== `${id}_0_0`) return told;
          return { ok: true, value: { ...told.value, status: 'reversed' } };
        },
      });
      market.pass(PAYOUT_CLEARS_AFTER_MS - HOUR);
      await market.sweep();
      expect(await market.story(id)).not.toContain('PayoutFailed');
      market.pass(HOUR);
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutFailed');
      for (let look = 0; look < 3; look += 1) {
        market.pass(HOUR);
        await market.sweep();
      }
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_1` });
    });

    it('and came back is not listed as one that may still be paid', async () => {
      const id = await released();
      await market.sweep();
      market.pass(MINUTE);
      await market.sandbox.deliverDue();
      await market.sweep();
      expect((await shareOf(id))?.status).toBe('paid-out');
      const of = { reference: `${id}_0_0`, amount: 1_000_000, status: 'reversed' };
      market.provider({ verifyTransfer: async () => ({ ok: true, value: of }) });
      await market.webhook({ event: 'transfer.reversed', data: { ...of, transfer_code: 'T' } });
      await market.sweep();
      await market.sweep();
      expect(await listPayable(market.deps)).toMatchObject([{ payoutId: null, says: null }]);
    });

    it('and stayed is asked after until the provider answers, and never again', async () => {
      const id = await arrived();
      let [asked, isAway] = [0, true];
      market.provider({
        verifyTransfer: async (reference) => {
          asked += 1;
          if (isAway) return { ok: false, reason: 'unreachable' };
          return market.paystack.verifyTransfer(reference);
        },
      });
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect(asked).toBe(1);
      isAway = false;
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutCleared');
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect(asked).toBe(2);
    });
  });

  it('that does not match its payout is looked at ever less often', async () => {
    const id = await released();
    await market.sweep();
    let asked = 0;
    market.provider({
      verifyTransfer: async (reference) => {
        asked += 1;
        return { ok: true, value: { reference, amount: 999_999, status: 'success' } };
      },
    });
    market.pass(5 * MINUTE);
    for (let minute = 0; minute < 12; minute += 1) {
      await market.sweep();
      market.pass(MINUTE);
    }
    expect(asked).toBe(2);
    expect((await shareOf(id))?.status).toBe('payout-requested');
  });

  it('that the provider called failed, and that arrives and then comes back, is made again', async () => {
    const id = await released();
    let status = 'failed';
    market.provider({
      verifyTransfer: async (reference) => {
        const told = await market.paystack.verifyTransfer(reference);
        if (!told.ok || reference !== `${id}_0_0`) return told;
        return { ok: true, value: { ...told.value, status } };
      },
    });
    await market.sweep();
    market.pass(10 * MINUTE);
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PayoutFailed');
    status = 'success';
    market.pass(HOUR);
    await market.sweep();
    expect((await shareOf(id))?.status).toBe('paid-out');
    status = 'reversed';
    market.pass(PAYOUT_CLEARS_AFTER_MS);
    for (let look = 0; look < 4; look += 1) {
      market.pass(HOUR);
      await market.sweep();
    }
    expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_1` });
    expect(await transfersOf(market)).toEqual([`${id}_0_0`, `${id}_0_1`]);
  });

  it('that was requested and never sent waits while the cardholder disputes the payment', async () => {
    const id = await released();
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.sweep();
    expect((await shareOf(id))?.status).toBe('payout-requested');
    await market.control({ raise: 'dispute', reference: id, id: 358_950 });
    await market.sandbox.deliverDue();
    market.provider({});
    for (let look = 0; look < 3; look += 1) {
      market.pass(HOUR);
      await market.sweep();
    }
    expect(await transfersOf(market)).toEqual([]);
    await market.control({ raise: 'dispute-won', reference: id, id: 358_950 });
    await market.sandbox.deliverDue();
    await market.sweep();
    expect(await transfersOf(market)).toEqual([`${id}_0_0`]);
  });

  it.each([
    ['paid by hand', markPaid],
    ['ended', endTransfer],
  ])('that is %s in the moment before it is sent is not sent', async (_, settle) => {
    const id = await released();
    let isFirst = true;
    market.provider({
      verifyTransfer: async (reference) => {
        const told = await market.paystack.verifyTransfer(reference);
        if (!isFirst) return told;
        isFirst = false;
        expect(await settle(market.deps, id, 'ada', 'paid in cash')).toMatchObject({ ok: true });
        return told;
      },
    });
    await market.sweep();
    expect(await transfersOf(market)).toEqual([]);
  });

  it('is not sent while an operator records that it was paid by hand', async () => {
    const id = await released();
    const { handle } = market.deps;
    const meanwhile: typeof handle = async (...command) => {
      await market.sweep();
      return handle(...command);
    };
    expect(await markPaid({ ...market.deps, handle: meanwhile }, id, 'ada')).toMatchObject({
      ok: true,
    });
    expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutMethod: 'manual' });
    market.pass(HOUR);
    await market.sweep();
    expect(await transfersOf(market)).toEqual([]);
  });
});
