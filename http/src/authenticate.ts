import type { AccessClaims, AccessTokens, Clock, Sessions } from '@oja/platform';
import type { Failure } from './answer.js';
import type { Identity } from './mount-calls.js';

const MALFORMED: Failure = { status: 401, message: 'Please log in', code: 'not_logged_in' };
const ENDED: Failure = {
  status: 401,
  message: 'Your session has ended. Please log in again.',
  code: 'session_ended',
};
/** The only failure after which a client refreshes its token and tries again. */
const EXPIRED: Failure = {
  status: 403,
  message: 'Your session has expired. Please try again.',
  code: 'token_expired',
};

export interface Authenticator<A> {
  /** Reads an Authorization header; an empty header gives 'nobody'. */
  byHeader(header: string): Promise<Identity<A>>;
  byToken(token: string): Promise<Identity<A>>;
}

export interface AuthenticatorOptions<A> {
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly sessions: Pick<Sessions, 'isOpen'>;
  readonly clock: Clock;
  /** The person with their current rights; null when no such person exists (any more). */
  personOf(claims: AccessClaims): Promise<A | null>;
}

/**
 * Finds out who holds an access token. The token names only a person and a session. At each call we ask
 * State whether the session is still open, and `personOf` for the person's current rights.
 */
export function createAuthenticator<A>(options: AuthenticatorOptions<A>): Authenticator<A> {
  const { accessTokens, sessions, clock } = options;
  const refused = (failed: Failure): Identity<A> => ({ kind: 'refused', failed });

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
