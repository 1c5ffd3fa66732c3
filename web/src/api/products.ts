import { limits } from '@oja/domain/rules';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Answer } from './types.js';

export type SearchAnswer = Answer<'searchProducts'>;

/** What a list of goods can be asked for; what is left out does not narrow. */
export interface SearchParams {
  readonly query?: string;
  readonly category?: string;
  readonly subcategory?: string;
  /** A seller's business name, or its form in addresses. */
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

/** So many goods and no more: carousels, similar products. */
export function productsQuery(params: SearchParams) {
  return queryOptions({
    queryKey: ['products', 'search', params],
    queryFn: ({ signal }) => fetchProducts(params, signal),
  });
}

/** A list that goes on: 24 goods a page. What is on screen stays until its successor has come. */
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

/** Null, since it also stands in the JSON of rendered pages. */
const firstPage: string | null = null;
