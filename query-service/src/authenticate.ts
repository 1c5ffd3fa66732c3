import { type Actor, actorOf, type Person } from '@oja/contracts';
import { seller } from '@oja/domain';
import {
  type AuthenticatorOptions,
  createAuthenticator as authenticatorOf,
  type Authenticator as PlatformAuthenticator,
} from '@oja/http';
import { type EventStore, loadFrom } from '@oja/platform';

export type Authenticator = PlatformAuthenticator<Person>;

interface AuthenticatorDeps
  extends Pick<AuthenticatorOptions<Person>, 'accessTokens' | 'sessions' | 'clock'> {
  readonly eventStore: Pick<EventStore, 'readStream'>;
}

/** Identifies the holder of an access token. Rights are read from the seller's own stream, on each call. */
export const createAuthenticator = (deps: AuthenticatorDeps): Authenticator =>
  authenticatorOf<Person>({
    ...deps,
    async personOf({ subject, session }) {
      const actor = actorOf((await loadFrom(deps.eventStore, seller, subject)).state);
      return actor && { ...actor, session };
    },
  });

export const isStaff = ({ role }: Actor): boolean => role !== 'seller';
