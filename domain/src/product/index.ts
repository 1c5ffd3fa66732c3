import { type Decider, decidingStrictly, parserOf } from '../decider.js';
import { decideProduct } from './decide.js';
import type { ProductCommand } from './product.js';
import {
  evolveProduct,
  noProduct,
  type ProductEvent,
  type ProductState,
  productEvents,
} from './product.js';

export type * from './product.js';
export { listingEvents, productEvents, updatedAttributes } from './product.js';
export type * from './stock.js';
export { freeStock, hasTakenStock, isSoldOut, stockEvents, stockHolders } from './stock.js';

export const product = {
  category: 'product',
  schemaVersion: 1,
  initial: noProduct,
  evolve: evolveProduct,
  decide: decidingStrictly(productEvents, decideProduct),
  parse: parserOf(productEvents),
} satisfies Decider<ProductState, ProductCommand, ProductEvent>;
