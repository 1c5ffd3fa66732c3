import { queryOptions } from '@tanstack/react-query';
import { get, send } from './client.js';
import type { Answer, Body, Profile } from './types.js';

/** The signed-in person with their phone number. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }): Promise<Profile> => {
    const { result } = await get<Answer<'singleUser'>>('/v1/user/single-user', { signal });
    return result[0];
  },
});

/** @throws ApiError; a 400 may carry `missingFields` */
export async function updateProfile(userId: string, body: Body<'updateProfile'>): Promise<Profile> {
  const path = `/v1/user/update/${encodeURIComponent(userId)}`;
  const { userDetails } = await send<Answer<'updateProfile'>>('PUT', path, { body });
  return userDetails;
}

export type PayoutAccount = Body<'setPayoutAccount'>;

/** Where the seller's money is sent; null while none was given. */
export const payoutAccountQuery = queryOptions({
  queryKey: ['payout-account'],
  queryFn: async ({ signal }) => {
    const { account } = await get<Answer<'getPayoutAccount'>>('/v1/user/payout-account', {
      signal,
    });
    return account;
  },
});

/** @throws ApiError */
export async function setPayoutAccount(body: PayoutAccount): Promise<void> {
  await send<Answer<'setPayoutAccount'>>('PUT', '/v1/user/payout-account', { body });
}
