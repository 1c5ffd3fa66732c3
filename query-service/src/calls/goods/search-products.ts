import type { Calls, Facets, QueryOf } from '@oja/contracts';
import type { ProductDocument } from '@oja/contracts/models';
import {
  ALL_PLACES,
  businessNameKey,
  categoryByName,
  isFullRange,
  limits,
  nairaToKobo,
  searchWords,
  subcategoryByName,
} from '@oja/domain/rules';
import type { Condition, Filter } from '@oja/platform';
import { ok, orForeignCursor, type QueryHandler, type Tools } from '../../deps.js';
import {
  ascending,
  type Collection,
  createCheckpointCache,
  descending,
  equal,
} from '../../read-models.js';
import { isListed, product } from '../../wire/goods.js';

type Search = QueryOf<Calls['searchProducts']>;

/** Only goods that shoppers' lists show. */
export const shown = equal('shown', true);

function prices({ min_price: min, max_price: max }: Search): readonly Condition[] {
  if (min !== undefined && max !== undefined && isFullRange(min, max)) return [];
  return [
    ...(min === undefined ? [] : [{ field: 'price', op: 'gte', value: nairaToKobo(min) } as const]),
    ...(max === undefined ? [] : [{ field: 'price', op: 'lte', value: nairaToKobo(max) } as const]),
  ];
}

function words({ query }: Search): readonly Condition[] {
  const found = query === undefined ? null : searchWords(query);
  return found === null ? [] : [{ field: 'nameKey', op: 'words', words: found }];
}

/** An unknown category or subcategory is still a condition, so nothing is found. */
function shelf({ category, subcategory }: Search): readonly Condition[] {
  const known = subcategory ? subcategoryByName(subcategory) : null;
  return [
    ...(category ? [equal('category', categoryByName(category)?.name ?? category)] : []),
    ...(subcategory
      ? [known === null ? equal('subcategory', subcategory) : equal('subcategoryId', known.id)]
      : []),
  ];
}

/** The filter of a search. Parameters that are missing or empty do not narrow it. */
export function filterOf(search: Search): Filter {
  const { seller, state, localGovt, condition } = search;
  return [
    shown,
    ...words(search),
    ...shelf(search),
    ...(seller ? [equal('businessNameKey', businessNameKey(seller))] : []),
    ...(state ? [equal('state', state)] : []),
    ...(localGovt && localGovt !== ALL_PLACES ? [equal('localGovt', localGovt)] : []),
    ...(condition && condition !== 'all' ? [equal('shownCondition', condition)] : []),
    ...prices(search),
  ];
}

type Products = Collection<ProductDocument>;

/** How many goods a search finds, and how many it would find with each further choice. */
interface Totals {
  readonly total: number;
  readonly facets: Facets;
}

type Counts = Awaited<ReturnType<Products['facets']>>;

const facet = (counts: Counts, field: string): Facets['category'] =>
  (counts[field] ?? []).map(({ value, count }) => ({ value: String(value ?? ''), count }));

type Shelves = Pick<Facets, 'category' | 'subcategory'>;

/** Counts per category and subcategory. They cover all goods shown, whatever is searched for. */
export async function shelvesOf(products: Products): Promise<Shelves> {
  const counts = await products.facets([shown], ['category', 'subcategory']);
  return { category: facet(counts, 'category'), subcategory: facet(counts, 'subcategory') };
}

const PLACE = 'localGovt';
const CONDITION = 'shownCondition';

/** `shelves`: counts or remembers what `shelvesOf` returns, which is the same for every search. */
export async function totalsOf(
  products: Products,
  filter: Filter,
  shelves: () => Promise<Shelves>,
): Promise<Totals> {
  const [ads, counts] = await Promise.all([shelves(), products.facets(filter, [PLACE, CONDITION])]);
  const localGovt = facet(counts, PLACE);
  const chosen = filter.find((one) => one.field === PLACE && one.op === 'eq');
  // Every product has exactly one place: the goods at the chosen place, or at all places, are the total.
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

/** Totals and facets do not depend on page and order, and are cached until the catalogue changes. */
export function searchProducts({ reader, images }: Tools): QueryHandler<'searchProducts'> {
  const totals = createCheckpointCache<Totals>(reader, 'catalogue');
  const shelves = createCheckpointCache<Shelves>(reader, 'catalogue');

  return ({ query }) =>
    orForeignCursor(async () => {
      const filter = filterOf(query);
      // Each opens it for itself: what is cached under a generation's version is counted in that one or a later one.
      const openProducts = async () => (await reader.open('catalogue')).of('products');
      const allShelves = () => shelves('', async () => shelvesOf(await openProducts()));
      const { total, facets } = await totals(JSON.stringify(filter), async () =>
        totalsOf(await openProducts(), filter, allShelves),
      );
      // Nothing is found, so there is no page to read.
      if (total === 0) return ok({ success: true, result: [], total, facets, nextCursor: null });
      const page = await (await openProducts()).find({
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
