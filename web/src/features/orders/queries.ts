import { limits, type SalesPeriod } from '@oja/domain/rules';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { toSearchTerm } from '../../api/own-products.js';
import { cursorPagination, keepPreviousUnlessEmpty } from '../../api/pagination.js';
import type { Payout, Sale, SaleWithHistory, SoldInPeriod } from '../../api/types.js';

/** The filter of the seller's orders. */
export interface OrderFilter {
  /** Words from product names, or the order number. */
  readonly find: string;
  readonly status: Sale['status'] | undefined;
}

const toQuery = ({ find, status }: OrderFilter) => ({ find: toSearchTerm(find), status });

/** The seller's orders, newest first; each further page holds older ones. */
export function ordersQuery(filter: OrderFilter) {
  return infiniteQueryOptions({
    queryKey: ['own-orders', 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      call('userOrders', {
        signal,
        query: { ...toQuery(filter), cursor: pageParam ?? undefined },
      }),
    ...cursorPagination,
    placeholderData: (before) => keepPreviousUnlessEmpty(before),
  });
}

/** One of the seller's orders, with its history. */
export function orderQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['own-orders', 'one', transactionId],
    queryFn: async ({ signal }): Promise<SaleWithHistory> =>
      (await call('userOrder', { params: { transactionId }, signal })).result,
  });
}

/** The seller's payouts, newest first. */
export const payoutsQuery = infiniteQueryOptions({
  queryKey: ['own-orders', 'payouts'],
  queryFn: ({ signal, pageParam }) =>
    call('userPayouts', { signal, query: { cursor: pageParam ?? undefined } }),
  ...cursorPagination,
});

/** What the seller sold in the period that ends today. */
export const salesQuery = (period: SalesPeriod) =>
  queryOptions({
    queryKey: ['own-orders', 'sales', period],
    queryFn: async ({ signal }): Promise<SoldInPeriod> =>
      (await call('userSales', { query: { period }, signal })).result,
    // As in a list: a period without sales would say of the next one that nothing was sold in it.
    placeholderData: (before) => (before?.orders === 0 ? undefined : before),
  });

interface PageOf<T> {
  readonly result: readonly T[];
  readonly nextCursor: string | null;
}
/** The query of one page. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Reads all pages of a list. @throws ApiError */
async function fetchAllPages<T>(
  read: (page: PageQuery) => Promise<PageOf<T>>,
): Promise<readonly T[]> {
  const all: T[] = [];
  let next: string | null = null;
  do {
    const page: PageOf<T> = await read({
      limit: limits.page.max,
      ...(next !== null && { cursor: next }),
    });
    all.push(...page.result);
    next = page.nextCursor;
  } while (next !== null);
  return all;
}

/** All orders that pass the filter, for the CSV file. @throws ApiError */
export const fetchAllOrders = (filter: OrderFilter): Promise<readonly Sale[]> =>
  fetchAllPages((page) => call('userOrders', { query: { ...toQuery(filter), ...page } }));

/** All payouts, for the CSV file. @throws ApiError */
export const fetchAllPayouts = (): Promise<readonly Payout[]> =>
  fetchAllPages((query) => call('userPayouts', { query }));
