import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../../test/given.js';
import { leftOf, list } from '../../test/goods.js';
import { hour } from '../../test/orders.js';
import { STOCK_HOLD_MS } from '../rules/times.js';
import { freeStock, type ProductState, product, stockHolders } from './index.js';

const oneLeft = { ...list, stock: 1 };
const hold = (transactionId: string, at = hour(0), quantity = 1) =>
  ({ type: 'HoldStock', transactionId, quantity, at }) as const;
const take = (
  transactionId: string,
  at = hour(0),
  quantity = 1,
  providerId = `of-${transactionId}`,
) => ({ type: 'TakeStock', transactionId, providerId, quantity, at }) as const;
const giveBack = (transactionId: string, at = hour(1), providerId = `of-${transactionId}`) =>
  ({ type: 'ReturnStock', transactionId, providerId, at }) as const;
const recount = (stock: number | null) =>
  ({ type: 'UpdateProduct', sellerId: 'ada', stock }) as const;
const afterHold = new Date(Date.parse(hour(0)) + STOCK_HOLD_MS).toISOString();
const stockOf = (state: ProductState) => {
  if (state.status === 'none' || state.stock === null) throw new Error('nothing is counted');
  return state.stock;
};

describe('goods that are counted', () => {
  it('are held for whoever goes to pay, and for nobody else meanwhile', () => {
    given(product, oneLeft)
      .when(hold('first'))
      .thenHappens({ type: 'StockHeld', data: { transactionId: 'first', until: afterHold } });
    given(product, oneLeft, hold('first')).when(hold('second')).thenRefused({ code: 'sold_out' });
    given(product, oneLeft, hold('first')).when(hold('first')).thenNothing();
  });

  it('are held for as long again when the same order goes to pay later, but not at each of its repeats', () => {
    const minutes = (n: number) => hour(n / 60);
    const again = given(product, oneLeft, hold('first')).when(hold('first', minutes(29)));
    again.thenHappens({ type: 'StockHeld', data: { transactionId: 'first', until: minutes(59) } });
    given(product, oneLeft, hold('first'))
      .when(hold('first', minutes(4)))
      .thenNothing();
    given(product, oneLeft, hold('first'))
      .when(hold('first', minutes(5)))
      .thenHappens('StockHeld');
    given(product, oneLeft, hold('first'), hold('first', minutes(29)))
      .when(take('first', minutes(58)))
      .thenHappens('StockTaken');
    given(product, oneLeft, hold('first'), hold('first', minutes(29)))
      .when(hold('second', minutes(58)))
      .thenRefused({ code: 'sold_out' });
  });

  it('are free for others after two hours at the latest, however often the same order goes to pay', () => {
    const minutes = (n: number) => hour(n / 60);
    const every20 = [0, 20, 40, 60, 80].map((n) => hold('first', minutes(n)));
    const atLast = given(product, oneLeft, ...every20).when(hold('first', minutes(100)));
    atLast.thenHappens({ type: 'StockHeld', data: { until: minutes(120) } });
    const all = [...every20, hold('first', minutes(100))] as const;
    given(product, oneLeft, ...all)
      .when(hold('first', minutes(119)))
      .thenNothing();
    given(product, oneLeft, ...all)
      .when(hold('second', minutes(120)))
      .thenHappens('StockHeld');
    given(product, oneLeft, ...all)
      .when(hold('first', minutes(121)))
      .thenHappens({ type: 'StockHeld', data: { until: minutes(151) } });
  });

  it('are not held as well for an order whose payment has taken them', () => {
    const two = { ...list, stock: 2 };
    given(product, two, take('first')).when(hold('first')).thenNothing();
    given(product, two, take('first')).when(hold('second')).thenHappens('StockHeld');
    given(product, two, take('first'), giveBack('first'))
      .when(hold('first', hour(2)))
      .thenHappens('StockHeld');
  });

  it('are held anew when the same order comes back for another number of them', () => {
    const three = { ...list, stock: 3 };
    const again = given(product, three, hold('first')).when(hold('first', hour(0), 3));
    again.thenHappens({ type: 'StockHeld', data: { transactionId: 'first', quantity: 3 } });
    given(product, three, hold('first'))
      .when(hold('first', hour(0), 4))
      .thenRefused({
        code: 'sold_out',
      });
    given(product, three, hold('other'), hold('first'), hold('first', hour(0), 2))
      .when(hold('third'))
      .thenRefused({ code: 'sold_out' });
  });

  it('are taken by whoever holds them, and no more than that of what others hold', () => {
    const two = { ...list, stock: 2 };
    const both = [two, hold('first'), hold('second', hour(0.3)), recount(1)] as const;
    given(product, ...both)
      .when(take('first'))
      .thenHappens('StockTaken');
    given(product, ...both)
      .when(take('first', hour(0.6)))
      .thenRefused({ code: 'sold_out' });
    const taken = given(product, two, hold('first'), hold('second'), take('first'));
    expect(stockOf(taken.state)).toMatchObject({ left: 1, held: [{ transactionId: 'second' }] });
    const three = [{ ...list, stock: 3 }, hold('first')] as const;
    given(product, ...three)
      .when(take('first', hour(0), 3))
      .thenHappens('StockTaken');
    given(product, ...three, hold('second', hour(0), 2))
      .when(take('first', hour(0), 2))
      .thenRefused({ code: 'sold_out' });
  });

  it('are held by each order since it came, and by none whose time is up', () => {
    const two = { ...list, stock: 2 };
    const { state } = given(product, two, hold('first'), hold('second', hour(0.3)));
    const stock = stockOf(state);
    expect(stock.held).toMatchObject([{ since: hour(0) }, { since: hour(0.3) }]);
    expect(stockHolders(stock, hour(0.4))).toEqual(['first', 'second']);
    expect(stockHolders(stock, hour(0.6))).toEqual(['second']);
    const later = given(product, two, hold('first'), hold('second', hour(0.6)));
    expect(stockOf(later.state).held).toMatchObject([{ transactionId: 'second' }]);
    const fewer = given(product, two, hold('first', hour(0), 2), recount(1));
    expect(freeStock(stockOf(fewer.state), hour(0))).toBe(0);
  });

  it('are free again once a hold has ended, by its time or because no order came of it', () => {
    given(product, oneLeft, hold('first')).when(hold('second', afterHold)).thenHappens('StockHeld');
    const end = { type: 'EndStockHold', transactionId: 'first', at: hour(0) } as const;
    given(product, oneLeft, hold('first'), end).when(hold('second')).thenHappens('StockHeld');
    given(product, oneLeft, hold('first'), end).when(end).thenNothing();
  });

  it('pass from one order of a browser to its next', () => {
    const next = { ...hold('second'), insteadOf: ['first'] };
    given(product, oneLeft, hold('first')).when(next).thenHappens('StockHeld');
    given(product, oneLeft, hold('first'), next)
      .when(take('first'))
      .thenRefused({ code: 'sold_out' });
  });

  it('go down when a payment has come, once, and come back with it, once', () => {
    const { state } = given(product, oneLeft, hold('first'), take('first'));
    expect(leftOf(state)).toBe(0);
    given(product, oneLeft, take('first')).when(take('first')).thenNothing();
    given(product, oneLeft, take('first')).when(take('second')).thenRefused({ code: 'sold_out' });
    const back = given(product, oneLeft, take('first'), giveBack('first'));
    expect(leftOf(back.state)).toBe(1);
    back.when(giveBack('first')).thenNothing();
    given(product, oneLeft).when(giveBack('first')).thenNothing();
  });

  it('come back with the payment that took them alone', () => {
    const paidTwice = [take('first'), take('first', hour(0), 1, 'another')] as const;
    const two = { ...list, stock: 2 };
    const order = given(product, two, ...paidTwice, giveBack('first'));
    expect(leftOf(order.state)).toBe(1);
    order.when(giveBack('first', hour(1), 'another')).thenHappens('StockReturned');
  });

  it('are taken after the hold has ended where some are free, and from nobody who holds them', () => {
    given(product, oneLeft, hold('first'))
      .when(take('first', hour(9)))
      .thenHappens('StockTaken');
    given(product, oneLeft, hold('first'), hold('second', hour(8.9)))
      .when(take('first', hour(9)))
      .thenRefused({ code: 'sold_out' });
  });

  it('are as many as their seller counts anew, and none are sold that are not there', () => {
    const { state } = given(product, oneLeft, take('first'), recount(5), giveBack('first'));
    expect(leftOf(state)).toBe(6);
    given(product, oneLeft, hold('first'), recount(0)).when(take('first')).thenRefused({
      code: 'sold_out',
    });
    given(product, oneLeft, recount(null)).when(take('first')).thenNothing();
    expect(leftOf(given(product, list, recount(3)).state)).toBe(3);
  });

  it('come back from a refund though their seller has stopped counting, once, and make no count', () => {
    const uncounted = given(product, oneLeft, take('first'), recount(null));
    uncounted.when(giveBack('first')).thenHappens({
      type: 'StockReturned',
      data: { transactionId: 'first', providerId: 'of-first', quantity: 1 },
    });
    uncounted.when(giveBack('first', hour(1), 'another')).thenNothing();
    const back = given(product, oneLeft, take('first'), recount(null), giveBack('first'));
    expect(leftOf(back.state)).toBeNull();
    back.when(giveBack('first')).thenNothing();
    back.when(hold('second')).thenNothing();
  });

  it('are added to a count that is begun again before they come back, and are in one begun after', () => {
    const before = [oneLeft, take('first'), recount(null), recount(5), giveBack('first')] as const;
    expect(leftOf(given(product, ...before).state)).toBe(6);
    const after = [oneLeft, take('first'), recount(null), giveBack('first'), recount(5)] as const;
    const { state } = given(product, ...after);
    expect(leftOf(state)).toBe(5);
    given(product, ...after)
      .when(giveBack('first'))
      .thenNothing();
  });

  it('are counted anew from the count that their seller saw, and not over one that has changed since', () => {
    const ten = { ...list, stock: 10 };
    const from = (stockWas: number | null, stock: number | null = 15) => ({
      ...recount(stock),
      stockWas,
    });
    given(product, ten)
      .when(from(10))
      .thenHappens({ type: 'ProductUpdated', data: { stock: 15 } });
    const sold = given(product, ten, take('first', hour(0), 3));
    const changedTo = (stock: number | null) => {
      const errors = { stock: stock === null ? 'is not counted now' : `is ${stock} now` };
      return Object.assign({ stock }, { kind: 'conflict', code: 'stock_changed', errors } as const);
    };
    sold.when(from(10)).thenRefused(changedTo(7));
    sold.when(from(10, null)).thenRefused(changedTo(7));
    sold.when({ ...from(10), name: 'Another bag' }).thenRefused(changedTo(7));
    sold.when(from(7)).thenHappens('ProductUpdated');
    sold.when(recount(15)).thenHappens('ProductUpdated');
    given(product, list).when(from(10)).thenRefused(changedTo(null));
    given(product, list).when(from(null)).thenHappens('ProductUpdated');
    given(product, ten).when(from(null)).thenRefused(changedTo(10));
  });

  it('are as before when something else is changed, whatever their seller saw of them', () => {
    const rename = {
      type: 'UpdateProduct',
      sellerId: 'ada',
      name: 'Bag, red',
      stockWas: 3,
    } as const;
    const { state } = given(product, oneLeft, rename);
    expect(leftOf(state)).toBe(1);
  });

  it.each([-1, 1.5, 100_000])('are not %s', (stock) => {
    given(product)
      .when({ ...list, stock })
      .thenRefused({ errors: { stock: expect.any(String) } });
  });

  it('are sold to those who have ordered them, whatever has become of the product', () => {
    const remove = { type: 'RemoveProduct', sellerId: 'ada', inTransaction: false } as const;
    given(product, oneLeft, hold('first'), remove).when(take('first')).thenHappens('StockTaken');
    const toggle = { type: 'ToggleAvailability', sellerId: 'ada' } as const;
    for (const gone of [remove, toggle])
      given(product, oneLeft, gone).when(hold('first')).thenRefused({ code: 'no_product' });
  });
});

it('goods that nobody counts are never short, and nothing is written of them', () => {
  for (const command of [hold('first'), take('first'), giveBack('first')])
    given(product, list).when(command).thenNothing();
});

it('however often their seller counts them or stops, each payment gives back what it took, once', () => {
  const turn = fc.record({
    what: fc.constantFrom('take', 'give back', 'count'),
    order: fc.constantFrom('first', 'second', 'third'),
    count: fc.option(fc.nat({ max: 3 })),
  });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 30, size: 'max' }), (turns) => {
      let { state } = given(product, oneLeft);
      const carryOut = (command: Parameters<typeof product.decide>[0]) => {
        const decision = product.decide(command, state);
        const events = decision.ok ? decision.events : [];
        state = events.reduce(product.evolve, state);
        return events.length > 0;
      };
      const out = new Set<string>();
      for (const { what, order, count } of turns) {
        const before = leftOf(state);
        if (what === 'count') carryOut(recount(count));
        else if (what === 'take') {
          const isTaken = before !== null && before > 0 && !out.has(order);
          expect(carryOut(take(order))).toBe(isTaken);
          if (isTaken) out.add(order);
          if (isTaken) expect(leftOf(state)).toBe(before - 1);
        } else {
          expect(carryOut(giveBack(order))).toBe(out.delete(order));
          if (before === null) expect(leftOf(state)).toBeNull();
        }
      }
      const left = leftOf(state);
      const returned = [...out].filter((order) => carryOut(giveBack(order)));
      expect(returned).toHaveLength(out.size);
      expect(leftOf(state)).toBe(left === null ? null : left + out.size);
    }),
  );
});

it('says how many are free: less what others hold now', () => {
  const { state } = given(product, { ...list, stock: 5 }, hold('first', hour(0), 2));
  if (state.status === 'none' || state.stock === null) throw new Error('it is not counted');
  expect(freeStock(state.stock, hour(0))).toBe(3);
  expect(freeStock(state.stock, hour(0), ['first'])).toBe(5);
  expect(freeStock(state.stock, afterHold)).toBe(5);
});
