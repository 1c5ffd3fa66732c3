import { LEDGER_ID, type LedgerAccounts } from '@oja/contracts/models';
import {
  type PlacedOrder,
  type PlaceOrder,
  refundIdOf,
  sharesOf,
  type TransactionCommand,
  type TransactionEvent,
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
  stepOf,
} from '../../domain/test/lives.js';
import {
  complain,
  hour,
  ORDER,
  pay,
  place,
  refundDone,
  reverse,
  settle,
} from '../../domain/test/orders.js';
import { isBalanced, NOTHING } from '../src/projections/ledger/postings.js';
import { Books } from './support/books.js';

interface Order {
  readonly placed: PlaceOrder;
  state: TransactionState;
  readonly events: TransactionEvent[];
}

/** Two orders from the same three sellers, with their steps interleaved. */
const lives = fc.record({
  orders: fc.tuple(placing('order-0'), placing('order-1')),
  steps: fc.array(fc.tuple(fc.nat({ max: 1 }), step), longLife),
});

/** Plays random lives of the orders, and calls `look` after every event. */
function everyPosition(look: (books: Books, orders: readonly Order[]) => void): void {
  const live = (placings: readonly PlaceOrder[], steps: readonly (readonly [number, Step])[]) => {
    const books = new Books();
    const orders = placings.map((placed): Order => {
      return { placed, state: transaction.initial, events: [] };
    });
    const ask = (order: Order, command: Parameters<typeof transaction.decide>[0]) => {
      const decision = transaction.decide(command, order.state);
      for (const event of decision.ok ? decision.events : []) {
        order.state = transaction.evolve(order.state, event);
        order.events.push(event);
        books.hear(event);
        look(books, orders);
      }
    };
    for (const order of orders) ask(order, order.placed);
    for (const [n, taken] of steps) {
      const order = orders[n];
      if (order?.state.status === 'placed')
        ask(order, commandOf(fruitful(taken, order.state), order.state));
    }
  };
  fc.assert(
    fc.property(lives, ({ orders, steps }) => live(orders, steps)),
    { numRuns: 150 },
  );
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const placedOf = ({ state }: Order): PlacedOrder | null =>
  state.status === 'placed' ? state : null;
/** The accounts whose sums are what the sellers are told. */
const earned = ['held', 'payable', 'paidOut'] as const;
const accountNames = Object.keys(NOTHING) as readonly (keyof LedgerAccounts)[];

/** The sum of a seller's shares that have one of these statuses in the orders. */
function owed(orders: readonly Order[], sellerId: string, ...statuses: readonly string[]): number {
  const shares = orders.flatMap((order) => placedOf(order)?.shares ?? []);
  const those = shares.filter((s) => s.sellerId === sellerId && statuses.includes(s.status));
  return sum(those.map(({ share }) => share));
}

/** What a seller has received in payouts that were one too many. */
function doubled(orders: readonly Order[], sellerId: string): number {
  const shares = orders.flatMap((order) => placedOf(order)?.shares ?? []);
  const own = shares.filter((share) => share.sellerId === sellerId);
  return sum(own.map((share) => share.share * share.doubled.length));
}

describe('the ledger, whatever becomes of orders', () => {
  it('is balanced at every position, in sum, for each order and for each seller', () => {
    everyPosition((books, orders) => {
      const own = orders.map(({ placed }) => books.accounts(placed.transactionId) ?? NOTHING);
      const whole = books.accounts(LEDGER_ID) ?? NOTHING;
      expect([whole, ...own].every(isBalanced)).toBe(true);
      for (const name of accountNames)
        expect(whole[name]).toBe(sum(own.map((accounts) => accounts[name])));
      const sellers = ['seller-0', 'seller-1', 'seller-2'].map((id) => books.earnings(id));
      for (const name of earned)
        expect(sum(sellers.map((earnings) => earnings?.[name] ?? 0))).toBe(whole[name]);
    });
  });

  it('owes and holds nothing negative: only cash can be, by what the provider keeps', () => {
    everyPosition((books, orders) => {
      for (const { placed } of orders) {
        const { cash: _, ...others } = books.accounts(placed.transactionId) ?? NOTHING;
        const { balanced: __, ...amounts } = { balanced: true, ...others };
        expect(Object.entries(amounts).filter(([, amount]) => amount < 0)).toEqual([]);
      }
    });
  });

  it('counts as cash what came in, less what went back to buyers and to the provider', () => {
    everyPosition((books, orders) => {
      for (const { placed, events } of orders) {
        const moved = events.map(({ type, data }) => {
          if (type === 'PaymentVerified' || type === 'PaymentMismatched')
            return data.amount - data.fees;
          if (type === 'PaymentRestored' || type === 'RefundUndone') return data.amount;
          if (type === 'RefundCompleted') return data.returned ? 0 : -data.amount;
          return type === 'PaymentReversed' || type === 'PaymentReturnedInPart' ? -data.amount : 0;
        });
        expect((books.accounts(placed.transactionId) ?? NOTHING).cash).toBe(sum(moved));
      }
    });
  });

  it('tells each seller what the orders say: held, payable, paid out', () => {
    everyPosition((books, orders) => {
      for (const sellerId of ['seller-0', 'seller-1', 'seller-2']) {
        const { held, payable, paidOut } = books.earnings(sellerId) ?? NOTHING;
        expect({ held, payable, paidOut }).toEqual({
          held: owed(orders, sellerId, 'held', 'disputed'),
          payable: owed(orders, sellerId, 'released', 'payout-requested'),
          paidOut: owed(orders, sellerId, 'paid-out') + doubled(orders, sellerId),
        });
      }
    });
  });

  it('owes to buyers the refunds that were asked and not given, and what is held aside', () => {
    everyPosition((books, orders) => {
      for (const order of orders) {
        const open = (placedOf(order)?.refunds ?? []).filter(
          ({ status }) => status === 'requested' || status === 'failed',
        );
        const { refundsDue, heldAside } = books.accounts(order.placed.transactionId) ?? NOTHING;
        const [goods, aside] = [false, true].map((isAside) =>
          sum(open.filter((r) => (r.sellerId === null) === isAside).map(({ amount }) => amount)),
        );
        expect({ refundsDue, heldAside }).toEqual({ refundsDue: goods, heldAside: aside });
      }
    });
  });

  it('never pays out more than was released, but for what was one too many', () => {
    everyPosition((books, orders) => {
      for (const { placed, events } of orders) {
        const released = events.map(({ type, data }) =>
          type === 'SellerShareReleased' || type === 'PayoutDoubled' ? data.amount : 0,
        );
        const { paidOut } = books.accounts(placed.transactionId) ?? NOTHING;
        expect(paidOut).toBeLessThanOrEqual(sum(released));
      }
    });
  });
});

describe('an order that is to be refunded whole', () => {
  const asks = [
    ...['refund done', 'refund failed', 'reverse', 'restore'],
    ...['pay wrong', 'reverse aside', 'restore aside'],
  ];
  const ends = fc.array(stepOf(...asks), { minLength: 1, maxLength: 12 });

  it('has lost nothing, however often refunds failed and in whatever order the news came', () => {
    fc.assert(
      fc.property(placing('order'), ends, (placed, steps) => {
        const books = new Books();
        let state: TransactionState = transaction.initial;
        const ask = (command: Parameters<typeof transaction.decide>[0]) => {
          const decision = transaction.decide(command, state);
          for (const event of decision.ok ? decision.events : []) {
            state = transaction.evolve(state, event);
            books.hear(event);
          }
        };
        const doing = (taken: Step) => {
          if (state.status === 'placed') ask(commandOf(taken, state));
        };
        ask(placed);
        doing({ ask: 'pay', which: 0, hours: 1 });
        for (const [which] of sharesOf(placed.lines).entries())
          for (const what of ['problem', 'refund']) doing({ ask: what, which, hours: 100 });
        for (const taken of steps) {
          doing(taken);
          const { losses, refundsDue, house } = books.accounts('order') ?? NOTHING;
          expect({ losses, house }).toEqual({ losses: 0, house: 0 });
          expect(refundsDue).toBeGreaterThanOrEqual(0);
        }
        doing({ ask: 'reverse', which: 0, hours: 300 });
        expect(books.accounts('order')).toMatchObject({ losses: 0, refundsDue: 0, held: 0 });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a share whose transfer was given up and arrives after all', () => {
  const at = '2026-03-01T09:00:00.000Z';
  const given = {
    reference: 'order-0',
    currency: 'NGN',
    channel: 'card',
    providerId: '1',
  } as const;

  /** An order with a transfer under way to one of its sellers. */
  function underWay() {
    const books = new Books();
    const placed = fc.sample(placing('order-0'), { numRuns: 1, seed: 1 })[0];
    if (placed === undefined) throw new Error('nothing was placed');
    let state = transaction.initial;
    const carryOut = (command: Parameters<typeof transaction.decide>[0]) => {
      const decision = transaction.decide(command, state);
      if (!decision.ok) throw new Error(decision.refusal.message);
      for (const event of decision.events) {
        books.hear(event);
        state = transaction.evolve(state, event);
      }
    };
    carryOut(placed);
    const { amount } = placed;
    const told = { ...given, type: 'VerifyPayment', amount, fees: 0, paidAt: at, at } as const;
    carryOut({ ...told, status: 'success' });
    carryOut({ type: 'ConfirmDelivery', at });
    const [{ sellerId, share } = { sellerId: '', share: 0 }, ...others] = sharesOf(placed.lines);
    const payable = sum(others.map((other) => other.share));
    carryOut({ type: 'RequestPayout', sellerId, method: 'transfer', at });
    const house = amount - share - payable;
    return { books, carryOut, told, amount, sellerId, share, payable, house };
  }
  const late = { type: 'RecordLatePayout', payoutId: 'order-0_0_0', at } as const;
  const ended = { ...late, type: 'FailPayout', reason: 'stuck', givenUp: true } as const;

  it('is the loss of the market if it was paid by hand: its seller has it twice', () => {
    const { books, carryOut, amount, sellerId, share } = underWay();
    carryOut({ type: 'SettlePayout', sellerId, reason: 'paid in cash', at });
    carryOut(late);
    const twice = { balanced: true, cash: amount, paidOut: 2 * share, losses: share };
    expect(books.accounts('order-0')).toMatchObject(twice);
    expect(books.earnings(sellerId)).toMatchObject({ payable: 0, paidOut: 2 * share });
  });

  it('is a loss no longer if the bank returns the one that was too many', () => {
    const { books, carryOut, amount, sellerId, share, house } = underWay();
    carryOut({ type: 'SettlePayout', sellerId, reason: 'paid in cash', at });
    carryOut(late);
    carryOut({ ...ended, givenUp: false });
    const once = { balanced: true, cash: amount, paidOut: share, losses: 0, house };
    expect(books.accounts('order-0')).toMatchObject(once);
    expect(books.earnings(sellerId)).toMatchObject({ payable: 0, paidOut: share });
  });

  it('is a loss while the payment is taken back, which a payment given back makes up for', () => {
    const { books, carryOut, told, amount, sellerId, share, payable, house } = underWay();
    carryOut(ended);
    carryOut({ ...told, status: 'reversed' });
    carryOut(late);
    expect(books.accounts('order-0')).toMatchObject({ cash: 0, paidOut: share, losses: share });
    expect(books.earnings(sellerId)).toMatchObject({ payable: 0, paidOut: share });
    carryOut({ ...told, status: 'success', reversals: 1 });
    const right = { balanced: true, cash: amount, payable, paidOut: share, house, losses: 0 };
    expect(books.accounts('order-0')).toMatchObject(right);
    expect(books.earnings(sellerId)).toMatchObject({ payable: 0, paidOut: share });
  });

  it('is owed again when the bank returns it', () => {
    const { books, carryOut, sellerId, share, payable } = underWay();
    carryOut(ended);
    carryOut(late);
    expect(books.accounts('order-0')).toMatchObject({ payable, paidOut: share, losses: 0 });
    carryOut({ ...ended, givenUp: false });
    const owed = { balanced: true, payable: payable + share, paidOut: 0, losses: 0 };
    expect(books.accounts('order-0')).toMatchObject(owed);
    expect(books.earnings(sellerId)).toMatchObject({ payable: share, paidOut: 0 });
  });
});

it('keeps money of another currency out of its sums, also when it goes back', () => {
  const books = new Books();
  const order = { transactionId: 'order-0' };
  const placed = fc.sample(placing('order-0'), { numRuns: 1, seed: 1 })[0];
  if (placed === undefined) throw new Error('nothing was placed');
  const decision = transaction.decide(placed, transaction.initial);
  for (const event of decision.ok ? decision.events : []) books.hear(event);
  const refundId = 'aside-dollars';
  const at = '2026-03-01T09:00:00.000Z';
  const [amount, fees, currency, reason] = [115_000, 500, 'USD', 'currency'] as const;
  const aside = { ...order, reference: 'order-0', amount, fees, currency, reason, refundId, at };
  books.hear({ type: 'PaymentMismatched', data: { ...aside, providerId: 'dollars' } });
  expect(books.accounts('order-0')).toMatchObject(NOTHING);
  books.hear({ type: 'RefundCompleted', data: { ...order, refundId, amount, reversed: true, at } });
  expect(books.accounts('order-0')).toMatchObject(NOTHING);
  const undone = { ...order, refundId, sellerId: null, providerId: 'dollars', amount, at };
  books.hear({ type: 'RefundUndone', data: undone });
  expect(books.accounts('order-0')).toMatchObject(NOTHING);
});

describe('a part of a payment that a dispute gave back', () => {
  const PART = 230_000;
  const dispute = { reference: ORDER, disputeId: '7', at: hour(100) };
  const lost = { type: 'CloseDispute', ...dispute, returned: PART } as const;
  /** The accounts of the order after these commands. */
  const booksOf = (...commands: readonly TransactionCommand[]) => {
    const books = new Books();
    let state: TransactionState = transaction.initial;
    for (const command of [place, pay, complain('ada', 'bisi'), ...commands]) {
      const decision = transaction.decide(command, state);
      if (!decision.ok) throw new Error(decision.refusal.code);
      for (const event of decision.events) {
        state = transaction.evolve(state, event);
        books.hear(event);
      }
    }
    return books.accounts(ORDER);
  };
  const whole = booksOf();

  it('is a loss if the goods are settled for their sellers', () => {
    const released = booksOf(lost, settle('ada', 'release'), settle('bisi', 'release'));
    expect(released).toMatchObject({
      cash: (whole?.cash ?? 0) - PART,
      losses: PART,
      house: whole?.house,
    });
  });

  it('is no loss once a refund counts it, for all of it or beside what is sent', () => {
    const refundId = refundIdOf(ORDER, 'ada');
    const count = { type: 'CountReturned', refundId, at: hour(110) } as const;
    const refunded = booksOf(settle('ada', 'refund'), refundDone(refundId));
    expect(booksOf(lost, settle('ada', 'refund'), count)).toEqual(refunded);
    expect(booksOf(settle('ada', 'refund'), lost, count)).toEqual(refunded);
    const less = { ...lost, returned: 30_000 };
    expect(booksOf(less, settle('ada', 'refund'), count)).toEqual({
      ...booksOf(settle('ada', 'refund')),
      cash: (whole?.cash ?? 0) - 30_000,
      refundsDue: PART - 30_000,
    });
    expect(booksOf(less, settle('ada', 'refund'), count, refundDone(refundId))).toEqual(refunded);
  });

  it('is no loss of its own once all of the payment is gone, and one again when the rest returns', () => {
    expect(booksOf(lost, reverse)).toEqual(booksOf(reverse));
    const back = { ...pay, reversals: 1, at: hour(400) };
    expect(booksOf(lost, reverse, back)).toEqual(booksOf(lost));
  });
});
