import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  businessName,
  type Decider,
  inbox,
  isOrderOpen,
  type PlacedOrder,
  product,
  receivedStatus,
  review,
  seller,
  transaction,
} from '../src/index.js';
import {
  businessNameCommand,
  inboxCommand,
  productCommand,
  reviewCommand,
  sellerCommand,
} from './commands.js';
import { folded } from './given.js';
import { commandOf, fruitful, longLife, placing, step } from './lives.js';

type Event = { readonly type: string; readonly data: unknown };

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

/**
 * Decides a command on frozen values, so that nothing can be mutated, and twice, to show that only the
 * command and the state matter.
 */
function carriedOut<S, C, E extends Event>(
  decider: Decider<S, C, E>,
  state: S,
  command: C,
): readonly E[] {
  const decision = decider.decide(frozen(command), frozen(state));
  expect(decider.decide(command, state)).toEqual(decision);
  return decision.ok ? decision.events : [];
}

/** The events as the log returns them: serialized as JSON and parsed again. */
function read<S, C, E extends Event>(
  decider: Decider<S, C, E>,
  events: readonly E[],
): readonly E[] {
  return events.flatMap(({ type, data }) => {
    const event = decider.parse(type, JSON.parse(JSON.stringify(data)));
    return event === null ? [] : [event];
  });
}

function holds<S, C, E extends Event>(decider: Decider<S, C, E>, command: fc.Arbitrary<C>) {
  it('never throws, and its state is a pure fold of what is read back', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40, size: 'max' }), (commands) => {
        let state = decider.initial;
        const events: E[] = [];
        for (const each of commands) {
          for (const event of carriedOut(decider, state, each)) {
            events.push(event);
            state = decider.evolve(state, frozen(event));
          }
        }
        expect(folded(decider, read(decider, events))).toEqual(state);
      }),
      { numRuns: 200 },
    );
  });
}

describe('a seller', () => holds(seller, sellerCommand));
describe('a business name', () => holds(businessName, businessNameCommand));
describe('a product', () => holds(product, productCommand));
describe('a review', () => holds(review, reviewCommand));
describe('an inbox', () => holds(inbox, inboxCommand));

describe('an order', () => {
  const life = fc.tuple(placing('order'), fc.array(fc.tuple(step, fc.boolean()), longLife));

  /** Plays random lives of an order, and calls `look` with its state before and after each event. */
  function always(look: (before: PlacedOrder, after: PlacedOrder) => void) {
    fc.assert(
      fc.property(life, ([placed, steps]) => {
        const first = carriedOut(transaction, transaction.initial, placed);
        const events = [...first];
        let state = folded(transaction, events);
        for (const [taken, isFruitful] of steps) {
          if (state.status === 'none') throw new Error('the order was not placed');
          const command = commandOf(isFruitful ? fruitful(taken, state) : taken, state);
          for (const event of carriedOut(transaction, state, command)) {
            events.push(event);
            const before: PlacedOrder = state;
            const after = transaction.evolve(state, frozen(event));
            if (after.status === 'none') throw new Error('the order is gone');
            look(before, after);
            state = after;
          }
        }
        expect(folded(transaction, read(transaction, events))).toEqual(state);
      }),
      { numRuns: 150 },
    );
  }

  it('never throws, and its state is a pure fold of what is read back', () => {
    always(() => {});
  });

  it('keeps its payment, its goods and its shares', () => {
    always((before, after) => {
      const { payment, lines, amount } = before;
      expect(after).toMatchObject({ lines, amount, ...(payment ? { payment } : {}) });
      expect(after.shares.map(({ share }) => share)).toEqual(before.shares.map((s) => s.share));
    });
  });

  it('never gives more back than its payment, whatever its disputes give back in part', () => {
    always((_, { payment, refunds, returned }) => {
      const goods = refunds.filter(({ sellerId }) => sellerId !== null);
      const refunded = goods.reduce((sum, { amount }) => sum + amount, 0);
      expect(returned.open).toBeGreaterThanOrEqual(0);
      expect(refunded + returned.counted).toBeLessThanOrEqual(payment?.amount ?? 0);
    });
  });

  it('that was paid has money held, or is closed or disputed: nothing is in between', () => {
    always((_, after) => {
      if (after.payment === null) return;
      const isHeld = after.shares.some(({ status }) => status === 'held' || status === 'disputed');
      expect(isOrderOpen(after)).toBe(isHeld);
      expect(after.shares.some(({ status }) => status === 'none')).toBe(false);
      if (after.reversed) expect(['DELIVERED', 'REFUNDED']).toContain(receivedStatus(after.shares));
    });
  });

  it('pays out only what was released, and nothing while its payment is taken back', () => {
    always((before, after) => {
      const isRestored = before.reversed && !after.reversed;
      after.shares.forEach((share, n) => {
        const was = before.shares[n]?.status;
        if (share.status === was) return;
        if (isRestored) expect(was).toBe('reversed');
        else if (share.status === 'payout-requested') expect(was).toBe('released');
        // A transfer that was given up needs no request to arrive.
        const isLate = share.payoutId !== null && share.reportedLate.includes(share.payoutId);
        if (share.status === 'paid-out')
          expect(isLate ? ['released'] : ['payout-requested', 'reversed']).toContain(was);
        if (before.reversed && !isRestored)
          expect(['paid-out', 'reversed']).toContain(share.status);
      });
    });
  });

  it('asks for no payout of a share that one too many has paid, and gives each an id of its own', () => {
    always((before, after) => {
      after.shares.forEach((share, n) => {
        const was = before.shares[n];
        if (share.status !== 'payout-requested' || was?.status !== 'released') return;
        expect(share.doubled).toEqual([]);
        expect([...was.givenUp, ...was.reportedLate]).not.toContain(share.payoutId);
      });
    });
  });
});
