import { useQuery } from '@tanstack/react-query';
import type { Profile } from '../../api/types.js';
import { useUser } from '../../stores/session.js';
import { usersQuery } from './api.js';

/** Everybody who is no head admin. */
export const sellersOf = (users: readonly Profile[]) => users.filter((user) => user.is_admin === 0);

/** Head admins and sub-admins. */
export const adminsOf = (users: readonly Profile[]) =>
  users.filter((user) => user.is_admin === 1 || user.is_subAdmin === 1);

const same = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'accent' }) === 0;

/** Those with exactly this id, or this business name in whatever case; all when nothing is looked for. */
export function findUsers(users: readonly Profile[], typed: string): readonly Profile[] {
  const find = typed.trim();
  if (find === '') return users;
  return users.filter((user) => user.user_id === find || same(user.businessName, find));
}

/** Names that hold what was typed, to choose from while no whole name is there. */
export function namesLike(users: readonly Profile[], typed: string, most: number): string[] {
  const part = typed.trim().toLowerCase();
  return users
    .map(({ businessName }) => businessName)
    .filter((name) => name.toLowerCase().includes(part))
    .slice(0, most);
}

/** What a person is called: their own name, or their store's when that is gone. */
export const calledBy = (user: Profile) => user.name ?? user.businessName;

/** Everybody's name by their id, for histories: empty until it is known. */
export function useNames(): Readonly<Record<string, string>> {
  const { data } = useQuery(usersQuery);
  return Object.fromEntries((data ?? []).map((user) => [user.user_id, calledBy(user)]));
}

/** Everybody's business name by their id: empty until it is known. */
export function useStores(): Readonly<Record<string, string>> {
  const { data } = useQuery(usersQuery);
  return Object.fromEntries((data ?? []).map((user) => [user.user_id, user.businessName]));
}

/** The seller with this id, once everybody is known. */
export function useSeller(id: string): Profile | undefined {
  const { data } = useQuery(usersQuery);
  return data?.find((user) => user.user_id === id);
}

/** Head admins change things; sub-admins look, and see no button that would be refused. */
export const useIsHead = () => useUser()?.is_admin === 1;
