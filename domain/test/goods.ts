import type { ProductState } from '../src/product/index.js';
import { hour } from './orders.js';

/** The command that lists Ada's bag, which nobody counts. */
export const list = {
  type: 'ListProduct',
  productId: 'bag',
  sellerId: 'ada',
  name: 'Bag',
  price: 230_000,
  description: 'Leather',
  subcategoryId: 1,
  state: 'Lagos',
  localGovt: 'Ikeja',
  attributes: {},
  images: ['a.jpg', 'b.jpg'],
  at: hour(-100),
} as const;

/** How many are left of a product; null where nobody counts them. */
export const leftOf = (state: ProductState) =>
  state.status === 'none' ? null : (state.stock?.left ?? null);
