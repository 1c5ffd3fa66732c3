import { goodsQuery, productsQuery } from '../../api/products.js';
import { queryClient } from '../../api/query-client.js';

/** Cards in the carousel. */
export const TRENDING_CARDS = 8;

export const trendingQuery = productsQuery({ sort: 'trending', limit: TRENDING_CARDS });

/** The goods of one region, or of all. */
export const regionQuery = (localGovt: string | undefined) =>
  goodsQuery({ sort: 'trending', ...(localGovt !== undefined && { localGovt }) });

/** Asks for the first goods while the page's own code is still on the way. */
export function warmHome({ request }: { readonly request: Request }): null {
  const localGovt = new URL(request.url).searchParams.get('localGovt') ?? undefined;
  void queryClient.prefetchInfiniteQuery(regionQuery(localGovt));
  void queryClient.prefetchQuery(trendingQuery);
  return null;
}
