import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import type { Answer, Sale, SaleWithHistory } from '../../api/types.js';

/** What is looked for among the seller's orders. */
export interface Wanted {
  /** Words of the goods' names or the order's number. */
  readonly find: string;
  readonly status: Sale['status'] | undefined;
}

type OrdersAnswer = Answer<'userOrders'>;

const asked = ({ find, status }: Wanted) => ({ find: find === '' ? undefined : find, status });

/** The seller's orders, newest first; a page more is so many older ones. */
export function ordersQuery(wanted: Wanted) {
  return infiniteQueryOptions<
    OrdersAnswer,
    Error,
    InfiniteData<OrdersAnswer>,
    readonly (string | Wanted)[],
    string | null
  >({
    queryKey: ['own-orders', 'list', wanted],
    queryFn: ({ signal, pageParam }) =>
      call('userOrders', {
        signal,
        query: { ...asked(wanted), ...(pageParam !== null && { cursor: pageParam }) },
      }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
  });
}

/** One of them, with what happened to it. */
export function orderQuery(transactionId: string) {
  return queryOptions({
    queryKey: ['own-orders', 'one', transactionId],
    queryFn: async ({ signal }): Promise<SaleWithHistory> =>
      (await call('userOrder', { params: { transactionId }, signal })).result,
  });
}

/** As many as one answer holds. */
const MOST = 60;

/** All that is wanted, however many pages that is. @throws ApiError */
export async function readAll(wanted: Wanted): Promise<readonly Sale[]> {
  const all: Sale[] = [];
  let cursor: string | null = null;
  do {
    const answer: OrdersAnswer = await call('userOrders', {
      query: { ...asked(wanted), limit: MOST, ...(cursor !== null && { cursor }) },
    });
    all.push(...answer.result);
    cursor = answer.nextCursor;
  } while (cursor !== null);
  return all;
}
