import type { Deps, Handler } from '../deps.js';
import { noRefreshCookie, REFRESH_COOKIE } from './session.js';

/** Ends the session, its access tokens included; whoever has none is logged out all the same. */
export const logout =
  ({ sessions }: Pick<Deps, 'sessions'>): Handler<'logout'> =>
  async ({ cookie }) => {
    const token = cookie(REFRESH_COOKIE);
    if (token !== undefined) await sessions.endByToken(token);
    return {
      status: 200,
      body: { success: true, message: 'logged out!' },
      cookies: [noRefreshCookie],
    };
  };
