import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ProductState, product } from '../src/product/index.js';
import {
  paysFor,
  returnedGoods,
  subtotalOf,
  type TransactionState,
  transaction,
} from '../src/transaction/index.js';
import { leftOf, list } from './goods.js';
import { commandOf, type Step, stepOf } from './lives.js';
import { hour, line, pay, place } from './orders.js';

/** One random event in a market with two tracked products and up to four orders for both. */
const happening = fc.record({
  order: fc.nat({ max: 3 }),
  minutes: fc.nat({ max: 50 }),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constant('initialize') },
    { weight: 6, arbitrary: fc.constant('pay') },
    { weight: 1, arbitrary: fc.constantFrom('pay after being forgotten', 'pay on another page') },
    { weight: 1, arbitrary: fc.constantFrom('recount', 'remove') },
    {
      weight: 5,
      arbitrary: stepOf(
        'expire',
        'problem',
        'problem',
        'refund',
        'refund',
        'refund',
        'refund done',
        'reverse',
        'restore',
        'confirm',
      ),
    },
  ),
  /** Whether the process dies before the goods of a refunded payment are returned to stock. */
  isCutShort: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 2 }),
  count: fc.nat({ max: 3 }),
});

const productIds = ['bag', 'cap'] as const;

it('whatever happens, in whatever order, no count falls below zero, none is sold that is not there, and what is gone is what was paid for', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
      const goods = new Map<string, ProductState>();
      const orders = new Map<number, TransactionState>();
      /** Total supply by product: the counts that sellers set, plus what was sold before each recount. */
      const supplied = new Map<string, number>();
      let now = Date.parse(hour(0));
      const at = () => new Date(now).toISOString();
      const tell = (productId: string, command: Parameters<typeof product.decide>[0]) => {
        const before = goods.get(productId) ?? product.initial;
        const decision = product.decide(command, before);
        if (decision.ok) goods.set(productId, decision.events.reduce(product.evolve, before));
        return decision.ok;
      };
      const placed = (order: number) => {
        const state = orders.get(order) ?? transaction.initial;
        return state.status === 'none' ? null : state;
      };
      const ask = (order: number, command: Parameters<typeof transaction.decide>[0]) => {
        const before = orders.get(order) ?? transaction.initial;
        const decision = transaction.decide(command, before);
        if (decision.ok) orders.set(order, decision.events.reduce(transaction.evolve, before));
      };
      const settle = (order: number) => {
        const state = placed(order);
        for (const back of state === null ? [] : returnedGoods(state)) {
          const transactionId = state?.transactionId ?? '';
          tell(back.productId, { type: 'ReturnStock', transactionId, ...back, at: at() });
        }
      };
      const recountTo = (productId: string, stock: number) => {
        const before = leftOf(goods.get(productId) ?? product.initial) ?? 0;
        if (tell(productId, { type: 'UpdateProduct', sellerId: 'ada', stock }))
          supplied.set(productId, (supplied.get(productId) ?? 0) + stock - before);
      };
      for (const productId of productIds) {
        tell(productId, { ...list, productId, stock: 2 });
        supplied.set(productId, 2);
      }
      for (const { order, minutes, what, isCutShort, quantity, count } of happenings) {
        now += minutes * 60_000;
        const transactionId = `0b8f4c1e-5d0a-4f0e-9a86-3d1c7e52b9f${order}`;
        const state = placed(order);
        const productId = productIds[count % 2] ?? 'bag';
        if (what === 'initialize' && state === null) {
          const lines = productIds.map((id) => ({
            ...line('ada', 600_000),
            productId: id,
            quantity,
          }));
          const held = productIds.every((id) =>
            tell(id, { type: 'HoldStock', transactionId, quantity, at: at() }),
          );
          if (held)
            ask(order, { ...place, transactionId, lines, amount: subtotalOf(lines), at: at() });
        } else if (what === 'recount') recountTo(productId, count);
        else if (what === 'remove')
          tell(productId, { type: 'RemoveProduct', sellerId: 'ada', inTransaction: false });
        else if (state === null) continue;
        else if (typeof what === 'string') {
          const isOther = what === 'pay on another page';
          const reference = isOther ? `${transactionId}-2` : transactionId;
          const command = {
            ...pay,
            reference,
            amount: state.amount,
            providerId: `payment-${reference}`,
            isBuyerGone: what === 'pay after being forgotten',
            at: at(),
          };
          const isSoldOut =
            paysFor(command, state) &&
            !state.lines.every((each) =>
              tell(each.productId, {
                type: 'TakeStock',
                transactionId,
                providerId: command.providerId,
                quantity: each.quantity,
                at: at(),
              }),
            );
          ask(order, { ...command, isSoldOut });
          if (!isCutShort) settle(order);
        } else {
          // Skip: other steps on an unpaid order would be one more way to pay it.
          if (state.payment === null && what.ask !== 'expire') continue;
          const hours = (now - Date.parse(hour(0))) / 3_600_000 + what.hours;
          const step: Step = { ...what, hours };
          ask(order, commandOf(step, state));
          if (!isCutShort) settle(order);
        }
        for (const id of productIds) {
          const stock = leftOf(goods.get(id) ?? product.initial) ?? 0;
          const sold = [...orders.values()].reduce((sum, each) => {
            if (each.status === 'none' || each.payment === null) return sum;
            const share = each.shares[0]?.status;
            return share === 'refunded' ? sum : sum + (each.lines[0]?.quantity ?? 0);
          }, 0);
          expect(stock).toBeGreaterThanOrEqual(0);
          expect(sold + stock).toBeLessThanOrEqual(supplied.get(id) ?? 0);
        }
      }
      for (const order of orders.keys()) settle(order);
      for (const id of productIds) {
        const state = goods.get(id) ?? product.initial;
        const taken = state.status === 'none' ? [] : (state.stock?.taken ?? []);
        const owed = [...orders.values()].filter(
          (each) =>
            each.status !== 'none' &&
            each.payment !== null &&
            each.shares.every(({ status }) => status !== 'refunded'),
        );
        expect(taken).toHaveLength(owed.length);
        const gone = taken.reduce((sum, each) => sum + each.quantity, 0);
        expect(gone + (leftOf(state) ?? 0)).toBe(supplied.get(id));
      }
    }),
    { numRuns: 300 },
  );
});
