import type { Clock, JsonObject } from '@oja/platform';
import type { Faults } from './faults.js';
import type { Store } from './store.js';

/** What the market is told without having asked; `at` is when, in epoch milliseconds. */
export interface Notice {
  readonly event: string;
  readonly data: JsonObject;
  readonly reference: string;
  readonly at: number;
}

/** What the parts of the sandbox share. */
export interface Inside {
  /** Where browsers reach the sandbox, without a slash at its end. */
  readonly address: string;
  readonly clock: Clock;
  readonly store: Store;
  readonly faults: Faults;
  /** Keeps a webhook for sending at its time; its reference is what faults are asked for. */
  readonly notify: (notice: Notice) => Promise<void>;
}

/** How long refunds and transfers stay pending, in milliseconds. */
export const SETTLING_MS = 1_000;
