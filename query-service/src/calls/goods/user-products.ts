import { equal } from '../../models/values.js';
import { isListed, ownProduct } from '../../wire/product.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';

/** The seller's own goods, newest first, with those that are not shown to shoppers. */
export const userProducts =
  ({ reader, images }: Tools): QueryHandler<'userProducts'> =>
  async ({ actor }) => {
    const products = (await reader.open('catalogue')).of('products');
    const page = await products.find({ filter: [equal('sellerId', actor.sellerId)] });
    const own = page.items.map(({ document }) => document).filter(isListed);
    own.sort((a, b) => (a.listedAt < b.listedAt ? 1 : -1));
    return ok({ success: true, userDetails: own.map((one) => ownProduct(one, images)) });
  };
