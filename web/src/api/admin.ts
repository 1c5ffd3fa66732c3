import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { get, send } from './client.js';
import type { Answer, Body, Transaction } from './types.js';

const encode = encodeURIComponent;

/** Counts, where the money is, and what needs a person. */
export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => get<Answer<'adminOverview'>>('/v1/admin/overview', { signal }),
});

/** Everybody with a store, newest first. */
export const usersQuery = queryOptions({
  queryKey: ['admin', 'users'],
  queryFn: async ({ signal }) => {
    const { result } = await get<Answer<'getAllUsers'>>('/v1/user/getAllUsers', { signal });
    return result;
  },
});

type TransactionsAnswer = Answer<'getTransactions'>;

/** The newest transactions, up to what one answer holds; a page more is as many older ones. */
export const transactionsQuery = infiniteQueryOptions<
  TransactionsAnswer,
  Error,
  InfiniteData<TransactionsAnswer>,
  readonly string[],
  string | null
>({
  queryKey: ['admin', 'transactions'],
  queryFn: ({ signal, pageParam }) =>
    get<TransactionsAnswer>('/v1/buyers/transactions', {
      signal,
      ...(pageParam !== null && { query: { cursor: pageParam } }),
    }),
  initialPageParam: null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'transaction', id],
    queryFn: async ({ signal }): Promise<Transaction> => {
      const path = `/v1/transactions/${encode(id)}`;
      return (await get<Answer<'getTransaction'>>(path, { signal })).result;
    },
  });
}

/** The addresses of a product's pictures. */
export function productImagesQuery(productId: string) {
  return queryOptions({
    queryKey: ['product-images', productId],
    queryFn: async ({ signal }) => {
      const path = `/v1/products/${encode(productId)}/images`;
      const { result } = await get<Answer<'productImages'>>(path, { signal });
      return result.flatMap(({ image_urls }) => image_urls.split(',')).filter((url) => url !== '');
    },
  });
}

/** Active becomes suspended, and back. @returns the server's words. @throws ApiError */
export async function toggleSuspended(userId: string): Promise<string> {
  const path = `/v1/user/${encode(userId)}/toggle-suspended`;
  return (await send<Answer<'toggleSuspended'>>('PUT', path)).message;
}

/** Makes a seller a sub-admin, or a sub-admin a seller. @throws ApiError; a 400 may carry `missingFields` */
export async function setSubAdmin(sellerId: string, isSubAdmin: boolean): Promise<void> {
  await send<Answer<'updateSubAdmin'>>('PUT', '/v1/update-subAdmin', {
    query: { sellerId: sellerId === '' ? undefined : sellerId, isSubAdmin: String(isSubAdmin) },
  });
}

/** Removes a delivered record. @throws ApiError */
export async function removeBuyerRecord(buyerId: string): Promise<void> {
  await send<Answer<'removeBuyerRecord'>>('DELETE', `/v1/buyers/${encode(buyerId)}`);
}

/** Settles the dispute about one seller's goods. @returns the server's words. @throws ApiError */
export async function resolveDispute(
  transactionId: string,
  body: Body<'resolveDispute'>,
): Promise<string> {
  const path = `/v1/transactions/${encode(transactionId)}/resolve`;
  return (await send<Answer<'resolveDispute'>>('POST', path, { body })).message;
}
