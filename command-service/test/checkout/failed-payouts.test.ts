import { PAYOUT_CLEARS_AFTER_MS } from '@oja/domain';
import type { PaymentFailure } from '@oja/platform';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endTransfer, listPayable, markPaid, verifyPayment } from '../../src/checkout/index.js';
import { HOUR, type Market } from './market.js';
import { openReleased, setAccount } from './released.js';

let market: Market;
afterEach(() => market.close());

/** The id of a paid order whose buyer has confirmed the delivery, in a market that sends transfers. */
async function released(): Promise<string> {
  const opened = await openReleased(true);
  market = opened.market;
  return opened.order.id;
}

const shareOf = async (id: string) => (await market.stateOf(id)).shares[0];

describe('a released share', () => {
  describe('whose bank details the provider refuses', () => {
    const message = 'Could not resolve account name. Check parameters or try again.';
    /** The account numbers that the provider was asked about, of which it knows only those that begin with a 9. */
    function knowingFew() {
      const asked: string[] = [];
      market.provider({
        createRecipient: async (account) => {
          asked.push(account.accountNumber);
          return account.accountNumber.startsWith('9')
            ? market.paystack.createRecipient(account)
            : { ok: false, reason: 'refused', message };
        },
      });
      return asked;
    }

    /** Two weeks of sweeps, ever farther apart. */
    async function twoWeeks() {
      for (let hour = 0; hour < 14 * 24; hour += 6) {
        await market.sweep();
        market.pass(6 * HOUR);
      }
    }
    const failuresOf = async (id: string) =>
      (await market.story(id)).filter((type) => type === 'PayoutFailed');

    it('is recorded as failed once, however often they are tried again', async () => {
      const id = await released();
      const asked = knowingFew();
      await twoWeeks();
      expect((await market.story(id)).slice(-2)).toEqual(['PayoutRequested', 'PayoutFailed']);
      expect(await failuresOf(id)).toHaveLength(1);
      expect(asked.length).toBeGreaterThan(10);
    });

    it('tells the operator why, who may pay it by hand at any time', async () => {
      const id = await released();
      knowingFew();
      await twoWeeks();
      expect(await listPayable(market.deps)).toMatchObject([
        { transactionId: id, payoutId: null, says: `refused: ${message}`, needsSomebody: false },
      ]);
      expect(await markPaid(market.deps, id, 'ada')).toMatchObject({ ok: true });
      expect((await shareOf(id))?.status).toBe('paid-out');
    });

    it('is paid where the provider takes them after all', async () => {
      const id = await released();
      knowingFew();
      await twoWeeks();
      market.provider({});
      market.pass(24 * HOUR);
      await market.sweep();
      expect(await shareOf(id)).toMatchObject({
        status: 'payout-requested',
        payoutId: `${id}_0_1`,
      });
    });

    it('is tried anew with others, even if they end alike, and recorded as failed once more', async () => {
      const id = await released();
      const asked = knowingFew();
      await twoWeeks();
      await setAccount(market, '0132456789', '058');
      expect(await listPayable(market.deps)).toMatchObject([{ says: null }]);
      await twoWeeks();
      expect(await failuresOf(id)).toHaveLength(2);
      await setAccount(market, '9876543210', '057');
      await twoWeeks();
      expect([...new Set(asked)]).toEqual(['0123456789', '0132456789', '9876543210']);
      expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_2` });
    });
  });

  it('whose transfer the provider does not allow the market is not failed for its bank details', async () => {
    const id = await released();
    const message = 'Your IP address is not allowed to make this call';
    market.provider({
      createRecipient: async () => ({ ok: false, reason: 'refused', message, isForbidden: true }),
    });
    for (let day = 0; day < 3; day += 1) {
      await market.sweep();
      market.pass(24 * HOUR);
    }
    expect((await market.story(id)).at(-1)).toBe('PayoutRequested');
    expect(await listPayable(market.deps)).toMatchObject([{ says: `refused: ${message}` }]);
    market.provider({});
    await market.sweep();
    market.pass(HOUR);
    await market.sweep();
    expect(await shareOf(id)).toMatchObject({ status: 'paid-out', payoutId: `${id}_0_0` });
  });

  it.each([
    { ok: false, reason: 'unreachable' },
    { ok: false, reason: 'rate-limited', retryAfterSeconds: 30 },
    { ok: false, reason: 'unauthorized', message: 'Invalid key' },
  ] as const)('is not failed for its bank details by an answer of $reason', async (answer) => {
    const id = await released();
    market.provider({ createRecipient: async () => answer });
    await market.sweep();
    expect((await market.story(id)).at(-1)).toBe('PayoutRequested');
  });

  describe('of which each transfer fails at the bank', () => {
    /** Which of an order's failed payouts are news for their seller. */
    async function newsOf(id: string): Promise<readonly boolean[]> {
      const news: boolean[] = [];
      for await (const { type, data } of market.deps.eventStore.readStream(`transaction-${id}`))
        if (type === 'PayoutFailed') news.push(data.repeated !== true);
      return news;
    }

    /** Every transfer fails of which the provider is asked while `is.failing`. */
    function failures() {
      const is = { failing: true };
      const failed = new Set<string>();
      market.provider({
        verifyTransfer: async (reference) => {
          const known = await market.paystack.verifyTransfer(reference);
          if (!known.ok || !(is.failing || failed.has(reference))) return known;
          failed.add(reference);
          return { ok: true, value: { ...known.value, status: 'failed' } };
        },
      });
      return is;
    }

    async function sweeps(count: number) {
      for (let round = 0; round < count; round += 1) {
        await market.sweep();
        market.pass(24 * HOUR);
      }
    }

    /** Expects that this share was paid, and that of the next order the first failure is news, and only that. */
    async function expectNewsAgain(id: string, is: { failing: boolean }): Promise<void> {
      expect((await shareOf(id))?.status).toBe('paid-out');
      const other = await market.paid();
      await market.call('PUT', `/v1/buyers/transactions/${other.key}`);
      is.failing = true;
      await sweeps(4);
      expect((await newsOf(other.id)).slice(0, 2)).toEqual([true, false]);
    }

    it('is news for its seller once for each account, whatever the number of orders', async () => {
      const id = await released();
      failures();
      await sweeps(6);
      expect(await newsOf(id)).toEqual([true, false, false]);
      const other = await market.paid();
      await market.call('PUT', `/v1/buyers/transactions/${other.key}`);
      await sweeps(2);
      expect(await newsOf(other.id)).toEqual([false]);
      await setAccount(market, '9876543210', '057');
      await sweeps(4);
      const all = [...(await newsOf(id)), ...(await newsOf(other.id))];
      expect(all.filter((isNews) => isNews)).toHaveLength(2);
    });

    it.each([
      ['never left the provider', 'blocked'],
      ['failed once the payment was taken back', 'failed'],
    ])('is news after a transfer that %s', async (_, status) => {
      const id = await released();
      market.provider({
        verifyTransfer: async (reference) => {
          const known = await market.paystack.verifyTransfer(reference);
          return known.ok ? { ok: true, value: { ...known.value, status } } : known;
        },
      });
      await market.sweep();
      if (status === 'failed') {
        await market.control({ raise: 'chargeback', reference: id });
        await verifyPayment(market.deps, id, 'check', { force: true });
        market.pass(PAYOUT_CLEARS_AFTER_MS);
      }
      market.pass(HOUR);
      await market.sweep();
      expect(await newsOf(id)).toEqual([true]);
      const other = await market.paid();
      await market.call('PUT', `/v1/buyers/transactions/${other.key}`);
      failures();
      await sweeps(2);
      expect((await newsOf(other.id))[0]).toBe(true);
    });

    it('is news again once money has arrived there', async () => {
      const id = await released();
      const is = failures();
      await sweeps(4);
      expect(await newsOf(id)).toEqual([true, false]);
      is.failing = false;
      await sweeps(2);
      await expectNewsAgain(id, is);
    });

    /** Ends the next transfer of a share while the provider has not made it yet. Two days later it does. */
    async function givenUp(id: string) {
      await market.control({ fault: 'end-transfer', outcome: 'success', delayMs: 48 * HOUR });
      await market.sweep();
      market.pass(10 * 60_000);
      expect(await endTransfer(market.deps, id, 'ada', 'stuck')).toMatchObject({ ok: true });
    }

    /** The process that next forgets the failed account of a seller dies. Returns a function that tells whether one did. */
    function dyingAsItForgets() {
      const { state } = market.deps;
      const forget = state.delete;
      let died = false;
      vi.spyOn(state, 'delete').mockImplementation(async (space, ...more) => {
        if (died || space !== 'failed-accounts') return forget(space, ...more);
        died = true;
        throw new Error('killed');
      });
      return () => died;
    }

    it.each(['that was awaited', 'that was given up'])(
      'is news again once money has arrived there %s, though a process died as it noted that',
      async (which) => {
        const id = await released();
        const is = failures();
        await sweeps(2);
        expect(await newsOf(id)).toEqual([true]);
        is.failing = false;
        const hasDied = dyingAsItForgets();
        if (which === 'that was given up') {
          await givenUp(id);
          market.pass(48 * HOUR);
        }
        await sweeps(4);
        expect(hasDied()).toBe(true);
        await expectNewsAgain(id, is);
      },
    );

    it('is news though one that was given up, of which its seller has not heard, fails there first', async () => {
      const id = await released();
      await givenUp(id);
      failures();
      await market.webhook({
        event: 'transfer.failed',
        data: { reference: `${id}_0_0`, transfer_code: 'T', status: 'failed', amount: 1_000_000 },
      });
      await sweeps(8);
      const [, first, second] = await newsOf(id);
      expect([first, second]).toEqual([true, false]);
    });

    it('is news again once money has arrived there that was given up', async () => {
      const id = await released();
      const is = failures();
      await sweeps(2);
      expect(await newsOf(id)).toEqual([true]);
      is.failing = false;
      await givenUp(id);
      market.pass(48 * HOUR);
      await sweeps(1);
      await expectNewsAgain(id, is);
    });
  });

  it('is asked for ever less often where each transfer fails, also if a webhook says so first', async () => {
    const id = await released();
    const transfers: string[] = [];
    market.provider({
      transfer: async (request) => {
        transfers.push(request.reference);
        return { ok: true, value: { transferCode: 'T', status: 'pending' } };
      },
      verifyTransfer: async (reference) =>
        transfers.includes(reference)
          ? { ok: true, value: { reference, amount: 1_000_000, status: 'failed' } }
          : { ok: false, reason: 'not-found' },
    });
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      await market.sweep();
      const reference = (await shareOf(id))?.payoutId;
      if (reference)
        await market.webhook({
          event: 'transfer.failed',
          data: { reference, transfer_code: 'T', status: 'failed', amount: 1_000_000 },
        });
      market.pass(5 * 60_000);
    }
    // Ten pauses, each twice as long as the one before, are more than a day.
    expect(transfers.length).toBeGreaterThan(5);
    expect(transfers.length).toBeLessThan(11);
  });

  describe('of which the transfer failed before the seller gave another account', () => {
    const TOO_LITTLE = 'Your balance is not enough to fulfil this request';
    const refused: PaymentFailure = { ok: false, reason: 'refused', message: TOO_LITTLE };
    const limited: PaymentFailure = { ok: false, reason: 'rate-limited', retryAfterSeconds: 30 };
    const lost: PaymentFailure = { ok: false, reason: 'unreachable' };
    const forbidden: PaymentFailure = { ...refused, isForbidden: true };

    /** The account that is paid and the payout's id, where the provider has met the first tries with these failures. */
    async function paidAfter(...failures: readonly PaymentFailure[]) {
      const id = await released();
      const accounts = new Map<string, string>();
      const left = [...failures];
      const paid: unknown[] = [];
      market.provider({
        createRecipient: async (account) => {
          const made = await market.paystack.createRecipient(account);
          if (made.ok) accounts.set(made.value.recipientCode, account.accountNumber);
          return made;
        },
        transfer: async (request) => {
          const failure = left.shift();
          if (failure !== undefined) return failure;
          paid.push([accounts.get(request.recipientCode), request.reference]);
          return market.paystack.transfer(request);
        },
      });
      for (const _ of failures) {
        await market.sweep();
        market.pass(HOUR);
      }
      expect(left).toEqual([]);
      await setAccount(market, '9876543210', '057');
      await market.sweep();
      market.pass(HOUR);
      await market.sweep();
      return { id, paid };
    }

    it.each([
      ['refused it', [refused]],
      ['put it off', [limited]],
      ['lost its answer, and then refused it', [lost, refused]],
    ])('is paid to that one where the provider %s', async (_, failures) => {
      const { id, paid } = await paidAfter(...failures);
      expect(paid).toEqual([['9876543210', `${id}_0_1`]]);
      expect(await listPayable(market.deps)).toMatchObject([
        { sentTo: { accountEnd: '3210', bankName: 'Zenith Bank' } },
      ]);
    });

    it.each([
      ['lost its answer', [lost]],
      ['lost its answer, and then put it off', [lost, limited]],
      ['lost its answer, and then did not allow the market the call', [lost, forbidden]],
    ])('is paid to the first one where the provider %s', async (_, failures) => {
      const { id, paid } = await paidAfter(...failures);
      expect(paid).toEqual([['0123456789', `${id}_0_0`]]);
    });
  });
});
