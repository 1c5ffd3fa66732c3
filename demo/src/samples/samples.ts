import { orderAt } from './orders.js';
import { productAt } from './products.js';
import { reviewAt, reviewCount } from './reviews.js';
import { planStalls } from './stalls.js';
import type { SampleSize, Samples } from './types.js';

/**
 * A list that is made while it is walked, and again each time it is walked. Leaves out what cannot
 * be made.
 */
function lazily<T>(count: number, make: (index: number) => T | null): Iterable<T> {
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index < count; index += 1) {
        const made = make(index);
        if (made !== null) yield made;
      }
    },
  };
}

/**
 * Plausible sellers, goods, orders and reviews of a Nigerian market, the same for the same size and
 * seed. Only the sellers are held in memory. Goods and orders need at least one seller, and orders
 * need goods.
 */
export function generateSamples(size: SampleSize): Samples {
  const stalls = planStalls(size);
  return {
    sellers: stalls.sellers.map(({ places, sells, ...seller }) => seller),
    products: lazily(size.products, (index) => productAt(stalls, index)),
    orders: lazily(size.orders, (index) => orderAt(stalls, index)),
    reviews: lazily(reviewCount(size.orders), (index) => reviewAt(stalls, index)),
  };
}
