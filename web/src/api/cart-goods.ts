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

/** Of a product as it is now: whether the last has been sold. */
export const isSoldOut = ({ stock }: Pick<Product, 'stock'>): boolean => stock === 0;

/** Known still, but not to be ordered: taken off the shelf, sold out, or of a suspended seller. */
export function isWithdrawn(product: Product): boolean {
  const { status, is_suspended } = product;
  return status !== 'AVAILABLE' || is_suspended !== 0 || isSoldOut(product);
}
