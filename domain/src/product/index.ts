import { aggregate } from '../decider.js';
import { decideProduct } from './decide.js';
import { evolveProduct, noProduct, productEvents } from './product.js';

export type * from './product.js';
export { listingEvents, productEvents, updatedAttributes } from './product.js';
export type * from './stock.js';
export {
  freeStock,
  hasTakenStock,
  isSoldOut,
  isStockChanged,
  stockEvents,
  stockHolders,
} from './stock.js';

export const product = aggregate('product', productEvents, {
  initial: noProduct,
  evolve: evolveProduct,
  decide: decideProduct,
});
