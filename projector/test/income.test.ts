import type { PayoutDocument, SoldDayDocument } from '@oja/contracts/models';
import { type TransactionCommand, type TransactionState, transaction } from '@oja/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commandOf, fruitful, longLife, placing, step } from '../../domain/test/lives.js';
import { confirm, hour, ORDER, pay, place } from '../../domain/test/orders.js';
import { income } from '../src/projections/income.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { record } from './support/orders.js';

type Asked = TransactionCommand | ((state: TransactionState) => TransactionCommand);

/** Runs commands on an order, skipping refused ones. Returns its state and the income documents made from it. */
async function lived(...asked: readonly Asked[]) {
  const log = new MemoryLog();
  let state: TransactionState = transaction.initial;
  const events = asked.flatMap((next) => {
    const decision = transaction.decide(typeof next === 'function' ? next(state) : next, state);
    if (!decision.ok) return [];
    state = decision.events.reduce(transaction.evolve, state);
    return decision.events;
  });
  log.record(record('transaction-o', hour(0), events));
  const documents = new MemoryDocuments();
  await follow(log, documents, income, { batchSize: 500 });
  const tables = contents(documents, income);
  const of = <D>(name: string): readonly (readonly [string, D])[] =>
    Object.entries(tables[name] ?? {}).map(([id, text]) => [id, JSON.parse(text)]);
  return {
    state,
    day: (id: string) => of<SoldDayDocument>('days').find(([known]) => known === id)?.[1],
    days: of<SoldDayDocument>('days'),
    payouts: of<PayoutDocument>('payouts'),
    paidOut: Object.fromEntries(
      of<{ months: readonly { month: string; amount: number }[] }>('paidOut').map(
        ([id, { months }]) => [id, months],
      ),
    ),
  };
}

/** 00:30 on 2 March in Lagos. */
const LATE = '2026-03-01T23:30:00.000Z';
const NEXT_MONTH = '2026-03-31T23:00:00.000Z';

it('counts what was paid on the day that it is in Lagos, to each seller their own part', async () => {
  const { days, day } = await lived(place, { ...pay, paidAt: LATE });
  expect(days.map(([id]) => id)).toEqual(['ada/2026-03-02', 'bisi/2026-03-02']);
  expect(day('ada/2026-03-02')).toEqual({
    orders: 1,
    sum: 200_000,
    products: [{ productId: 'bag-of-ada', name: 'Bag', pieces: 1, sum: 200_000 }],
  });
});

it('counts nothing that was not paid', async () => {
  expect((await lived(place)).days).toEqual([]);
});

it('takes off what goes back to the buyer, and leaves the other seller theirs', async () => {
  const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
  const { day } = await lived(
    place,
    pay,
    { type: 'ReportProblem', sellerIds: ['ada'], complaint, at: hour(60) },
    { type: 'ResolveDispute', sellerId: 'ada', outcome: 'refund', by: 'admin', at: hour(90) },
  );
  expect(day('ada/2026-03-01')).toEqual({ orders: 0, sum: 0, products: [] });
  expect(day('bisi/2026-03-01')).toMatchObject({ orders: 1, sum: 100_000 });
});

const transfer = (at: string): Extract<TransactionCommand, { type: 'RequestPayout' }> => ({
  type: 'RequestPayout',
  sellerId: 'ada',
  method: 'transfer',
  at,
});
const first = `${ORDER}_0_0`;
const done = (at: string): TransactionCommand => ({ type: 'CompletePayout', payoutId: first, at });
const failed = (at: string, givenUp?: true, reason = 'transfer.reversed'): TransactionCommand => ({
  type: 'FailPayout',
  payoutId: first,
  reason,
  at,
  ...(givenUp && { givenUp }),
});

it('says of a payout that it is on its way, and then that it was sent', async () => {
  const before = await lived(place, pay, confirm, transfer(hour(40)));
  expect(before.payouts).toEqual([
    [
      first,
      {
        sellerId: 'ada',
        transactionId: ORDER,
        amount: 200_000,
        method: 'transfer',
        account: null,
        status: 'on-its-way',
        reason: null,
        requestedAt: hour(40),
        endedAt: null,
      },
    ],
  ]);
  expect(before.paidOut).toEqual({});
  const after = await lived(place, pay, confirm, transfer(hour(40)), done(NEXT_MONTH));
  expect(after.payouts).toMatchObject([[first, { status: 'sent', endedAt: NEXT_MONTH }]]);
  expect(after.paidOut).toEqual({ ada: [{ month: '2026-04', amount: 200_000 }] });
});

it('keeps sealed where a payout goes, and still knows it once it was sent', async () => {
  const own = (sealed: string) => ({ sealed, subject: 'seller:ada' });
  const account = { accountEnd: own('6789'), bankName: own('Zenith Bank') };
  const asked = { ...transfer(hour(40)), account };
  const { payouts } = await lived(place, pay, confirm, asked, done(hour(41)));
  expect(payouts).toMatchObject([[first, { status: 'sent', account }]]);
});

it('takes what came back off the month in which it was sent, and names each try by itself', async () => {
  const { payouts, paidOut } = await lived(
    ...[place, pay, confirm, transfer(hour(40)), done(hour(41))],
    ...[failed(NEXT_MONTH), transfer('2026-04-02T08:00:00.000Z')],
  );
  expect(payouts).toMatchObject([
    [first, { status: 'came-back', reason: 'bank', endedAt: NEXT_MONTH }],
    [`${ORDER}_0_1`, { status: 'on-its-way' }],
  ]);
  expect(paidOut).toEqual({ ada: [{ month: '2026-03', amount: 0 }] });
});

it('keeps a sum for each month, in the order of the months', async () => {
  const april = { ...done('2026-04-02T08:00:00.000Z'), payoutId: `${ORDER}_0_1` };
  const asked = [place, pay, confirm, transfer(hour(40))] as const;
  const again = [failed('2026-04-01T08:00:00.000Z'), transfer('2026-04-01T09:00:00.000Z')] as const;
  const { paidOut: both } = await lived(...asked, done(hour(41)), ...again, april);
  const months = [
    { month: '2026-03', amount: 0 },
    { month: '2026-04', amount: 200_000 },
  ];
  expect(both).toEqual({ ada: months });
  // The clock of the process that heard of the first was behind.
  const late: TransactionCommand = { type: 'RecordLatePayout', payoutId: first, at: hour(41) };
  const { paidOut: doubled } = await lived(...asked, ...again, april, late);
  expect(doubled).toEqual({ ada: [{ ...months[0], amount: 200_000 }, months[1]] });
});

it('counts one that was given up in the month in which it arrives, not in that of its end', async () => {
  const { paidOut } = await lived(
    ...[place, pay, confirm, transfer(hour(40)), failed(hour(50), true)],
    { type: 'RecordLatePayout', payoutId: first, at: NEXT_MONTH },
  );
  expect(paidOut).toEqual({ ada: [{ month: '2026-04', amount: 200_000 }] });
});

it('says why one failed', async () => {
  const asked = [place, pay, confirm, transfer(hour(40))] as const;
  const { payouts: refused } = await lived(...asked, failed(hour(41)));
  expect(refused).toMatchObject([[first, { status: 'failed', reason: 'bank' }]]);
  const { payouts: stopped } = await lived(...asked, failed(hour(41), true));
  expect(stopped).toMatchObject([[first, { status: 'failed', reason: 'stopped' }]]);
  const byHand = { ...transfer(hour(40)), method: 'manual' } as const;
  const ended = failed(hour(41), undefined, 'not in the office');
  const { payouts: unpaid } = await lived(place, pay, confirm, byHand, ended);
  expect(unpaid).toMatchObject([[first, { status: 'failed', reason: 'stopped' }]]);
  const reversed = { ...pay, status: 'reversed', at: hour(41) } as const;
  const { payouts: taken } = await lived(...asked, reversed, failed(hour(42)));
  expect(taken).toMatchObject([[first, { status: 'failed', reason: 'taken-back' }]]);
});

it('counts one that was given up and has arrived after all, since the seller has it', async () => {
  const { payouts, paidOut } = await lived(
    ...[place, pay, confirm, transfer(hour(40))],
    { type: 'SettlePayout', sellerId: 'ada', reason: 'paid in cash', at: hour(50) },
    { type: 'RecordLatePayout', payoutId: first, at: hour(60) },
  );
  expect(payouts).toMatchObject([
    [first, { status: 'sent', reason: 'late' }],
    [`${ORDER}_0_1`, { status: 'sent', method: 'manual', reason: null }],
  ]);
  expect(paidOut).toEqual({ ada: [{ month: '2026-03', amount: 400_000 }] });
});

it('takes one that was too many and came back from the sum of its month', async () => {
  const { payouts, paidOut } = await lived(
    ...[place, pay, confirm, transfer(hour(40))],
    { type: 'SettlePayout', sellerId: 'ada', reason: 'paid in cash', at: hour(50) },
    { type: 'RecordLatePayout', payoutId: first, at: hour(60) },
    failed(hour(70)),
  );
  expect(payouts).toMatchObject([
    [first, { status: 'came-back', reason: 'bank', endedAt: hour(70) }],
    [`${ORDER}_0_1`, { status: 'sent' }],
  ]);
  expect(paidOut).toEqual({ ada: [{ month: '2026-03', amount: 200_000 }] });
});

it('keeps the time at which one arrived that pays its share only later', async () => {
  const { payouts, paidOut } = await lived(
    ...[place, pay, confirm, transfer(hour(40)), failed(hour(41), true)],
    { ...pay, status: 'reversed', at: hour(42) },
    { type: 'RecordLatePayout', payoutId: first, at: hour(60) },
    { ...pay, reversals: 1, at: hour(900) },
  );
  expect(payouts).toMatchObject([[first, { status: 'sent', reason: null, endedAt: hour(60) }]]);
  expect(paidOut).toEqual({ ada: [{ month: '2026-03', amount: 200_000 }] });
});

it('has sold and paid out what the order says, whatever becomes of it', async () => {
  await fc.assert(
    fc.asyncProperty(placing('o'), fc.array(step, longLife), async (placed, steps) => {
      const { state, days, payouts, paidOut } = await lived(
        placed,
        ...steps.map((taken) => (now: TransactionState) => {
          if (now.status !== 'placed') throw new Error('nothing was placed');
          return commandOf(fruitful(taken, now), now);
        }),
      );
      if (state.status !== 'placed') throw new Error('nothing was placed');
      for (const { sellerId, share, status, doubled } of state.shares) {
        const own = days.filter(([id]) => id.startsWith(`${sellerId}/`)).map(([, day]) => day);
        const sold = state.payment !== null && status !== 'refunded' && status !== 'reversed';
        expect(own.reduce((sum, day) => sum + day.sum, 0)).toBe(sold ? share : 0);
        expect(own.flatMap(({ products }) => products).reduce((sum, one) => sum + one.sum, 0)).toBe(
          sold ? share : 0,
        );
        const sent = payouts.filter(
          ([, payout]) => payout.sellerId === sellerId && payout.status === 'sent',
        );
        expect(sent).toHaveLength(doubled.length + (status === 'paid-out' ? 1 : 0));
        const months = paidOut[sellerId] ?? [];
        expect(months.reduce((sum, { amount }) => sum + amount, 0)).toBe(sent.length * share);
      }
    }),
    { numRuns: 60 },
  );
});

it.each([
  ['transfer.failed', 'bank'],
  ['The bank details were refused', 'bank'],
  ['transfer.abandoned', 'stopped'],
  ['transfer.blocked', 'stopped'],
  ['transfer.rejected', 'stopped'],
] as const)('says of a transfer that ended with %s: %s', async (why, reason) => {
  const end = failed(hour(41), undefined, why);
  const { payouts } = await lived(place, pay, confirm, transfer(hour(40)), end);
  expect(payouts).toMatchObject([[first, { status: 'failed', reason }]]);
});
