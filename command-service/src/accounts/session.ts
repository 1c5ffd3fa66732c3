import { type Cookie, refuse } from '@oja/http';
import { createSecurityLog, SESSION_IDLE_MS, type StartedSession } from '@oja/platform';
import type { Deps, Handler } from '../deps.js';

/** Holds the refresh token; no script can read it. */
const REFRESH_COOKIE = 'oja-refresh';

const noRefreshCookie: Cookie = { name: REFRESH_COOKIE, value: null };

/** What a browser needs to go on being somebody. */
interface SignedIn {
  readonly accessToken: string;
  readonly cookies: readonly Cookie[];
}

async function tokensOf(
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

/** Rotates the refresh token; a session that has ended takes its cookie with it. */
export const refreshToken = (deps: Deps): Handler<'refreshToken'> => {
  const log = createSecurityLog(deps.logger);
  return async ({ cookie, clientAddress: from }) => {
    const token = cookie(REFRESH_COOKIE);
    if (token === undefined) return refuse(401, 'Please log in', { code: 'not_logged_in' });
    const next = await deps.sessions.refresh(token, deps.clock.now(), (subject, reason) =>
      log({ event: 'session-ended', outcome: 'refused', actor: null, subject, from, reason }),
    );
    if (next === null) {
      const ended = refuse(401, 'Your session has ended. Please log in again.', {
        code: 'session_ended',
      });
      return { ...ended, cookies: [noRefreshCookie] };
    }
    const { accessToken, cookies } = await tokensOf(deps, next);
    return { status: 200, body: { success: true, accessToken }, cookies };
  };
};

/** Ends the session, its access tokens included; whoever has none is logged out all the same. */
export const logout = (deps: Pick<Deps, 'sessions' | 'logger'>): Handler<'logout'> => {
  const log = createSecurityLog(deps.logger);
  return async ({ cookie, clientAddress: from }) => {
    const token = cookie(REFRESH_COOKIE);
    const actor = token === undefined ? null : await deps.sessions.endByToken(token);
    if (actor !== null)
      log({ event: 'session-ended', outcome: 'granted', actor, from, reason: 'logout' });
    return {
      status: 200,
      body: { success: true, message: 'logged out!' },
      cookies: [noRefreshCookie],
    };
  };
};
