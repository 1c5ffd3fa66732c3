import type { Clock, JsonObject } from '@oja/platform';
import type { Faults } from './faults.js';
import type { Store } from './store.js';

/** What the parts of the sandbox share. */
export interface Inside {
  /** Where browsers reach the sandbox, without a slash at its end. */
  readonly address: string;
  readonly clock: Clock;
  readonly store: Store;
  readonly faults: Faults;
  /** Keeps a webhook for sending at `dueAt`; `reference` is what faults are asked for. */
  readonly notify: (
    event: string,
    data: JsonObject,
    reference: string,
    dueAt: number,
  ) => Promise<void>;
}

/** How long refunds and transfers stay pending, in milliseconds. */
export const SETTLING_MS = 1_000;
