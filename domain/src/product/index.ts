import { decidingStrictly } from '../checkNew.js';
import { type Decider, parserOf } from '../decider.js';
import type { ProductCommand } from './commands.js';
import { decideProduct } from './decide.js';
import { type ProductEvent, productEvents } from './events.js';
import { evolveProduct, noProduct, type ProductState } from './evolve.js';

export type * from './commands.js';
export { noSuchProduct, stillInTransaction } from './decide.js';
export { type ProductEvent, productEvents } from './events.js';
export { type ListedProduct, type ProductState, updatedAttributes } from './evolve.js';

/** A product in the catalogue. */
export const product = {
  category: 'product',
  schemaVersion: 1,
  initial: noProduct,
  evolve: evolveProduct,
  decide: decidingStrictly(productEvents, decideProduct),
  parse: parserOf(productEvents),
} satisfies Decider<ProductState, ProductCommand, ProductEvent>;
