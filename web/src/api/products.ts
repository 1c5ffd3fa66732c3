import { limits } from '@oja/domain/rules';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Answer } from './types.js';

export type SearchAnswer = Answer<'searchProducts'>;

/** The filters of a product list. A filter that is left out does not narrow it. */
export interface SearchParams {
  readonly query?: string;
  readonly category?: string;
  readonly subcategory?: string;
  /** The seller's business name, or its slug. */
  readonly seller?: string;
  readonly condition?: 'New' | 'Used' | 'all';
  readonly sort?: 'A-Z' | 'Z-A' | 'newest' | 'cheapest' | 'dearest' | 'trending';
  readonly localGovt?: string;
  readonly state?: string;
  /** In naira, inclusive. */
  readonly min_price?: number;
  readonly max_price?: number;
  readonly cursor?: string;
  readonly limit?: number;
}

function fetchProducts(params: SearchParams, signal: AbortSignal): Promise<SearchAnswer> {
  return call('searchProducts', { query: { ...params }, signal });
}

/** One fixed batch of products, for carousels and similar products. */
export function productsQuery(params: SearchParams) {
  return queryOptions({
    queryKey: ['products', 'search', params],
    queryFn: ({ signal }) => fetchProducts(params, signal),
  });
}

/** A list with 24 products a page. The old list stays on screen until the new one has loaded. */
export function goodsQuery(params: SearchParams) {
  return infiniteQueryOptions({
    queryKey: ['products', 'list', params],
    queryFn: ({ signal, pageParam }) =>
      fetchProducts(
        {
          ...params,
          limit: limits.page.size,
          ...(pageParam !== null && { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: firstPage,
    getNextPageParam: (last: SearchAnswer) => last.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** Null instead of undefined, because it also appears in the JSON of rendered pages. */
const firstPage: string | null = null;
