import type { Clock, JsonObject } from '@oja/platform';
import type { Faults } from './faults.js';
import type { Store } from './store.js';

/** A webhook to the market; `at` is the time it falls due, in epoch milliseconds. */
export interface Notice {
  readonly event: string;
  readonly data: JsonObject;
  readonly reference: string;
  readonly at: number;
}

/** What the parts of the sandbox share. */
export interface SandboxContext {
  /** Base URL of the sandbox as browsers reach it, without a trailing slash. */
  readonly address: string;
  readonly clock: Clock;
  readonly store: Store;
  readonly faults: Faults;
  /** Queues a webhook for its due time; faults are looked up by its reference. */
  readonly notify: (notice: Notice) => Promise<void>;
}

/** How long refunds and transfers stay pending, in milliseconds. */
export const SETTLING_MS = 1_000;
