import {
  type PlacedOrder,
  type ShareState,
  type TransactionCommand,
  type TransactionState,
  transaction,
} from '@oja/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commandOf,
  fruitful,
  longLife,
  placing,
  type Step,
  step,
} from '../../domain/test/lives.js';
import {
  complain,
  confirm,
  hour,
  ORDER,
  pay,
  place,
  reverse,
  settle,
} from '../../domain/test/orders.js';
import { positionAt } from './support/log.js';
import { ordered, record } from './support/orders.js';
import { owedOf } from './support/owed.js';
import { recorded } from './support/shop.js';

/** Lives an order, skipping refused steps. Returns its state, and what is owed by its id. */
async function lived(placed: Parameters<typeof transaction.decide>[0], steps: readonly Step[]) {
  let state: TransactionState = transaction.initial;
  const ask = (command: typeof placed) => {
    const decision = transaction.decide(command, state);
    if (!decision.ok) return [];
    state = decision.events.reduce(transaction.evolve, state);
    return decision.events;
  };
  const events = [...ask(placed)];
  for (const taken of steps)
    if (state.status === 'placed') events.push(...ask(commandOf(fruitful(taken, state), state)));
  if (state.status !== 'placed') throw new Error('nothing was placed');
  const name = `transaction-${state.transactionId}`;
  return { order: state as PlacedOrder, owed: await owedOf(record(name, hour(0), events)) };
}

/**
 * The transfers of a share that the provider must be asked about: what it did with them is not final yet. It is asked
 * about some others for a while, too.
 */
function transfersToCheck(share: ShareState): readonly string[] {
  const { status, payoutId, payoutMethod, givenUp, reportedLate, doubled, clearedPayouts } = share;
  const isItsOwn =
    payoutMethod === 'transfer' &&
    payoutId !== null &&
    (status === 'reversed' || (status === 'paid-out' && !clearedPayouts.includes(payoutId)));
  return [
    ...(isItsOwn ? [payoutId] : []),
    ...givenUp.filter((each) => !reportedLate.includes(each)),
    ...doubled.filter((each) => !clearedPayouts.includes(each)),
  ];
}

/** What an order owes, as ids of obligations of these kinds. */
function owedBy(order: PlacedOrder): readonly string[] {
  const { transactionId: id, shares, refunds, openDisputes, reversed, returned } = order;
  return [
    ...shares
      .filter(({ status }) => status === 'released' || status === 'payout-requested')
      .map(({ sellerId }) => `payout/${id}/${sellerId}`),
    ...shares.flatMap(({ doubled }) => doubled).map((payoutId) => `paid-twice/${id}/${payoutId}`),
    ...refunds
      .filter(({ status }) => status === 'requested' || status === 'failed')
      .map(({ refundId }) => `refund/${id}/${refundId}`),
    ...openDisputes.map(({ disputeId }) => `dispute-check/${id}/${disputeId}`),
    ...openDisputes.map(({ disputeId }) => `disputed/${id}/${disputeId}`),
    ...(reversed ? [`taken-back/${id}`] : []),
    ...returned.disputeIds.map((disputeId) => `returned-in-part/${id}/${disputeId}`),
  ];
}
const removeRecord = { type: 'RemoveBuyerRecord', by: 'head', at: hour(70) } as const;
const KINDS = [
  ...['payout', 'paid-twice', 'refund', 'dispute-check', 'disputed'],
  ...['taken-back', 'returned-in-part'],
];

it('owes what the order says, whatever becomes of it', async () => {
  await fc.assert(
    fc.asyncProperty(placing('o'), fc.array(step, longLife), async (placed, steps) => {
      const { order, owed } = await lived(placed, steps);
      const ofMoney = [...owed.keys()].filter((id) => KINDS.includes(id.split('/')[0] ?? ''));
      expect(ofMoney.sort()).toEqual([...owedBy(order)].sort());
      const id = order.transactionId;
      const checked = [...owed.keys()].filter((each) => each.startsWith('payout-check/'));
      const check = (payoutId: string) => `payout-check/${id}/${payoutId}`;
      expect(checked).toEqual(
        expect.arrayContaining(order.shares.flatMap(transfersToCheck).map(check)),
      );
      for (const final of order.shares.flatMap(({ clearedPayouts }) => clearedPayouts))
        expect(checked).not.toContain(check(final));
      for (const { sellerId, status, payoutId } of order.shares)
        if (status === 'payout-requested')
          expect(owed.get(`payout/${id}/${sellerId}`)?.item).toBe(payoutId);
    }),
    { numRuns: 150 },
  );
});

describe('to a buyer, and to see how a payment ended,', () => {
  /** The ids of what is owed after these commands besides money, without the order's id; each recorded at its own time. */
  async function owedAfter(...commands: readonly TransactionCommand[]) {
    const owed = [...(await owedOf(ordered(...commands), 1)).keys()].map((id) =>
      id.replace(`/${ORDER}`, ''),
    );
    return owed.filter((id) => !KINDS.includes(id.split('/')[0] ?? '')).sort();
  }

  const unpaid = ['order-expiry', 'payment-check'];
  const reminders = ['reminder-10', 'reminder-2', 'reminder-5'];
  const attempt = (n: number) =>
    ({
      type: 'RecordInitialized',
      reference: n === 1 ? ORDER : `${ORDER}-${n}`,
      accessCode: 'abc',
      authorizationUrl: 'https://pay.example/abc',
    }) as const;
  const second = { ...pay, reference: `${ORDER}-2`, providerId: 'second' };

  it('an unpaid order is asked about until it expires', async () => {
    expect(await owedAfter(place, attempt(1))).toEqual(unpaid);
    expect(await owedAfter(place, { type: 'ExpireOrder', at: hour(72) })).toEqual([]);
  });

  it('a paid one owes its letters, and is asked about if it may be paid again', async () => {
    expect(await owedAfter(place, attempt(1), pay)).toEqual(['receipt', ...reminders].sort());
    const again = [place, attempt(1), attempt(2), pay];
    expect(await owedAfter(...again)).toEqual(['payment-check', 'receipt', ...reminders].sort());
    expect(await owedAfter(...again, confirm)).toEqual(['receipt']);
  });

  it('one that may be paid again is asked about at the same times once its payment is given back', async () => {
    const again = [place, attempt(1), attempt(2), pay] as const;
    const soon = { ...reverse, at: hour(30) };
    const back = { ...pay, reversals: 1, at: hour(40) };
    const check = `payment-check/${ORDER}`;
    const owed = async (...commands: readonly TransactionCommand[]) =>
      (await owedOf(ordered(...commands), 1)).get(check);
    expect(await owed(...again, soon)).toBeUndefined();
    const { dueTimes } = (await owed(...again)) ?? {};
    expect(dueTimes).toHaveLength(7);
    expect(await owed(...again, soon, back)).toMatchObject({ due: dueTimes?.[0], dueTimes });
    expect(await owed(place, attempt(1), pay, soon, back)).toBeUndefined();
    const confirmed = [...again, { ...confirm, at: hour(20) }] as const;
    expect(await owed(...confirmed, soon, back)).toBeUndefined();
  });

  it('nobody is reminded of what they have complained of, but of the rest once that is settled', async () => {
    const complained = [place, pay, complain('ada')];
    expect(await owedAfter(...complained)).toEqual(['receipt']);
    expect(await owedAfter(...complained, settle('ada', 'refund'))).toEqual(
      ['receipt', 'reminder-10', 'reminder-5'].sort(),
    );
    expect(await owedAfter(...complained, confirm, settle('ada', 'refund'))).toEqual(['receipt']);
  });

  it('nobody is reminded of an order whose payment was taken back, but again once it is given back', async () => {
    const soon = { ...reverse, at: hour(30) };
    expect(await owedAfter(place, pay, soon)).toEqual(['receipt']);
    const back = { ...pay, reversals: 1, at: hour(40) };
    expect(await owedAfter(place, pay, soon, back)).toEqual(['receipt', ...reminders].sort());
    const confirmed = [place, pay, { ...confirm, at: hour(20) }] as const;
    expect(await owedAfter(...confirmed, soon, back)).toEqual(['receipt']);
  });

  it('a buyer who is erased gets no letter any more', async () => {
    expect(await owedAfter(place, pay, confirm, removeRecord)).toEqual([
      `destroy-key/transaction:${ORDER}`,
    ]);
  });

  it('each payment that is held aside has a letter of its own, and one that came too late says so', async () => {
    const third = { ...second, reference: `${ORDER}-3`, providerId: 'third', isSoldOut: true };
    expect(await owedAfter(place, { ...second, amount: 1 }, third)).toEqual(
      [...unpaid, 'held-aside', 'held-aside/aside-third', 'sold-out/aside-third'].sort(),
    );
    expect(await owedAfter(place, third)).toEqual(
      [...unpaid, 'held-aside', 'sold-out/aside-third'].sort(),
    );
  });
});

it('the key of a buyer is to be destroyed at once, and again when a second event asks for it', async () => {
  const removed = ordered(place, pay, confirm, removeRecord);
  const data = { subject: `transaction:${ORDER}`, at: hour(60) };
  const erased = [recorded('operations', 0, 'SubjectErased', data)];
  for (const read of [
    [...removed, ...erased],
    [...erased, ...removed],
  ])
    expect((await owedOf(read, 1)).get(`destroy-key/transaction:${ORDER}`)).toMatchObject({
      due: new Date(0).toISOString(),
      position: positionAt(read.length),
    });
});
