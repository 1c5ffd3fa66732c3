import type { Store } from '@oja/contracts';
import type { StoreDocument } from '@oja/contracts/models';
import { type Addresses, type ListedProduct, product } from './product.js';

/** A store whose seller has been seen registering. */
export type OpenStore = StoreDocument & { readonly since: string };

export function isOpen(document: StoreDocument | null | undefined): document is OpenStore {
  return document !== null && document !== undefined && document.since !== null;
}

export function store(
  document: OpenStore,
  goods: { readonly products: readonly ListedProduct[]; readonly total: number },
  images: Addresses,
): Store {
  const { newest } = document;
  return {
    user_id: document.sellerId,
    businessName: document.businessName,
    ...(newest === null ? {} : { state: newest.state, local_govt: newest.localGovt }),
    since: document.since,
    orders_confirmed: document.ordersConfirmed,
    total: goods.total,
    products: goods.products.map((one) => product(one, images)),
  };
}
