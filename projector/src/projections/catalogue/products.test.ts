import { expect, it } from 'vitest';
import { withSeller } from './products.js';

const store = {
  sellerId: 's-1',
  businessName: 'Ada Bags',
  businessNameKey: 'ada-bags',
  since: '2026-03-01T08:00:00.000Z',
  isSuspended: false,
  isErased: false,
  newest: null,
  ordersConfirmed: 0,
};

it('shows what is available of sellers who may sell, also if it was listed after an erasure', () => {
  const product = { status: 'AVAILABLE' } as const;
  expect(withSeller(product, store).shown).toBe(true);
  expect(withSeller(product, { ...store, isSuspended: true }).shown).toBe(false);
  expect(withSeller(product, { ...store, isErased: true }).shown).toBe(false);
  expect(withSeller({ status: 'UNAVAILABLE' }, store).shown).toBe(false);
});
