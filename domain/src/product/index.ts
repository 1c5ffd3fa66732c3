import { type Decider, decidingStrictly, parserOf } from '../decider.js';
import type { ProductCommand } from './commands.js';
import { decideProduct } from './decide.js';
import {
  evolveProduct,
  noProduct,
  type ProductEvent,
  type ProductState,
  productEvents,
} from './events.js';

export type * from './commands.js';
export {
  type ListedProduct,
  listingEvents,
  type ProductEvent,
  type ProductState,
  productEvents,
  updatedAttributes,
} from './events.js';
export { freeOf, holdersOf, isSoldOut, isStockEvent, stockEvents } from './stock.js';

/** A product in the catalogue. */
export const product = {
  category: 'product',
  schemaVersion: 1,
  initial: noProduct,
  evolve: evolveProduct,
  decide: decidingStrictly(productEvents, decideProduct),
  parse: parserOf(productEvents),
} satisfies Decider<ProductState, ProductCommand, ProductEvent>;
