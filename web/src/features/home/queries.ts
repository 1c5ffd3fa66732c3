import { limits } from '@oja/domain/rules';
import { productBatchQuery, productListQuery } from '../../api/products.js';
import { queryClient } from '../../api/query-client.js';
import { readLocalGovt } from '../../app/address.js';
import type { PrefetchPage } from '../../app/rendered/hydration.js';

export const trendingQuery = productBatchQuery({ sort: 'trending', limit: limits.carousel.size });

/** The goods of one region, or of all. */
export const regionQuery = (localGovt: string | undefined) =>
  productListQuery({ sort: 'trending', ...(localGovt !== undefined && { localGovt }) });

const regionQueryFor = (search: URLSearchParams) => regionQuery(readLocalGovt(search));

/** Route loader: fetches the first goods while the page's own code is still loading. */
export function loadHome({ request }: { readonly request: Request }): null {
  if (import.meta.env.SSR) return null;
  void queryClient.prefetchInfiniteQuery(regionQueryFor(new URL(request.url).searchParams));
  void queryClient.prefetchQuery(trendingQuery);
  return null;
}

export const prefetchHome: PrefetchPage = async (client, { search }) => {
  await Promise.all([
    client.fetchInfiniteQuery(regionQueryFor(search)),
    client.fetchQuery(trendingQuery),
  ]);
  return true;
};
