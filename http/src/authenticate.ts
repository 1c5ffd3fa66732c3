import type { AccessClaims, AccessTokens, Clock, Sessions } from '@oja/platform';
import type { Failed } from './answer.js';
import type { Identity } from './mount-calls.js';

const MALFORMED: Failed = { status: 401, message: 'Please log in', code: 'not_logged_in' };
const ENDED: Failed = {
  status: 401,
  message: 'Your session has ended. Please log in again.',
  code: 'session_ended',
};
/** The one failure after which a client refreshes its token and tries again. */
const EXPIRED: Failed = {
  status: 403,
  message: 'Your session has expired. Please try again.',
  code: 'token_expired',
};

export interface Authenticator<A> {
  /** By an Authorization header; an empty one is nobody's. */
  byHeader(header: string): Promise<Identity<A>>;
  byToken(token: string): Promise<Identity<A>>;
}

export interface AuthenticatorOptions<A> {
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly sessions: Pick<Sessions, 'isOpen'>;
  readonly clock: Clock;
  /** The person with their rights as they are now; null: there is nobody by that id (any more). */
  personOf(claims: AccessClaims): Promise<A | null>;
}

/**
 * Says who holds an access token. It names only person and session: whether the session is still open
 * is asked of State, and what the person may do of whoever knows, at each call.
 */
export function createAuthenticator<A>(options: AuthenticatorOptions<A>): Authenticator<A> {
  const { accessTokens, sessions, clock } = options;
  const refused = (failed: Failed): Identity<A> => ({ kind: 'refused', failed });

  async function byToken(token: string): Promise<Identity<A>> {
    const now = clock.now();
    const reading = await accessTokens.read(token, now);
    if (reading.status === 'expired') return refused(EXPIRED);
    if (reading.status === 'malformed') return refused(MALFORMED);
    const { claims } = reading;
    if (!(await sessions.isOpen(claims.subject, claims.session, now))) return refused(ENDED);
    const actor = await options.personOf(claims);
    return actor === null ? refused(ENDED) : { kind: 'actor', actor };
  }

  return {
    byToken,
    async byHeader(header) {
      if (header === '') return { kind: 'nobody' };
      const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
      return token === undefined ? refused(MALFORMED) : byToken(token);
    },
  };
}
