import { limits } from '@oja/domain/rules';
import { createCheckpointCache } from '../../models/cache.js';
import { ascending, descending } from '../../models/reader.js';
import { isListed, product } from '../../wire/goods.js';
import { ok, orForeignCursor, type QueryHandler, type Tools } from '../handler.js';
import { filterOf } from './filter.js';
import { type Shelves, shelvesOf, type Totals, totalsOf } from './totals.js';

const orders = {
  'A-Z': ascending('nameKey'),
  'Z-A': descending('nameKey'),
  newest: descending('listedAt'),
  cheapest: ascending('price'),
  dearest: descending('price'),
  trending: descending('trending', 'listedAt'),
} as const;

/** Totals and facets do not change with page and order, and are kept while the catalogue stands still. */
export function searchProducts({ reader, images }: Tools): QueryHandler<'searchProducts'> {
  const totals = createCheckpointCache<Totals>(reader, 'catalogue');
  const shelves = createCheckpointCache<Shelves>(reader, 'catalogue');

  return ({ query }) =>
    orForeignCursor(async () => {
      const filter = filterOf(query);
      const products = (await reader.open('catalogue')).of('products');
      const { total, facets } = await totals(JSON.stringify(filter), () =>
        totalsOf(products, filter, () => shelves('', () => shelvesOf(products))),
      );
      // Where nothing is found there is no page to look for.
      if (total === 0) return ok({ success: true, result: [], total, facets, nextCursor: null });
      const page = await products.find({
        filter,
        sort: orders[query.sort ?? 'A-Z'],
        limit: query.limit ?? limits.page.size,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
      });
      const result = page.items
        .map(({ document }) => document)
        .filter(isListed)
        .map((document) => product(document, images));
      return ok({ success: true, result, total, facets, nextCursor: page.next });
    });
}
