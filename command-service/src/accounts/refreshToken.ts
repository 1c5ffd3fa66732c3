import { refuse } from '@oja/http';
import { createSecurityLog } from '@oja/platform';
import type { Deps, Handler } from '../deps.js';
import { noRefreshCookie, REFRESH_COOKIE, tokensOf } from './session.js';

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
