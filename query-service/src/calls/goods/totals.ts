import type { Facets } from '@oja/contracts';
import type { ProductDocument } from '@oja/contracts/models';
import type { Filter } from '@oja/platform';
import type { Collection } from '../../models/reader.js';
import { shown } from './filter.js';

type Products = Collection<ProductDocument>;

/** How many goods a search finds, and how many each further choice would. */
export interface Totals {
  readonly total: number;
  readonly facets: Facets;
}

type Counts = Awaited<ReturnType<Products['facets']>>;

const facet = (counts: Counts, field: string): Facets['category'] =>
  (counts[field] ?? []).map(({ value, count }) => ({ value: String(value ?? ''), count }));

export type Shelves = Pick<Facets, 'category' | 'subcategory'>;

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
