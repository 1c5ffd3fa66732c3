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

/** `shelves`: counted or remembered, as they are the same for every search. */
export async function totalsOf(
  products: Products,
  filters: Filters,
  shelves: () => Promise<Shelves>,
): Promise<Totals> {
  const counted = (field: string) => products.facets(filters.without(field), [field]);
  const [total, ads, places, conditions] = await Promise.all([
    products.count(filters.all),
    shelves(),
    counted('localGovt'),
    counted('shownCondition'),
  ]);
  return {
    total,
    facets: {
      ...ads,
      localGovt: facet(places, 'localGovt'),
      condition: facet(conditions, 'shownCondition'),
    },
  };
}
