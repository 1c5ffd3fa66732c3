import { queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Body, Profile } from './types.js';

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
