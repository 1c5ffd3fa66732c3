import { setTimeout as wait } from 'node:timers/promises';

/** Epoch milliseconds, asked for where time is needed, so that tests can say what time it is. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
