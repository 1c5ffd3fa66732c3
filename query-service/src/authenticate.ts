import { type Actor, actorOf, type Person } from '@oja/contracts';
import { seller } from '@oja/domain';
import {
  type AuthenticatorOptions,
  createAuthenticator as authenticatorOf,
  type Authenticator as PlatformAuthenticator,
} from '@oja/http';
import { createStreamReader, type EventStore } from '@oja/platform';

export type Authenticator = PlatformAuthenticator<Person>;

interface AuthenticatorDeps
  extends Pick<AuthenticatorOptions<Person>, 'accessTokens' | 'sessions' | 'clock'> {
  readonly eventStore: Pick<EventStore, 'readStream'>;
}

/** Identifies the holder of an access token. Rights are read from the seller's own stream, on each call. */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { load } = createStreamReader(deps.eventStore);
  return authenticatorOf<Person>({
    ...deps,
    async personOf({ subject, session }) {
      const actor = actorOf((await load(seller, subject)).state);
      return actor && { ...actor, session };
    },
  });
}

export const isStaff = ({ role }: Actor): boolean => role !== 'seller';
