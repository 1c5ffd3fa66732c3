import { isListed, ownProduct, product } from '../../wire/product.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { noProduct } from '../refusals.js';

/**
 * Also a product that is in no list (unavailable, or of a suspended seller) is shown to whoever has its
 * address, and says so by its status: carts and shared links lead there.
 */
export const getProduct =
  ({ reader, images }: Tools): QueryHandler<'getProduct'> =>
  async ({ params, actor }) => {
    const document = await (await reader.open('catalogue')).of('products').get(params.id);
    if (!isListed(document)) return noProduct();
    const isOwner = actor?.sellerId === document.sellerId;
    const result = isOwner ? ownProduct(document, images) : product(document, images);
    return ok({ success: true, subcategoryID: document.subcategoryId, result });
  };
