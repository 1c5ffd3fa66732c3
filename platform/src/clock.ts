import { setTimeout as wait } from 'node:timers/promises';

/** The current time in epoch milliseconds. Code takes a clock as a parameter so that tests can set the time. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
