import type { ObligationDocument } from '@oja/contracts/models';
import { type PlacedOrder, type ShareState, type TransactionState, transaction } from '@oja/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  commandOf,
  fruitful,
  longLife,
  placing,
  type Step,
  step,
} from '../../domain/test/lives.js';
import { hour } from '../../domain/test/orders.js';
import { obligations } from '../src/projections/obligations/index.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { record } from './support/orders.js';

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
  const log = new MemoryLog();
  log.record(record(`transaction-${state.transactionId}`, hour(0), events));
  const documents = new MemoryDocuments();
  await follow(log, documents, obligations, { batchSize: 500 });
  const { due = {} } = contents(documents, obligations);
  const owed = new Map(
    Object.entries(due).map(([id, text]) => [id, JSON.parse(text) as ObligationDocument]),
  );
  return { order: state as PlacedOrder, owed };
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
  const { transactionId: id, shares, refunds, openDisputes, reversed } = order;
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
  ];
}
const KINDS = ['payout', 'paid-twice', 'refund', 'dispute-check', 'disputed', 'taken-back'];

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
