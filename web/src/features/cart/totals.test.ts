import { koboToNaira, limits } from '@oja/domain/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CartItem } from '../../stores/cart.js';
import { calculateTotals } from './totals.js';

const line = (change: Partial<CartItem>): CartItem => ({
  product_id: 'p1',
  user_id: 's1',
  quantity: 1,
  prod_name: 'Watch',
  price: 1_000,
  businessName: 'Musa & Sons',
  ...change,
});

const anyLine = fc.record({
  product_id: fc.uuid(),
  user_id: fc.constantFrom('s1', 's2', 's3'),
  quantity: fc.integer({ min: 1, max: 99 }),
  price: fc.integer({ min: 1, max: 10_000_000 }).map((kobo) => kobo / 100),
});
const anyCart = fc.array(anyLine, { maxLength: 50 });
const anyFee = fc.constantFrom(0, 800);

describe('the totals of a cart', () => {
  it('are the sellers’ subtotals and the fee, to the kobo', () => {
    fc.assert(
      fc.property(anyCart, anyFee, (items, current) => {
        const { groups, subtotal, fee, total } = calculateTotals(items, current);
        expect(groups.reduce((sum, group) => sum + group.subtotal, 0)).toBe(subtotal);
        expect(total).toBe(subtotal + fee);
        expect(Number.isSafeInteger(total)).toBe(true);
      }),
    );
  });

  it('have every line in the panel of its seller, once, in the order of the cart', () => {
    fc.assert(
      fc.property(anyCart, anyFee, (items, current) => {
        const { groups } = calculateTotals(items, current);
        for (const { sellerId, lines } of groups)
          expect(lines).toEqual(items.filter((item) => item.user_id === sellerId));
        expect(groups.map(({ sellerId }) => sellerId)).toEqual([
          ...new Set(items.map((item) => item.user_id)),
        ]);
      }),
    );
  });

  it('charge 800 below 5,000, nothing above, and leave the fee as it is at exactly 5,000', () => {
    const feeAt = (price: number, current: number) =>
      koboToNaira(calculateTotals([line({ price })], current).fee);
    expect([feeAt(4_999.99, 0), feeAt(5_000.01, 800)]).toEqual([800, 0]);
    expect([feeAt(5_000, 800), feeAt(5_000, 0)]).toEqual([800, 0]);
    fc.assert(
      fc.property(anyCart, anyFee, (items, current) => {
        const { subtotal, fee } = calculateTotals(items, current);
        if (items.length === 0) expect(fee).toBe(0);
        else if (subtotal !== 500_000) expect(fee).toBe(subtotal < 500_000 ? 80_000 : 0);
      }),
    );
  });

  it('count products and pieces', () => {
    const { products, pieces } = calculateTotals(
      [line({ quantity: 2 }), line({ product_id: 'p2', quantity: 5 })],
      0,
    );
    expect([products, pieces]).toEqual([2, 7]);
  });

  it('say when an order would come to more than the market allows', () => {
    const most = koboToNaira(limits.orderAmount.max);
    expect(calculateTotals([line({ price: most })], 0).exceedsLimit).toBe(false);
    expect(calculateTotals([line({ price: most + 1 })], 0).exceedsLimit).toBe(true);
  });
});
