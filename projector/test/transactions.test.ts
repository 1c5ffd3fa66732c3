import type { TransactionDocument, TransactionRefund } from '@oja/contracts/models';
import { type TransactionCommand, type TransactionState, transaction } from '@oja/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandOf, placing, stepOf } from '../../domain/test/lives.js';
import {
  complain,
  hour,
  ORDER,
  pay,
  place,
  reverse,
  secret,
  settle,
} from '../../domain/test/orders.js';
import { transactions } from '../src/projections/transactions.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { ordered, record } from './support/orders.js';
import { recorded } from './support/shop.js';

/** The events of a command; none if it is refused. */
function after(state: TransactionState, command: TransactionCommand) {
  const decision = transaction.decide(command, state);
  return decision.ok ? decision.events : [];
}

type Recorded = Parameters<MemoryLog['record']>[0];

/** The document of an order after what was recorded. */
async function documentOf(id: string, ...batches: readonly Recorded[]) {
  const log = new MemoryLog();
  for (const batch of batches) log.record(batch);
  const documents = new MemoryDocuments();
  await follow(log, documents, transactions, { batchSize: 500 });
  const text = contents(documents, transactions).transactions?.[id];
  if (text === undefined) throw new Error('there is no such order');
  return JSON.parse(text) as TransactionDocument;
}

const seen = ({ refundId, status }: Pick<TransactionRefund, 'refundId' | 'status'>) =>
  `${refundId}: ${status}`;

/** Pays, and settles a complaint about the first seller for the buyer. */
const refunded = ['pay', 'problem', 'refund'].map((ask, n) => ({ ask, which: 0, hours: 100 * n }));
/** The bank takes payments back and gives them back, while refunds fail or are completed. */
const moved = stepOf(
  ...['refund failed', 'refund failed', 'refund done', 'reverse', 'restore', 'pay wrong'],
  ...['reverse aside', 'restore aside'],
);

it('has the refunds of an order as the domain has them, however often the payment is taken back', async () => {
  await fc.assert(
    fc.asyncProperty(placing('o'), fc.array(moved, { maxLength: 20 }), async (placed, steps) => {
      const events = [...after(transaction.initial, placed)];
      let state = events.reduce(transaction.evolve, transaction.initial);
      for (const taken of [...refunded, ...steps]) {
        if (state.status !== 'placed') throw new Error('nothing was placed');
        const more = after(state, commandOf(taken, state));
        events.push(...more);
        state = more.reduce(transaction.evolve, state);
      }
      const { refunds } = await documentOf('o', record('transaction-o', hour(0), events));
      const known = state.status === 'placed' ? state.refunds : [];
      expect(refunds.map(seen)).toEqual(known.map(seen));
    }),
    { numRuns: 60 },
  );
});

describe('an order', () => {
  const seenAfter = (...commands: readonly TransactionCommand[]) =>
    documentOf(ORDER, ordered(...commands));
  const attempt = (reference: string): TransactionCommand => ({
    type: 'RecordInitialized',
    reference,
    accessCode: 'abc',
    authorizationUrl: 'https://pay.example/abc',
  });

  it('has the newest reference until one is paid, and then that one', async () => {
    const begun = [place, attempt(ORDER), attempt(`${ORDER}-2`)] as const;
    expect(await seenAfter(...begun)).toMatchObject({ reference: `${ORDER}-2` });
    const later = [pay, attempt(`${ORDER}-3`)] as const;
    expect(await seenAfter(...begun, ...later)).toMatchObject({ reference: ORDER });
  });

  it('is paid, taken back and paid again', async () => {
    const back = { ...pay, reversals: 1, at: hour(400) };
    const paid = { status: 'success', received: 'PENDING', unconfirmed: true };
    expect(await seenAfter(place, pay)).toMatchObject(paid);
    const taken = { status: 'reversed', received: 'REFUNDED', unconfirmed: false };
    expect(await seenAfter(place, pay, reverse)).toMatchObject(taken);
    expect(await seenAfter(place, pay, reverse, back)).toMatchObject(paid);
  });

  it('tells what was complained of beside the goods that it is about, and no others', async () => {
    const { shares } = await seenAfter(place, pay, complain('bisi'));
    expect(shares).toMatchObject([
      { sellerId: 'ada', status: 'held', complaint: null },
      { sellerId: 'bisi', status: 'disputed', complaint: secret('complaint') },
    ]);
  });

  it('refunds goods in naira, and a payment that is held aside in its own currency', async () => {
    const dollars = { ...pay, reference: `${ORDER}-2`, providerId: '2', amount: 115_000 };
    const { refunds } = await seenAfter(
      ...[place, pay, { ...dollars, currency: 'USD' }, complain('ada')],
      settle('ada', 'refund'),
    );
    expect(refunds).toMatchObject([
      { of: 'held-aside', sellerId: null, amount: 115_000, currency: 'USD' },
      { of: 'goods', sellerId: 'ada', amount: 230_000, currency: 'NGN' },
    ]);
  });

  it('counts as removed once its buyer is erased, whichever is read first', async () => {
    const data = { subject: `transaction:${ORDER}`, at: hour(1) };
    const erased = [recorded('operations', 0, 'SubjectErased', data)];
    const placed = ordered(place, pay);
    expect(await documentOf(ORDER, placed)).toMatchObject({ removed: false });
    expect(await documentOf(ORDER, placed, erased)).toMatchObject({ removed: true });
    expect(await documentOf(ORDER, erased, placed)).toMatchObject({ removed: true });
  });
});
