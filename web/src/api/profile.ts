import { cleanLine, nationalFigures } from '@oja/domain/rules/user-input';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { changeAuthStorage } from '../stores/persistent-store.js';
import { useIsSuspended } from '../stores/session.js';
import { call } from './client.js';
import type { Answer, Body, Profile, UserDetails } from './types.js';

/** The signed-in person, with their phone number. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }): Promise<Profile> => {
    const { result } = await call('singleUser', { signal });
    return result[0];
  },
});

/** The signed-in person as login returns them: without the phone number, which the browser does not store. */
function toUserDetails(profile: Profile): UserDetails {
  const { user_id, name, businessName, is_admin, is_subAdmin, is_suspended } = profile;
  return { user_id, name, businessName, is_admin, is_subAdmin, is_suspended };
}

/** Takes over a changed profile or changed rights. An answer that comes after this user has left changes nothing. */
export function updateUser(profile: Profile): void {
  changeAuthStorage((now) =>
    now.user?.user_id === profile.user_id ? { user: toUserDetails(profile) } : {},
  );
}

/** Marks of the reading direction, and what stands between letters without being seen. Copied text brings them along. */
const INVISIBLE = /\p{Cf}/gu;

/** The eleven figures of a phone number, which people write in groups and browsers fill in with the country's code. */
export const toPhoneDigits = (phone: string): string =>
  nationalFigures(phone.replace(INVISIBLE, ''));

/** A typed business name. Phones put other signs for an apostrophe and a space, which no business name may have. */
export const normalizeBusinessName = (typed: string): string =>
  cleanLine(typed.replace(INVISIBLE, '').replace(/[\u2018\u2019\u02BC]/g, "'"));

/** @throws ApiError; a 400 may carry `missingFields` */
export async function updateProfile(userId: string, body: Body<'updateProfile'>): Promise<Profile> {
  const { userDetails } = await call('updateProfile', { params: { userId }, body });
  return userDetails;
}

export type PayoutAccount = Omit<Body<'setPayoutAccount'>, 'password'>;

/** The bank account for the seller's payouts; null while none is given. */
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

/** Ends all other sessions. The same key answers the same change again. @throws ApiError */
export async function changePassword(body: Body<'changePassword'>, key: string): Promise<void> {
  await call('changePassword', { body, key });
}

export type LetterSettings = Answer<'userLetters'>;

/** The e-mail address for letters to the seller, and whether letters are on. */
export const lettersQuery = queryOptions({
  queryKey: ['letters'],
  queryFn: ({ signal }): Promise<LetterSettings> => call('userLetters', { signal }),
});

/** Sends a confirmation code to an address. The same key sends no second one. @throws ApiError */
export async function requestAddressCode(
  body: Body<'askLetterAddress'>,
  key: string,
): Promise<void> {
  await call('askLetterAddress', { body, key });
}

/** The same key answers the same confirmation again. @throws ApiError */
export async function confirmLetterAddress(code: string, key: string): Promise<void> {
  await call('confirmLetterAddress', { body: { code }, key });
}

/** @throws ApiError */
export async function removeLetterAddress(): Promise<void> {
  await call('removeLetterAddress');
}

/** @throws ApiError */
export async function setLettersOn(on: boolean): Promise<void> {
  await call('switchLetters', { body: { on } });
}

/**
 * Whether to ask the seller for a bank account: none is given, and the store is not suspended (a suspended
 * store cannot be changed).
 * @param enabled whether the account is worth fetching at all
 */
export function useNeedsBankAccount(enabled = true): boolean {
  const suspended = useIsSuspended();
  const { data: account } = useQuery({ ...payoutAccountQuery, enabled });
  return !suspended && account === null;
}
