import { limits } from '@oja/domain/rules';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import { cursorPagination, keepPreviousUnlessEmpty } from './pagination.js';
import type { Answer, Query } from './types.js';

export type SearchAnswer = Answer<'searchProducts'>;

/** The filters of a product list. A filter that is left out does not narrow it. */
export type SearchParams = Query<'searchProducts'>;

/** One fixed batch of products, for carousels and similar products. */
export function productBatchQuery(query: SearchParams) {
  return queryOptions({
    queryKey: ['products', 'search', query],
    queryFn: ({ signal }) => call('searchProducts', { query, signal }),
  });
}

/** A list with 24 products a page. The old list, if it was not empty, stays on screen until the new one has loaded. */
export function productListQuery(params: SearchParams) {
  return infiniteQueryOptions({
    queryKey: ['products', 'list', params],
    queryFn: ({ signal, pageParam }) =>
      call('searchProducts', {
        query: { ...params, limit: limits.page.size, cursor: pageParam ?? undefined },
        signal,
      }),
    ...cursorPagination,
    placeholderData: (before) => keepPreviousUnlessEmpty(before),
  });
}
