import type { Deps } from '@oja/command-service';
import type { Logger } from '@oja/platform';

/** A logger that discards everything. */
export const quiet: Logger;

type Engines = 'eventStore' | 'documents' | 'state' | 'keys' | 'payments' | 'mail' | 'clock';

interface Over extends Pick<Deps, Engines>, Pick<Deps, 'jobs'> {
  /** Origin, without a trailing slash. */
  readonly publicUrl: string;
  /** The secret for tokens, sessions and idempotency keys. */
  readonly secret: string;
  /** By default a demo with manual payouts. */
  readonly settings?: { readonly demo?: boolean; readonly payouts?: boolean };
  /** By default `quiet`. */
  readonly logger?: Logger;
}

/** The dependencies of command-service on these engines. */
export function depsOver(over: Over): Promise<Deps>;
