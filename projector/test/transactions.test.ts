import type { TransactionDocument, TransactionRefund } from '@oja/contracts/models';
import { type TransactionCommand, type TransactionState, transaction } from '@oja/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commandOf, placing, stepOf } from '../../domain/test/lives.js';
import { hour } from '../../domain/test/orders.js';
import { transactions } from '../src/projections/transactions.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { record } from './support/orders.js';

/** The events of a command; none if it is refused. */
function after(state: TransactionState, command: TransactionCommand) {
  const decision = transaction.decide(command, state);
  return decision.ok ? decision.events : [];
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
      const log = new MemoryLog();
      log.record(record('transaction-o', hour(0), events));
      const documents = new MemoryDocuments();
      await follow(log, documents, transactions, { batchSize: 500 });
      const text = contents(documents, transactions).transactions?.o ?? '{}';
      const { refunds }: TransactionDocument = JSON.parse(text);
      const known = state.status === 'placed' ? state.refunds : [];
      expect(refunds.map(seen)).toEqual(known.map(seen));
    }),
    { numRuns: 60 },
  );
});
