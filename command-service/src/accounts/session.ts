import type { Cookie } from '@oja/http';
import { SESSION_IDLE_MS, type StartedSession } from '@oja/platform';
import type { Deps } from '../deps.js';

/** Holds the refresh token; no script can read it. */
export const REFRESH_COOKIE = 'oja-refresh';

export const noRefreshCookie: Cookie = { name: REFRESH_COOKIE, value: null };

/** What a browser needs to go on being somebody. */
export interface SignedIn {
  readonly accessToken: string;
  readonly cookies: readonly Cookie[];
}

export async function tokensOf(
  { accessTokens, clock }: Pick<Deps, 'accessTokens' | 'clock'>,
  { subject, session, refreshToken }: StartedSession,
): Promise<SignedIn> {
  const maxAgeSeconds = SESSION_IDLE_MS / 1000;
  return {
    accessToken: await accessTokens.issue({ subject, session }, clock.now()),
    cookies: [{ name: REFRESH_COOKIE, value: refreshToken, maxAgeSeconds }],
  };
}

/** Begins a session: one login, one family of refresh tokens. */
export const signIn = async (
  deps: Pick<Deps, 'accessTokens' | 'clock' | 'sessions'>,
  sellerId: string,
): Promise<SignedIn> => tokensOf(deps, await deps.sessions.start(sellerId, deps.clock.now()));
