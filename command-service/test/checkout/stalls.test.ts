import type { JsonObject, State } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workRefunds } from '../../src/checkout/settlement/refunds.js';
import type { Deps } from '../../src/deps.js';
import { HOUR, type Market, openMarket } from './market.js';

const MINUTE = 60_000;
const DAY = 24 * HOUR;

let market: Market;
beforeEach(async () => {
  market = await openMarket();
});
afterEach(() => market.close());

/** A paid order of two sellers with a refund of Ada's goods due: half of the payment, so it could be made twice. */
async function oneOfTwoToRefund() {
  await market.seller('head', {
    type: 'HeadAdminGranted',
    data: { sellerId: 'head', by: 'operator' },
  });
  await market.seller('bisi');
  await market.goods('pot', 1_150_000, 'bisi');
  const order = await market.ordered([{ id: 'bag' }, { id: 'pot' }], 23_000);
  await market.press(order.address, 'pay');
  await market.verify(order.reference);
  market.pass(48 * HOUR);
  const complaint = { sellerIds: ['ada'], message: 'A broken zip' };
  await market.call('POST', `/v1/orders/${order.key}/problem`, complaint);
  const settled = await market.call(
    'POST',
    `/v1/transactions/${order.id}/resolve`,
    { sellerId: 'ada', outcome: 'refund' },
    await market.tokenOf('head'),
  );
  expect(settled.status).toBe(200);
  return order;
}

async function refundsOf(reference: string) {
  const verified = await market.paystack.verify(reference);
  const listed = await market.paystack.refunds(verified.ok ? verified.value.id : '');
  if (!listed.ok) throw new Error('the sandbox does not know it');
  return listed.value;
}

/** Runs `then` once, right after the claim of a refund is stored. */
function afterTheClaim(then: () => Promise<void>): Deps {
  let isFirst = true;
  const state: State = {
    ...market.deps.state,
    async put(space, key, value, now, options) {
      const version = await market.deps.state.put(space, key, value, now, options);
      const isClaim = space === 'refunds' && isFirst;
      if (isClaim) isFirst = false;
      if (isClaim) await then();
      return version;
    },
  };
  return { ...market.deps, state };
}

describe('a refund of a part is made once', () => {
  it.each([
    ['a long sweep', 20 * MINUTE],
    ['a sweep that stood still for a day', 25 * HOUR],
  ])(
    'although it is claimed late in %s, and a job looks at it at the same moment',
    async (_, ms) => {
      const order = await oneOfTwoToRefund();
      await market.ordered();
      market.pass(2 * MINUTE);
      let isFirst = true;
      market.provider({
        // The sweep verifies the unpaid order first, and that call takes `ms`.
        verify: async (reference) => {
          market.pass(ms);
          return market.paystack.verify(reference);
        },
        refund: async (request) => {
          const before = isFirst;
          isFirst = false;
          if (before) await workRefunds(market.deps, order.id);
          return market.paystack.refund(request);
        },
      });
      await market.sweep();
      expect(await refundsOf(order.reference)).toHaveLength(1);
    },
  );

  it('although the call takes eleven minutes, and another process looks meanwhile', async () => {
    const order = await oneOfTwoToRefund();
    let isFirst = true;
    market.provider({
      refund: async (request) => {
        const before = isFirst;
        isFirst = false;
        if (before) {
          market.pass(11 * MINUTE);
          await workRefunds(market.deps, order.id);
        }
        return market.paystack.refund(request);
      },
    });
    await workRefunds(market.deps, order.id);
    expect(await refundsOf(order.reference)).toHaveLength(1);
  });

  it.each([
    ['eleven minutes', 11 * MINUTE],
    ['two days', 2 * DAY],
  ])('although its process is suspended for %s before it asks', async (_, ms) => {
    const order = await oneOfTwoToRefund();
    const suspended = afterTheClaim(async () => {
      market.pass(ms);
      await workRefunds(market.deps, order.id);
    });
    await workRefunds(suspended, order.id);
    await workRefunds(market.deps, order.id);
    expect(await refundsOf(order.reference)).toHaveLength(1);
  });

  it('although its process stands still for two days once it was told that there is none yet', async () => {
    const order = await oneOfTwoToRefund();
    let isFirst = true;
    market.provider({
      refunds: async (transaction) => {
        const listed = await market.paystack.refunds(transaction);
        const before = isFirst;
        isFirst = false;
        if (before) {
          await workRefunds(market.deps, order.id);
          market.pass(2 * DAY);
        }
        return listed;
      },
    });
    await workRefunds(market.deps, order.id);
    expect(await refundsOf(order.reference)).toHaveLength(1);
  });

  it('and is asked for again a day after a request that was never heard', async () => {
    const order = await oneOfTwoToRefund();
    market.provider({ refund: async () => ({ ok: false, reason: 'unreachable' }) });
    await workRefunds(market.deps, order.id);
    market.provider({});
    market.pass(23 * HOUR);
    await workRefunds(market.deps, order.id);
    expect(await refundsOf(order.reference)).toHaveLength(0);
    market.pass(HOUR);
    await workRefunds(market.deps, order.id);
    expect(await refundsOf(order.reference)).toHaveLength(1);
  });
});

/** Makes a refund of Bisi's goods due, too. Its amount is the same as Ada's. */
async function theOtherToRefund({ id, key }: { readonly id: string; readonly key: string }) {
  const complaint = { sellerIds: ['bisi'], message: 'It leaks' };
  await market.call('POST', `/v1/orders/${key}/problem`, complaint);
  const outcome = { sellerId: 'bisi', outcome: 'refund' };
  const token = await market.tokenOf('head');
  await market.call('POST', `/v1/transactions/${id}/resolve`, outcome, token);
}

it('one refund is not taken for two of its amount, though the provider keeps no notes', async () => {
  const order = await oneOfTwoToRefund();
  market.provider({
    refund: async (request) => {
      await market.paystack.refund(request);
      return { ok: false, reason: 'unreachable' };
    },
  });
  await workRefunds(market.deps, order.id);
  await theOtherToRefund(order);
  const withoutNotes = async (transaction: string) => {
    const listed = await market.paystack.refunds(transaction);
    if (!listed.ok) return listed;
    return { ...listed, value: listed.value.map((refund) => ({ ...refund, note: null })) };
  };
  // One process reads which refunds are matched. Then another one gets no answer about Ada's refund and matches
  // the provider's only refund to Bisi's. The first one must not match it to Ada's as well.
  let looks = 0;
  market.provider({
    refunds: async (transaction) => {
      looks += 1;
      if (looks === 1 || looks === 4) return { ok: false, reason: 'unreachable' };
      return withoutNotes(transaction);
    },
  });
  let isFirst = true;
  const { state } = market.deps;
  async function list<V extends JsonObject>(space: string, prefix: string, at: number) {
    const entries = await state.list<V>(space, prefix, at);
    const isRemembering = space === 'refunds' && isFirst;
    if (isRemembering) isFirst = false;
    if (isRemembering) await workRefunds(market.deps, order.id);
    return entries;
  }
  await workRefunds({ ...market.deps, state: { ...state, list } }, order.id);
  market.provider({ refunds: withoutNotes });
  for (let day = 0; day < 3; day += 1) {
    await workRefunds(market.deps, order.id);
    market.pass(DAY);
  }
  expect(await refundsOf(order.reference)).toHaveLength(2);
  const { refunds } = await market.stateOf(order.id);
  expect(refunds.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

it('a refund is not taken for the one that was asked for before it', async () => {
  const order = await oneOfTwoToRefund();
  await theOtherToRefund(order);
  const [ofAda] = (await market.stateOf(order.id)).refunds;
  // Ada's is never heard of; Bisi's is made, and the answer is lost.
  market.provider({
    refund: async (request) => {
      if (request.note !== ofAda?.refundId) await market.paystack.refund(request);
      return { ok: false, reason: 'unreachable' };
    },
  });
  await workRefunds(market.deps, order.id);
  market.provider({});
  market.pass(MINUTE);
  await workRefunds(market.deps, order.id);
  const statuses = async () => (await market.stateOf(order.id)).refunds.map((one) => one.status);
  expect(await statuses()).toEqual(['requested', 'completed']);
  market.pass(DAY);
  await workRefunds(market.deps, order.id);
  market.pass(MINUTE);
  await workRefunds(market.deps, order.id);
  expect(await statuses()).toEqual(['completed', 'completed']);
  expect(await refundsOf(order.reference)).toHaveLength(2);
});

it('two refunds of the same amount are never taken for one another', async () => {
  const order = await oneOfTwoToRefund();
  // The provider makes Ada's refund, but its answer is lost.
  let isFirst = true;
  market.provider({
    refund: async (request) => {
      const answer = await market.paystack.refund(request);
      const before = isFirst;
      isFirst = false;
      return before ? { ok: false, reason: 'unreachable' } : answer;
    },
  });
  await workRefunds(market.deps, order.id);
  await theOtherToRefund(order);
  // Two processes work on both refunds at once.
  await Promise.all([workRefunds(market.deps, order.id), workRefunds(market.deps, order.id)]);
  market.pass(MINUTE);
  await workRefunds(market.deps, order.id);
  expect(await refundsOf(order.reference)).toHaveLength(2);
  const { refunds } = await market.stateOf(order.id);
  expect(refunds.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

it('a refund is made although somebody has refunded another amount at the provider', async () => {
  const order = await oneOfTwoToRefund();
  const paid = await market.paystack.verify(order.reference);
  const transaction = paid.ok ? paid.value.id : '';
  await market.paystack.refund({ transaction, amount: 5_000, note: 'a gift' });
  for (let look = 0; look < 2; look += 1) {
    await workRefunds(market.deps, order.id);
    market.pass(MINUTE);
  }
  const amounts = (await refundsOf(order.reference)).map(({ amount }) => amount);
  expect(amounts.sort((a, b) => a - b)).toEqual([5_000, 1_150_000]);
  const { refunds } = await market.stateOf(order.id);
  expect(refunds.map(({ status }) => status)).toEqual(['completed']);
});

it('a refund is not completed by the provider’s word of another amount', async () => {
  const order = await oneOfTwoToRefund();
  await workRefunds(market.deps, order.id);
  const withAmount = (more: number) => async (transaction: string) => {
    const listed = await market.paystack.refunds(transaction);
    if (!listed.ok) return listed;
    const value = listed.value.map((refund) => ({
      ...refund,
      amount: refund.amount + more,
      status: 'processed' as const,
    }));
    return { ...listed, value };
  };
  const looked = async () => {
    market.pass(DAY);
    await workRefunds(market.deps, order.id);
    return (await market.stateOf(order.id)).refunds.map(({ status }) => status);
  };
  for (const more of [-100, 100]) {
    market.provider({ refunds: withAmount(more) });
    expect(await looked()).toEqual(['requested']);
  }
  market.provider({ refunds: withAmount(0) });
  expect(await looked()).toEqual(['completed']);
  expect(await refundsOf(order.reference)).toHaveLength(1);
});
