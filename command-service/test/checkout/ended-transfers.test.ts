import { PAYOUT_CLEARS_AFTER_MS } from '@oja/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { endTransfer, listPayable, markPaid } from '../../src/checkout/index.js';
import { dueObligations } from '../../src/deps.js';
import { HOUR, type Market } from './market.js';
import { openReleased, transfersOf } from './released.js';

const MINUTE = 60_000;

let market: Market;
afterEach(() => market.close());

async function released() {
  const opened = await openReleased(true);
  market = opened.market;
  return opened.order.id;
}

const shareOf = async (id: string) => (await market.stateOf(id)).shares[0];

/** The kinds of what is still to be done about an order's payouts, now or later. */
async function owed(id: string): Promise<readonly string[]> {
  const kinds: string[] = [];
  await market.sweep();
  const later = market.clock.now() + 2 * PAYOUT_CLEARS_AFTER_MS;
  for (const kind of ['payout', 'payout-check'] as const)
    for await (const { subject } of dueObligations(market.deps, kind, later))
      if (subject === id) kinds.push(kind);
  return kinds;
}

/** A share whose transfer was sent five minutes ago, and ends so in three hours. Returns the id of its order. */
async function underWay(outcome = 'success'): Promise<string> {
  const id = await released();
  await market.control({ fault: 'end-transfer', outcome, delayMs: 3 * HOUR });
  await market.sweep();
  market.pass(5 * MINUTE);
  return id;
}

describe('a transfer', () => {
  describe('that was given up, and paid by hand', () => {
    const paidTwice = async (outcome = 'success') => {
      const id = await underWay(outcome);
      expect(await markPaid(market.deps, id, 'ada', 'paid in cash')).toMatchObject({ ok: true });
      market.pass(3 * HOUR);
      return id;
    };

    it('and arrives after all, is recorded as paid twice', async () => {
      const id = await paidTwice();
      await market.sandbox.deliverDue();
      await market.sweep();
      await market.sweep();
      const story = await market.story(id);
      expect(story.filter((type) => type === 'PayoutDoubled')).toHaveLength(1);
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_1` });
    });

    it('and arrives, and is returned by the bank, is recorded as one that came back', async () => {
      const id = await paidTwice('reversed');
      await market.sandbox.deliverDue();
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutDoubled');
      market.pass(3 * HOUR);
      await market.sandbox.deliverDue();
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('DoubledPayoutReturned');
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', doubled: [] });
    });

    it('and arrives, is asked after once more days later: the bank may have returned it unheard', async () => {
      const id = await paidTwice('reversed');
      await market.sandbox.deliverDue();
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutDoubled');
      market.pass(PAYOUT_CLEARS_AFTER_MS + HOUR);
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('DoubledPayoutReturned');
      expect(await owed(id)).toEqual([]);
    });

    it('and arrives, is cleared days later when it has stayed, and never asked after again', async () => {
      const id = await paidTwice();
      await market.sandbox.deliverDue();
      await market.sweep();
      expect(await owed(id)).toEqual(['payout-check']);
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutCleared');
      expect(await owed(id)).toEqual([]);
    });

    it('is asked after days later: nobody may have been told that it arrived', async () => {
      const id = await paidTwice();
      await market.sweep();
      expect(await market.story(id)).not.toContain('PayoutDoubled');
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutDoubled');
    });

    it('and never arrives, is not asked after for ever', async () => {
      const id = await released();
      await market.control({ fault: 'end-transfer', outcome: 'otp' });
      await market.sweep();
      market.pass(5 * MINUTE);
      await markPaid(market.deps, id, 'ada', 'paid in cash');
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutCleared');
    });
  });

  it('that an operator ended is not sent again while the provider may still pay it', async () => {
    const id = await underWay();
    expect(await endTransfer(market.deps, id, 'ada', 'stuck')).toMatchObject({ ok: true });
    for (let look = 0; look < 5; look += 1) {
      market.pass(HOUR);
      await market.sweep();
    }
    expect(await transfersOf(market)).toEqual([`${id}_0_0`]);
    expect(await shareOf(id)).toMatchObject({ status: 'paid-out' });
  });

  it('that an operator ended is not sent again while the provider does not answer about it', async () => {
    const id = await underWay();
    await endTransfer(market.deps, id, 'ada', 'stuck');
    market.provider({
      verifyTransfer: async (reference) =>
        reference === `${id}_0_0`
          ? { ok: false, reason: 'unreachable' }
          : market.paystack.verifyTransfer(reference),
    });
    market.pass(HOUR);
    await market.sweep();
    expect(await transfersOf(market)).toEqual([`${id}_0_0`]);
  });

  it('that an operator ended is asked after every five minutes, not at every sweep', async () => {
    const id = await underWay();
    await endTransfer(market.deps, id, 'ada', 'stuck');
    let asked = 0;
    market.provider({
      verifyTransfer: async (reference) => {
        asked += 1;
        return market.paystack.verifyTransfer(reference);
      },
    });
    for (let minute = 0; minute < 12; minute += 1) {
      await market.sweep();
      market.pass(MINUTE);
    }
    expect(asked).toBe(3);
  });

  describe('that an operator ended, and that arrives after all', () => {
    const ended = async (outcome: string) => {
      const id = await underWay(outcome);
      expect(await endTransfer(market.deps, id, 'ada', 'stuck')).toMatchObject({ ok: true });
      return id;
    };
    const arrived = async (outcome: string) => {
      const id = await ended(outcome);
      market.pass(3 * HOUR);
      await market.sweep();
      expect((await shareOf(id))?.status).toBe('paid-out');
      return id;
    };
    const paidAgain = async (id: string) => {
      for (let look = 0; look < 3; look += 1) {
        market.pass(HOUR);
        await market.sweep();
      }
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_1` });
      expect(await transfersOf(market)).toEqual([`${id}_0_0`, `${id}_0_1`]);
    };

    it('is listed as one that may still be paid, and is not paid by hand without a reason', async () => {
      const id = await ended('success');
      expect(await listPayable(market.deps)).toMatchObject([
        { method: 'manual', says: 'pending: ended here, may still be paid' },
      ]);
      expect(await markPaid(market.deps, id, 'ada')).toMatchObject({
        ok: false,
        refusal: { code: 'under_way', message: expect.stringContaining('pending') },
      });
      expect((await shareOf(id))?.status).toBe('released');
      expect(await markPaid(market.deps, id, 'ada', 'in cash')).toMatchObject({ ok: true });
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutMethod: 'manual' });
    });

    it('is listed so also where the provider has said nothing of it yet, until it says that it has failed', async () => {
      const id = await released();
      let status = 'pending';
      market.provider({
        transfer: async (request) => {
          await market.paystack.transfer(request);
          return { ok: false, reason: 'unreachable' };
        },
        verifyTransfer: async (reference) => {
          const known = await market.paystack.verifyTransfer(reference);
          return known.ok ? { ok: true, value: { ...known.value, status } } : known;
        },
      });
      const listed = async () => (await listPayable(market.deps)).map(({ says }) => says);
      await market.sweep();
      expect(await listed()).toEqual([null]);
      market.pass(5 * MINUTE);
      expect(await endTransfer(market.deps, id, 'ada', 'stuck')).toMatchObject({ ok: true });
      expect(await listed()).toEqual(['asked for: ended here, may still be paid']);
      status = 'failed';
      market.pass(5 * MINUTE);
      await market.sweep();
      expect(await listed()).toEqual(['failed']);
    });

    it.each([undefined, 'in cash'])(
      'has paid the share already when it is marked as paid by hand (reason: %s)',
      async (reason) => {
        const id = await ended('success');
        market.pass(3 * HOUR);
        expect(await markPaid(market.deps, id, 'ada', reason)).toEqual({
          ok: true,
          position: null,
        });
        expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_0` });
        await market.sandbox.deliverDue();
        await market.sweep();
        expect(await market.story(id)).not.toContain('PayoutDoubled');
      },
    );

    it('is not paid by hand without a reason while the provider does not answer', async () => {
      const id = await ended('success');
      market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
      expect(await markPaid(market.deps, id, 'ada')).toMatchObject({
        ok: false,
        refusal: { code: 'under_way' },
      });
    });

    it('is paid by hand without a reason once the provider says that it has failed', async () => {
      const id = await ended('blocked');
      market.pass(3 * HOUR);
      expect(await markPaid(market.deps, id, 'ada')).toMatchObject({ ok: true });
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_1` });
    });

    it('is made again when the bank returns it', async () => {
      const id = await arrived('reversed');
      market.pass(3 * HOUR);
      await market.sandbox.deliverDue();
      await market.sweep();
      const failed = (await market.story(id)).filter((type) => type === 'PayoutFailed');
      expect(failed).toHaveLength(2);
      await paidAgain(id);
    });

    it('is made again days later when the bank returned it and nobody was told', async () => {
      const id = await arrived('reversed');
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect(await market.story(id)).toContain('PayoutFailed');
      await paidAgain(id);
    });

    it('is cleared days later when it has stayed, and never asked after again', async () => {
      const id = await arrived('success');
      expect(await owed(id)).toEqual(['payout-check']);
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutCleared');
      expect(await owed(id)).toEqual([]);
    });

    it('pays the share if the bank had taken the payment back, and gives it back again', async () => {
      const id = await ended('success');
      await market.control({ raise: 'dispute', reference: id, id: 358_950 });
      await market.control({ raise: 'chargeback', reference: id });
      await market.verify(id);
      await market.sandbox.deliverDue();
      await market.sweep();
      expect((await shareOf(id))?.status).toBe('reversed');
      market.pass(3 * HOUR);
      await market.sandbox.deliverDue();
      await market.sweep();
      expect((await market.story(id)).at(-1)).toBe('PayoutDoubled');
      await market.control({ raise: 'dispute-won', reference: id, id: 358_950 });
      await market.sandbox.deliverDue();
      await market.sweep();
      expect(await market.story(id)).toContain('PaymentRestored');
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_0` });
      expect(await listPayable(market.deps)).toEqual([]);
      market.pass(PAYOUT_CLEARS_AFTER_MS);
      await market.sweep();
      expect(await owed(id)).toEqual([]);
      expect(await transfersOf(market)).toEqual([`${id}_0_0`]);
    });
  });

  it('that an operator ended before it was ever sent needs no reason to be paid by hand', async () => {
    const id = await released();
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.sweep();
    expect(await endTransfer(market.deps, id, 'ada', 'too slow')).toMatchObject({ ok: true });
    expect(await listPayable(market.deps)).toMatchObject([{ says: null }]);
    market.provider({});
    expect(await markPaid(market.deps, id, 'ada')).toMatchObject({ ok: true });
    expect((await shareOf(id))?.status).toBe('paid-out');
  });

  it('that an operator ended before it was ever sent is not asked after for ever', async () => {
    const id = await released();
    market.provider({ verifyTransfer: async () => ({ ok: false, reason: 'unreachable' }) });
    await market.sweep();
    expect(await endTransfer(market.deps, id, 'ada', 'too slow')).toMatchObject({ ok: true });
    market.provider({});
    expect(await markPaid(market.deps, id, 'ada', 'paid in cash')).toMatchObject({ ok: true });
    expect(await owed(id)).toEqual(['payout-check']);
    market.pass(PAYOUT_CLEARS_AFTER_MS);
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PayoutCleared');
    expect(await owed(id)).toEqual([]);
  });
});
