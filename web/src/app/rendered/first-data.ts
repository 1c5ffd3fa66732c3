import type { QueryClient } from '@tanstack/react-query';
import { matchPath } from 'react-router-dom';
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

/**
 * Asks for what a page shows first.
 * @returns whether the page can be rendered; false for one that shows what only the browser knows
 */
export async function fillPage(client: QueryClient, { pathname, searchParams }: URL) {
  for (const [pattern, fill] of Object.entries(pages)) {
    const match = matchPath(pattern, pathname);
    if (match !== null) return fill(client, { params: match.params, search: searchParams });
  }
  return false;
}
