import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Product } from './types.js';

/** The cart's goods as they are now, and those that are gone. Asked anew at each visit: prices must be right. */
export function cartGoodsQuery(productIds: readonly string[]) {
  const ids = [...productIds].sort().join(',');
  return queryOptions({
    queryKey: ['products', 'by-ids', ids],
    queryFn: ({ signal }) => call('productsByIds', { query: { ids }, signal }),
    enabled: ids !== '',
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** Known still, but not to be ordered: taken off the shelf, or of a suspended seller. */
export function isWithdrawn({ status, is_suspended }: Product): boolean {
  return status !== 'AVAILABLE' || is_suspended !== 0;
}
