import { limits } from '@oja/domain/rules';
import { goodsQuery, productsQuery } from '../../api/products.js';
import { queryClient } from '../../api/query-client.js';
import { placeIn } from '../../app/address.js';
import type { FillPage } from '../../app/rendered/handed-over.js';

export const trendingQuery = productsQuery({ sort: 'trending', limit: limits.carousel.size });

/** The goods of one region, or of all. */
export const regionQuery = (localGovt: string | undefined) =>
  goodsQuery({ sort: 'trending', ...(localGovt !== undefined && { localGovt }) });

const regionOf = (search: URLSearchParams) => regionQuery(placeIn(search));

/** Route loader: fetches the first goods while the page's own code is still loading. */
export function warmHome({ request }: { readonly request: Request }): null {
  if (import.meta.env.SSR) return null;
  void queryClient.prefetchInfiniteQuery(regionOf(new URL(request.url).searchParams));
  void queryClient.prefetchQuery(trendingQuery);
  return null;
}

export const fillHome: FillPage = async (client, { search }) => {
  await Promise.all([
    client.fetchInfiniteQuery(regionOf(search)),
    client.fetchQuery(trendingQuery),
  ]);
  return true;
};
