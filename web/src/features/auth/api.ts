import { get, send } from '../../api/client.js';
import type { UserDetails } from '../../api/types.js';

export interface Credentials {
  readonly businessName: string;
  readonly password: string;
}

export interface Registration extends Credentials {
  readonly name: string;
  readonly phone_1: string;
}

export interface SignedInAnswer {
  readonly user: UserDetails;
  readonly token: string;
}

/** @throws ApiError */
export async function login(credentials: Credentials): Promise<SignedInAnswer> {
  const answer = await send<{ userDetails: UserDetails; accessToken: string }>(
    'POST',
    '/v1/login',
    {
      body: credentials,
    },
  );
  return { user: answer.userDetails, token: answer.accessToken };
}

/** Registering signs in. @throws ApiError */
export async function register(registration: Registration): Promise<SignedInAnswer> {
  const answer = await send<{ data: { data: UserDetails }; accessToken: string }>(
    'POST',
    '/v1/register',
    {
      body: registration,
    },
  );
  return { user: answer.data.data, token: answer.accessToken };
}

/** Whether the business name is taken. @throws ApiError */
export async function businessNameExists(name: string, signal: AbortSignal): Promise<boolean> {
  const { exists } = await get<{ exists: boolean }>(
    `/v1/businessName-checker/${encodeURIComponent(name)}`,
    { signal },
  );
  return exists;
}
