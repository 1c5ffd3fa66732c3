import { limits } from '@oja/domain/rules';
import { storeByName } from '../../models/stores.js';
import { descending, equal } from '../../models/values.js';
import { isListed } from '../../wire/product.js';
import { store } from '../../wire/store.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { noStore } from '../refusals.js';
import { shown } from './filter.js';

/** With its newest goods; the search answers the rest. A suspended seller's store stands empty. */
export const getStore =
  ({ reader, images }: Tools): QueryHandler<'getStore'> =>
  async ({ params }) => {
    const catalogue = await reader.open('catalogue');
    const document = await storeByName(catalogue, params.name);
    if (document === null) return noStore();
    const filter = [shown, equal('sellerId', document.sellerId)];
    const products = catalogue.of('products');
    const [page, total] = await Promise.all([
      products.find({ filter, sort: descending('listedAt'), limit: limits.page.max }),
      products.count(filter),
    ]);
    const goods = { products: page.items.map((item) => item.document).filter(isListed), total };
    return ok({ success: true, store: store(document, goods, images) });
  };
