import { categoryByName, subcategoryByName } from '@oja/domain/rules';
import { goodsQuery } from '../../api/products.js';
import type { FillPage } from '../../app/rendered/fill.js';
import { askFor, type GoodsFilters, readFilters, untouchedShelf } from '../goods/filters.js';
import type { Category } from './catalogue.js';

/** What is sold in a category, everywhere or in one place. */
export const categoryQuery = (category: Category, localGovt: string | undefined) =>
  goodsQuery({
    category: category.name,
    sort: 'trending',
    ...(localGovt !== undefined && { localGovt }),
  });

/** The filters of a subcategory's page; the category is said by the path. */
export const shelfFilters = (search: URLSearchParams): GoodsFilters => ({
  ...readFilters(search, untouchedShelf),
  category: undefined,
});

/** What lies on the shelf of a subcategory. */
export const shelfQuery = (subcategory: string, filters: GoodsFilters) =>
  goodsQuery({ ...askFor(filters), subcategory });

export const fillCategory: FillPage = async (client, { params, search }) => {
  const category = categoryByName(params.page ?? '');
  if (category === null) return true;
  await client.fetchInfiniteQuery(
    categoryQuery(category, readFilters(search, untouchedShelf).localGovt),
  );
  return true;
};

export const fillSubcategory: FillPage = async (client, { params, search }) => {
  const category = categoryByName(params.page ?? '');
  const shelf = subcategoryByName(params.subcategory ?? '');
  if (category === null || shelf?.category !== category.name) return true;
  await client.fetchInfiniteQuery(shelfQuery(shelf.name, shelfFilters(search)));
  return true;
};
