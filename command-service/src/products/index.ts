import type { Deps, Handlers } from '../deps.js';
import { addProduct } from './addProduct.js';
import { removeProduct } from './removeProduct.js';
import { toggleProductStatus } from './toggleProductStatus.js';
import { updateProduct } from './updateProduct.js';

export const productHandlers = (deps: Deps) =>
  ({
    addProduct: addProduct(deps),
    updateProduct: updateProduct(deps),
    toggleProductStatus: toggleProductStatus(deps),
    removeProduct: removeProduct(deps),
  }) satisfies Partial<Handlers>;
