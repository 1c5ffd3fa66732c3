import type { Facets } from '@oja/contracts';
import type { ProductDocument } from '@oja/contracts/models';
import type { Collection } from '../../models/reader.js';
import { type Filters, shown } from './filter.js';

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

/** How many goods there are at each place and in each condition; in one pass where neither is chosen. */
async function choicesOf(products: Products, filters: Filters): Promise<Counts> {
  const isChosen = (field: string) => filters.all.some((one) => one.field === field);
  if (!isChosen(PLACE) && !isChosen(CONDITION)) {
    return products.facets(filters.all, [PLACE, CONDITION]);
  }
  const [places, conditions] = await Promise.all([
    products.facets(filters.without(PLACE), [PLACE]),
    products.facets(filters.without(CONDITION), [CONDITION]),
  ]);
  return { ...places, ...conditions };
}

/** `shelves`: counted or remembered, as they are the same for every search. */
export async function totalsOf(
  products: Products,
  filters: Filters,
  shelves: () => Promise<Shelves>,
): Promise<Totals> {
  const [ads, counts] = await Promise.all([shelves(), choicesOf(products, filters)]);
  const localGovt = facet(counts, PLACE);
  const chosen = filters.all.find((one) => one.field === PLACE && one.op === 'eq');
  // Every product has one place: those at the chosen one, or at any, are all that are found.
  const found =
    chosen?.op === 'eq' ? localGovt.filter(({ value }) => value === chosen.value) : localGovt;
  const total = found.reduce((sum, { count }) => sum + count, 0);
  return { total, facets: { ...ads, localGovt, condition: facet(counts, CONDITION) } };
}
