import type { Facets } from '@oja/contracts';
import type { ProductDocument } from '@oja/contracts/models';
import { limits } from '@oja/domain/rules';
import type { Filter } from '@oja/platform';
import { createCheckpointCache } from '../../models/cache.js';
import { ascending, type Collection, descending } from '../../models/reader.js';
import { isListed, product } from '../../wire/goods.js';
import { ok, orForeignCursor, type QueryHandler, type Tools } from '../handler.js';
import { filterOf, shown } from './filter.js';

type Products = Collection<ProductDocument>;

/** How many goods a search finds, and how many each further choice would. */
interface Totals {
  readonly total: number;
  readonly facets: Facets;
}

type Counts = Awaited<ReturnType<Products['facets']>>;

const facet = (counts: Counts, field: string): Facets['category'] =>
  (counts[field] ?? []).map(({ value, count }) => ({ value: String(value ?? ''), count }));

type Shelves = Pick<Facets, 'category' | 'subcategory'>;

/** Ads per category and subcategory count the whole shown catalogue, whatever is searched for. */
export async function shelvesOf(products: Products): Promise<Shelves> {
  const counts = await products.facets([shown], ['category', 'subcategory']);
  return { category: facet(counts, 'category'), subcategory: facet(counts, 'subcategory') };
}

const PLACE = 'localGovt';
const CONDITION = 'shownCondition';

/** `shelves`: counted or remembered, as they are the same for every search. */
export async function totalsOf(
  products: Products,
  filter: Filter,
  shelves: () => Promise<Shelves>,
): Promise<Totals> {
  const [ads, counts] = await Promise.all([shelves(), products.facets(filter, [PLACE, CONDITION])]);
  const localGovt = facet(counts, PLACE);
  const chosen = filter.find((one) => one.field === PLACE && one.op === 'eq');
  // Every product has one place: those at the chosen one, or at any, are all that are found.
  const found =
    chosen?.op === 'eq' ? localGovt.filter(({ value }) => value === chosen.value) : localGovt;
  const total = found.reduce((sum, { count }) => sum + count, 0);
  return { total, facets: { ...ads, localGovt, condition: facet(counts, CONDITION) } };
}

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
