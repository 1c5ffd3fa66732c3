import { call } from '../../api/client.js';
import { normalizeBusinessName } from '../../api/profile.js';
import type { Body, UserDetails } from '../../api/types.js';

// These calls send no token: it may expire between two presses, and a retry must stay the same request.

export type Credentials = Body<'login'>;
export type Registration = Body<'register'>;

export interface SignedInAnswer {
  readonly user: UserDetails;
  readonly token: string;
}

const withNormalizedName = <T extends { readonly businessName: string }>(typed: T): T => ({
  ...typed,
  businessName: normalizeBusinessName(typed.businessName),
});

/** @throws ApiError; its code is `choose_password` when a one-time password must be replaced */
export async function login(credentials: Credentials): Promise<SignedInAnswer> {
  const answer = await call('login', { body: withNormalizedName(credentials) });
  return { user: answer.userDetails, token: answer.accessToken };
}

/**
 * Logs in with a one-time password and replaces it with the seller's own. The same key answers the same choice again.
 * @throws ApiError
 */
export async function loginWithNewPassword(
  body: Body<'loginWithNewPassword'>,
  key: string,
): Promise<SignedInAnswer> {
  const answer = await call('loginWithNewPassword', {
    body: withNormalizedName(body),
    key,
    anonymous: true,
  });
  return { user: answer.userDetails, token: answer.accessToken };
}

/** Registers a seller, who is then signed in. The same key answers the same registration again. @throws ApiError */
export async function register(registration: Registration, key: string): Promise<SignedInAnswer> {
  const answer = await call('register', {
    body: withNormalizedName(registration),
    key,
    anonymous: true,
  });
  return { user: answer.data.data, token: answer.accessToken };
}

/** Whether the business name is taken. @throws ApiError */
export async function businessNameExists(name: string, signal: AbortSignal): Promise<boolean> {
  const { exists } = await call('checkBusinessName', { params: { businessName: name }, signal });
  return exists;
}
