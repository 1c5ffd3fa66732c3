import type { QueryClient } from '@tanstack/react-query';
import { matchRoutes } from 'react-router-dom';
import { fillCategory, fillSubcategory } from '../../features/category/queries.js';
import { fillHome } from '../../features/home/queries.js';
import { fillProduct } from '../../features/product/queries.js';
import { fillSearch } from '../../features/search/queries.js';
import { fillStore } from '../../features/store/queries.js';
import type { FillPage } from './fill.js';

/** The pages that the server renders, with what each asks for first. */
const pages: Readonly<Record<string, FillPage>> = {
  '/': fillHome,
  '/search-items': fillSearch,
  '/category/:page': fillCategory,
  '/category/:page/:subcategory': fillSubcategory,
  '/single-product/:subcategory_id/:product_id': fillProduct,
  '/sellers-store/:businessname': fillStore,
  '/about': async () => true,
  '/terms-&-conditions': async () => true,
  '/privacy-policy': async () => true,
};

const patterns = Object.keys(pages).map((path) => ({ path }));

/**
 * Asks for what a page shows first.
 * @returns whether the page can be rendered; false for one that shows what only the browser knows
 */
export async function fillPage(client: QueryClient, { pathname, searchParams }: URL) {
  const [match] = matchRoutes(patterns, pathname) ?? [];
  if (match === undefined) return false;
  const { params, route } = match;
  return pages[route.path]?.(client, { params, search: searchParams }) ?? false;
}
