import { type SellerState, seller } from '@oja/domain';
import {
  type AccessTokens,
  type Clock,
  type EventStore,
  type Failed,
  type Identity,
  type Sessions,
  streamOf,
} from '@oja/platform';
import type { Person } from './person.js';

const MALFORMED: Failed = { status: 401, message: 'Please log in', code: 'not_logged_in' };
const ENDED: Failed = {
  status: 401,
  message: 'Your session has ended. Please log in again.',
  code: 'session_ended',
};
const EXPIRED: Failed = {
  status: 403,
  message: 'Your session has expired. Please try again.',
  code: 'token_expired',
};

export interface Authenticator {
  /** By an Authorization header; an empty one is nobody's. */
  byHeader(header: string): Promise<Identity<Person>>;
  byToken(token: string): Promise<Identity<Person>>;
}

interface AuthenticatorDeps {
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly sessions: Pick<Sessions, 'isOpen'>;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: Clock;
}

/** The seller as their own stream tells it. */
async function rightsOf(
  eventStore: AuthenticatorDeps['eventStore'],
  sellerId: string,
): Promise<SellerState> {
  let state: SellerState = seller.initial;
  for await (const { type, data } of eventStore.readStream(streamOf(seller, sellerId))) {
    const event = seller.parse(type, data);
    if (event !== null) state = seller.evolve(state, event);
  }
  return state;
}

const refused = (failed: Failed): Identity<Person> => ({ kind: 'refused', failed });

type Registered = Extract<SellerState, { status: 'registered' }>;

function roleOf({ isHeadAdmin, isSubAdmin }: Registered): Person['role'] {
  if (isHeadAdmin) return 'head-admin';
  return isSubAdmin ? 'sub-admin' : 'seller';
}

/**
 * Says who holds an access token. It names only seller and session: whether the session is still open
 * is asked of State, and rights are read from the seller's own stream, at each call.
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { accessTokens, sessions, clock } = deps;

  async function byToken(token: string): Promise<Identity<Person>> {
    const now = clock.now();
    const reading = await accessTokens.read(token, now);
    if (reading.status === 'expired') return refused(EXPIRED);
    if (reading.status === 'malformed') return refused(MALFORMED);
    const { subject, session } = reading.claims;
    if (!(await sessions.isOpen(subject, session, now))) return refused(ENDED);
    const state = await rightsOf(deps.eventStore, subject);
    if (state.status === 'none') return refused(ENDED);
    const actor = {
      sellerId: subject,
      session,
      role: roleOf(state),
      suspended: state.isSuspended,
    };
    return { kind: 'actor', actor };
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
