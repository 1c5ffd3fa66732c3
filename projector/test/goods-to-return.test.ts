import { PAYMENT_RECORDED_WITHIN_MS, type TransactionCommand } from '@oja/domain';
import { describe, expect, it } from 'vitest';
import { complain, hour, ORDER, PAYMENT, pay, place, settle } from '../../domain/test/orders.js';
import { ordered } from './support/orders.js';
import { dueOf } from './support/owed.js';
import { recorded } from './support/shop.js';

type Stock = readonly [what: 'StockTaken' | 'StockReturned', at: string, providerId?: string];

/** What happens to the stock of a seller's bag, of which the order has one. */
const stock = (sellerId: string, ...happened: readonly Stock[]) =>
  happened.map(([type, at, providerId = PAYMENT], revision) => {
    const productId = `bag-of-${sellerId}`;
    const of = { productId, sellerId, transactionId: ORDER, quantity: 1 };
    return recorded(`product-${productId}`, revision, type, { ...of, providerId, at });
  });

const dueAfter = (goods: ReturnType<typeof stock>, ...commands: readonly TransactionCommand[]) =>
  dueOf('stock-return', ordered(place, ...commands), goods);

const taken = stock('ada', ['StockTaken', hour(1)]);
/** When a process that takes goods at this hour must have recorded their payment. */
const recordedBy = (hours: number) =>
  new Date(Date.parse(hour(hours)) + PAYMENT_RECORDED_WITHIN_MS).toISOString();
/** A second or third payment, which is held aside. Its number is its id at the provider, too. */
const aside = (n: 2 | 3, hours: number): TransactionCommand => ({
  ...pay,
  reference: `${ORDER}-${n}`,
  providerId: `${n}`,
  isSoldOut: true,
  at: hour(hours),
});
const complained = [pay, complain('ada', 'bisi')] as const;

describe('goods that a payment has taken', () => {
  it('are looked after when nobody records what became of it', async () => {
    expect(await dueAfter(taken)).toEqual([[ORDER, recordedBy(1)]]);
  });

  it('are sold once it is recorded', async () => {
    expect(await dueAfter(taken, pay)).toEqual([]);
  });

  it('go back when it is held aside', async () => {
    const byAside = stock('ada', ['StockTaken', hour(1), '2']);
    expect(await dueAfter(byAside, aside(2, 2))).toEqual([[ORDER, hour(2)]]);
    const later = stock('ada', ['StockTaken', hour(3), '2']);
    expect(await dueAfter(later, aside(2, 2))).toEqual([[ORDER, hour(3)]]);
  });

  it('go back for each payment that is held aside, and not for the one that counts', async () => {
    const asides = [pay, aside(2, 2), aside(3, 4)] as const;
    for (const [providerId, due] of [
      ['2', hour(2)],
      ['3', hour(4)],
    ] as const) {
      const byAside = stock('ada', ['StockTaken', hour(1)], ['StockTaken', hour(1), providerId]);
      expect(await dueAfter(byAside, ...asides)).toEqual([[ORDER, due]]);
    }
  });

  it('go back when they are refunded, and those of another seller do not', async () => {
    const refunded = [...complained, settle('ada', 'refund'), settle('bisi', 'release')] as const;
    expect(await dueAfter(taken, ...refunded)).toEqual([[ORDER, hour(60)]]);
    expect(await dueAfter(stock('bisi', ['StockTaken', hour(1)]), ...refunded)).toEqual([]);
  });

  it('go back of each seller whose share is refunded, the earliest first', async () => {
    const both = [
      { ...settle('bisi', 'refund'), at: hour(61) },
      { ...settle('ada', 'refund'), at: hour(62) },
    ] as const;
    const ofBoth = [...taken, ...stock('bisi', ['StockTaken', hour(1)])];
    expect(await dueAfter(ofBoth, ...complained, ...both)).toEqual([[ORDER, hour(61)]]);
    expect(await dueAfter(taken, ...complained, ...both)).toEqual([[ORDER, hour(62)]]);
  });

  it('are owed no more once they are back, though others are', async () => {
    const back = stock('ada', ['StockTaken', hour(1)], ['StockReturned', hour(5)]);
    expect(await dueAfter(back)).toEqual([]);
    expect(await dueAfter([...back, ...stock('bisi', ['StockTaken', hour(2)])])).toEqual([
      [ORDER, recordedBy(2)],
    ]);
    const ofTwo = [
      ['StockTaken', hour(1)],
      ['StockTaken', hour(2), '2'],
    ] as const;
    expect(await dueAfter(stock('ada', ...ofTwo, ['StockReturned', hour(5)]))).toEqual([
      [ORDER, recordedBy(2)],
    ]);
  });
});
