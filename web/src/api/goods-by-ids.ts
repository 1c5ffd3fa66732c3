import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Product } from './types.js';

/**
 * Goods as they are now, and those that are gone. Asked anew at each visit: prices must be right. The ids are sorted:
 * the call does not say in which order somebody put them in, or looked at them.
 */
export function goodsByIdsQuery(productIds: readonly string[]) {
  const ids = [...productIds].sort().join(',');
  return queryOptions({
    queryKey: ['products', 'by-ids', ids],
    queryFn: ({ signal }) => call('productsByIds', { query: { ids }, signal }),
    enabled: ids !== '',
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** Of a product as it is now: whether the last has been sold. */
export const isSoldOut = ({ stock }: Pick<Product, 'stock'>): boolean => stock === 0;

/** Stands in lists; its own page says what it is even while it does not. */
export const isListed = ({ status, is_suspended }: Product): boolean =>
  status === 'AVAILABLE' && is_suspended === 0;

/** Known still, but not to be ordered: taken off the shelf, sold out, or of a suspended seller. */
export const isWithdrawn = (product: Product): boolean => !isListed(product) || isSoldOut(product);
