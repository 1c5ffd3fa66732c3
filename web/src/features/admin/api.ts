import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import type { Answer, Body, Transaction } from '../../api/types.js';

/** Counts, where the money is, and what needs a person. */
export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => call('adminOverview', { signal }),
});

/** Everybody with a store, newest first. */
export const usersQuery = queryOptions({
  queryKey: ['admin', 'users'],
  queryFn: async ({ signal }) => {
    const { result } = await call('getAllUsers', { signal });
    return result;
  },
});

type TransactionsAnswer = Answer<'getTransactions'>;

/** Few enough that the first of them stand there soon. */
const PAGE_OF_TRANSACTIONS = 250;
/** So many are read one page after the other; older ones when somebody asks for them. */
export const READ_UNASKED = 20 * PAGE_OF_TRANSACTIONS;

/** The newest transactions, page by page. */
export const transactionsQuery = infiniteQueryOptions<
  TransactionsAnswer,
  Error,
  InfiniteData<TransactionsAnswer>,
  readonly string[],
  string | null
>({
  queryKey: ['admin', 'transactions'],
  queryFn: ({ signal, pageParam }) =>
    call('getTransactions', {
      signal,
      query: { limit: PAGE_OF_TRANSACTIONS, cursor: pageParam ?? undefined },
    }),
  initialPageParam: null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

type AuditAnswer = Answer<'getAudit'>;
export type Act = AuditAnswer['result'][number];

/** What admins and operators did, newest first; all of it, or of one kind. */
export function auditQuery(act: Act['act'] | undefined) {
  return infiniteQueryOptions<
    AuditAnswer,
    Error,
    InfiniteData<AuditAnswer>,
    readonly (string | undefined)[],
    string | null
  >({
    queryKey: ['admin', 'audit', act],
    queryFn: ({ signal, pageParam }) =>
      call('getAudit', { signal, query: { act, cursor: pageParam ?? undefined } }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'transaction', id],
    queryFn: async ({ signal }): Promise<Transaction> => {
      return (await call('getTransaction', { params: { id }, signal })).result;
    },
  });
}

/** The addresses of a product's pictures. */
export function productImagesQuery(productId: string) {
  return queryOptions({
    queryKey: ['product-images', productId],
    queryFn: async ({ signal }) => {
      const { result } = await call('productImages', { params: { productId }, signal });
      return result.flatMap(({ image_urls }) => image_urls.split(',')).filter((url) => url !== '');
    },
  });
}

/** Where an ordered product is collected: 'Apapa, Lagos'. */
export function placeQuery(productId: string) {
  return queryOptions({
    queryKey: ['products', 'place', productId],
    queryFn: async ({ signal }) => {
      const { result } = await call('getProduct', { params: { id: productId }, signal });
      return `${result.local_govt}, ${result.state}`;
    },
  });
}

/** Suspends a seller, or lets them go on. @returns the server's words. @throws ApiError */
export async function toggleSuspended(userId: string, suspended: boolean): Promise<string> {
  const query = { is_suspended: suspended ? '1' : '0' } as const;
  return (await call('toggleSuspended', { params: { userId }, query })).message;
}

/** Makes a seller a sub-admin, or a sub-admin a seller. @throws ApiError; a 400 may carry `missingFields` */
export async function setSubAdmin(sellerId: string, isSubAdmin: boolean): Promise<void> {
  await call('updateSubAdmin', {
    query: { sellerId: sellerId === '' ? undefined : sellerId, isSubAdmin: String(isSubAdmin) },
  });
}

/** Removes a delivered record. @throws ApiError */
export async function removeBuyerRecord(buyerId: string): Promise<void> {
  await call('removeBuyerRecord', { params: { buyerId } });
}

/** Settles the dispute about one seller's goods. @returns the server's words. @throws ApiError */
export async function resolveDispute(
  transactionId: string,
  body: Body<'resolveDispute'>,
): Promise<string> {
  return (await call('resolveDispute', { params: { id: transactionId }, body })).message;
}
