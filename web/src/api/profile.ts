import { queryOptions, useQuery } from '@tanstack/react-query';
import { useIsSuspended } from '../stores/session.js';
import { call } from './client.js';
import { readAgain } from './query-client.js';
import type { Answer, Body, Profile } from './types.js';

/** The signed-in person with their phone number. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }): Promise<Profile> => {
    const { result } = await call('singleUser', { signal });
    return result[0];
  },
});

/** @throws ApiError; a 400 may carry `missingFields` */
export async function updateProfile(userId: string, body: Body<'updateProfile'>): Promise<Profile> {
  const { userDetails } = await call('updateProfile', { params: { userId }, body });
  return userDetails;
}

export type PayoutAccount = Omit<Body<'setPayoutAccount'>, 'password'>;

/** Where the seller's money is sent; null while none was given. */
export const payoutAccountQuery = queryOptions({
  queryKey: ['payout-account'],
  queryFn: async ({ signal }) => {
    const { account } = await call('getPayoutAccount', { signal });
    return account;
  },
});

/** @throws ApiError */
export async function setPayoutAccount(body: Body<'setPayoutAccount'>): Promise<void> {
  await call('setPayoutAccount', { body });
}

/** All other sessions end. @throws ApiError */
export async function changePassword(body: Body<'changePassword'>): Promise<void> {
  await call('changePassword', { body });
}

export type Letters = Answer<'userLetters'>;

/** Where letters to the seller go, and whether they are on. */
export const lettersQuery = queryOptions({
  queryKey: ['letters'],
  queryFn: ({ signal }): Promise<Letters> => call('userLetters', { signal }),
});

/** Has a code sent to an address. @throws ApiError */
export async function askAddress(body: Body<'askLetterAddress'>): Promise<void> {
  await call('askLetterAddress', { body });
  await readAgain(lettersQuery.queryKey);
}

/** @throws ApiError */
export async function confirmAddress(code: string): Promise<void> {
  await call('confirmLetterAddress', { body: { code } });
  await readAgain(lettersQuery.queryKey);
}

/** @throws ApiError */
export async function removeAddress(): Promise<void> {
  await call('removeLetterAddress');
  await readAgain(lettersQuery.queryKey);
}

/** @throws ApiError */
export async function switchLetters(on: boolean): Promise<void> {
  await call('switchLetters', { body: { on } });
  await readAgain(lettersQuery.queryKey);
}

/**
 * Whether a seller is to say where their money goes: nobody knows, and their store, of which nothing can be changed
 * while it is suspended, is not. `enabled`: there is a reason to ask.
 */
export function useBankWanted(enabled = true): boolean {
  const suspended = useIsSuspended();
  const { data: account } = useQuery({ ...payoutAccountQuery, enabled });
  return !suspended && account === null;
}
