import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { cursorPagination } from '../../api/pagination.js';
import { normalizeBusinessName } from '../../api/profile.js';
import { invalidate } from '../../api/query-client.js';
import type { Answer, Body, Profile, Transaction } from '../../api/types.js';
import { useUser } from '../../stores/session.js';

/** Counts, where the money is, and the orders that need a person. */
export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => call('adminOverview', { signal }),
});

/** Users per request: a large market has too many for one answer. */
const USERS_PER_REQUEST = 500;

/** All users with a store, newest first, since the filter and the count are of all of them. */
export const usersQuery = queryOptions({
  queryKey: ['admin', 'users'],
  queryFn: async ({ signal }) => {
    const users: Profile[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: USERS_PER_REQUEST, cursor };
      const { result, nextCursor } = await call('getAllUsers', { signal, query });
      users.push(...result);
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return users;
  },
});

/** Transactions per page: few enough that the first ones appear quickly. */
const TRANSACTIONS_PER_PAGE = 250;
/** Transactions that are loaded automatically, page after page. Older ones are loaded on request. */
export const MAX_AUTO_LOADED = 20 * TRANSACTIONS_PER_PAGE;

/** Transactions, newest first, page by page. */
export const transactionsQuery = infiniteQueryOptions({
  queryKey: ['admin', 'transactions'],
  queryFn: ({ signal, pageParam }) =>
    call('getTransactions', {
      signal,
      query: { limit: TRANSACTIONS_PER_PAGE, cursor: pageParam ?? undefined },
    }),
  ...cursorPagination,
  // Returning to the tab would fetch every page again, up to twenty of them; the page has a button for that.
  refetchOnWindowFocus: false,
});

export type AuditEntry = Answer<'getAudit'>['result'][number];

/** What admins and operators did, newest first: all acts, or one kind. */
export function auditQuery(act: AuditEntry['act'] | undefined) {
  return infiniteQueryOptions({
    queryKey: ['admin', 'audit', act],
    queryFn: ({ signal, pageParam }) =>
      call('getAudit', { signal, query: { act, cursor: pageParam ?? undefined } }),
    ...cursorPagination,
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

/** URLs of a product's pictures. */
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
export function productPlaceQuery(productId: string) {
  return queryOptions({
    queryKey: ['products', 'place', productId],
    queryFn: async ({ signal }) => {
      const { result } = await call('getProduct', { params: { id: productId }, signal });
      return `${result.local_govt}, ${result.state}`;
    },
  });
}

/** Refetches what admins see, after an act of theirs: it is in the histories too, and may be done where it failed. */
export const reloadAdminPages = (): Promise<void> => invalidate(['admin'], ['timeline']);

/** Suspends a seller or lifts the suspension. @returns the server's message. @throws ApiError */
export async function toggleSuspended(userId: string, suspended: boolean): Promise<string> {
  const query = { is_suspended: suspended ? '1' : '0' } as const;
  return (await call('toggleSuspended', { params: { userId }, query })).message;
}

/** Grants or revokes the sub-admin role. @throws ApiError; a 400 may carry `missingFields` */
export async function setSubAdmin(sellerId: string, isSubAdmin: boolean): Promise<void> {
  await call('updateSubAdmin', {
    query: {
      sellerId: sellerId === '' ? undefined : sellerId,
      isSubAdmin: isSubAdmin ? 'true' : 'false',
    },
  });
}

/** Removes a delivered order's buyer record: the key to the buyer's personal data is destroyed. @throws ApiError */
export async function removeBuyerRecord(buyerId: string): Promise<void> {
  await call('removeBuyerRecord', { params: { buyerId } });
}

/**
 * Releases or refunds one seller's share of an order. The same key answers the same decision again.
 * @returns the server's message. @throws ApiError
 */
export async function resolveDispute(
  transactionId: string,
  body: Body<'resolveDispute'>,
  key: string,
): Promise<string> {
  return (await call('resolveDispute', { params: { id: transactionId }, body, key })).message;
}

/** All users except head admins. */
export const filterSellers = (users: readonly Profile[]) =>
  users.filter((user) => user.is_admin === 0);

/** Head admins and sub-admins. */
export const filterAdmins = (users: readonly Profile[]) =>
  users.filter((user) => user.is_admin === 1 || user.is_subAdmin === 1);

/** Those who were not erased: an erased user stays in the lists, but counts no more. */
export const withoutErased = (users: readonly Profile[]) =>
  users.filter(({ erased }) => erased !== 1);

const equalsIgnoringCase = (a: string, b: string) =>
  a.localeCompare(b, 'en', { sensitivity: 'accent' }) === 0;

/** Users with exactly this id, or with this business name in any case. An empty text matches everybody. */
export function findUsers(users: readonly Profile[], typed: string): readonly Profile[] {
  const find = normalizeBusinessName(typed);
  if (find === '') return users;
  return users.filter(
    (user) => user.user_id === find || equalsIgnoringCase(user.businessName, find),
  );
}

/** Up to `most` business names that contain the typed text, to suggest when none matches exactly. */
export function suggestNames(users: readonly Profile[], typed: string, most: number): string[] {
  const part = normalizeBusinessName(typed).toLowerCase();
  return users
    .map(({ businessName }) => businessName)
    .filter((name) => name.toLowerCase().includes(part))
    .slice(0, most);
}

/** A person's display name: their own name, or their store's when their own was destroyed. */
export const displayName = (user: Profile) => user.name ?? user.businessName;

/** Display names by user id, for histories. Empty until the users are loaded. */
export function useNames(): Readonly<Record<string, string>> {
  const { data } = useQuery(usersQuery);
  return Object.fromEntries((data ?? []).map((user) => [user.user_id, displayName(user)]));
}

/** Business names by user id. Empty until the users are loaded. */
export function useStores(): Readonly<Record<string, string>> {
  const { data } = useQuery(usersQuery);
  return Object.fromEntries((data ?? []).map((user) => [user.user_id, user.businessName]));
}

/** The user with this id; undefined until the users are loaded. */
export function useSeller(id: string): Profile | undefined {
  const { data } = useQuery(usersQuery);
  return data?.find((user) => user.user_id === id);
}

/** Head admins can change things. Sub-admins can only look, and see no button that the server would refuse. */
export const useIsHeadAdmin = () => useUser()?.is_admin === 1;
