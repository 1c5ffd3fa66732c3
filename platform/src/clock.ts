/** Epoch milliseconds, asked for where time is needed, so that tests can say what time it is. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
