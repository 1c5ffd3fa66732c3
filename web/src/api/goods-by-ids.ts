import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Product } from './types.js';

/**
 * The current state of the given products, and the ids of those that are gone. Fetched anew at each visit,
 * because prices must be right. The ids are sorted, so that the call does not reveal in which order somebody
 * added or viewed them.
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

/** Whether the last piece of the product is sold. */
export const isSoldOut = ({ stock }: Pick<Product, 'stock'>): boolean => stock === 0;

/** Whether the product appears in lists. The page of an unlisted product still shows it. */
export const isListed = ({ status, is_suspended }: Product): boolean =>
  status === 'AVAILABLE' && is_suspended === 0;

/** Whether the product exists but cannot be ordered: taken off sale, sold out, or of a suspended seller. */
export const isWithdrawn = (product: Product): boolean => !isListed(product) || isSoldOut(product);
