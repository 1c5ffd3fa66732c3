import type { Deps } from '@oja/command-service';
import type { Logger } from '@oja/platform';

/** Says nothing. */
export const quiet: Logger;

type Engines = 'eventStore' | 'documents' | 'state' | 'keys' | 'payments' | 'mail' | 'clock';

interface Over extends Pick<Deps, Engines>, Pick<Deps, 'jobs'> {
  /** Origin, without a slash at its end. */
  readonly publicUrl: string;
  /** What tokens and idempotency keys are made with. */
  readonly secret: string;
  /** As at a demo, with payouts by hand, unless said otherwise. */
  readonly settings?: { readonly demo?: boolean; readonly payouts?: boolean };
  /** Nothing is said unless this says it. */
  readonly logger?: Logger;
}

/** What command-service stands on, over these engines. */
export function depsOver(over: Over): Promise<Deps>;
