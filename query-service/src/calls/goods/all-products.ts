import { descending } from '../../models/values.js';
import { isListed, product } from '../../wire/product.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { shown } from './filter.js';

/** The newest of all goods that this call answers; `total` says how many there are. */
const NEWEST = 1_000;

export const allProducts =
  ({ reader, images }: Tools): QueryHandler<'allProducts'> =>
  async () => {
    const products = (await reader.open('catalogue')).of('products');
    const [page, total] = await Promise.all([
      products.find({ filter: [shown], sort: descending('listedAt'), limit: NEWEST }),
      products.count([shown]),
    ]);
    const listed = page.items.map(({ document }) => document).filter(isListed);
    return ok({ filteredRows: listed.map((document) => product(document, images)), total });
  };
