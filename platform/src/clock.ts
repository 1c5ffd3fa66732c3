import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';

/** The current time in epoch milliseconds. Code takes a clock as a parameter so that tests can set the time. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The current time in ISO 8601, as in commands and events. */
export const nowOf = ({ clock }: { readonly clock: Clock }): string =>
  new Date(clock.now()).toISOString();

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

/** Lets other work of this process run first: long work that never waits would block the event loop. */
export const nextTurn = (): Promise<void> => immediate();
