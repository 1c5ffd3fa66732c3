import { setMaxListeners } from 'node:events';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';

/** The current time in epoch milliseconds. Code takes a clock as a parameter so that tests can set the time. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Whether less than `ms` milliseconds have passed from `at` to `now`. Not when the clock was set back in between: what
 * is kept for a while would be kept for as long as it was set back.
 */
export const isWithin = (ms: number, at: number, now: number): boolean =>
  now >= at && now - at < ms;

/** How far the clocks of a market's processes may be apart, in milliseconds. */
const CLOCKS_APART_MS = 5_000;

/** Like `isWithin`, for a time that another process may have written, whose clock may be a little ahead. */
export const isWithinAllowingSkew = (ms: number, at: number, now: number): boolean =>
  now >= at - CLOCKS_APART_MS && now - at < ms;

/** The current time in ISO 8601, as in commands and events. */
export const nowOf = ({ clock }: { readonly clock: Clock }): string =>
  new Date(clock.now()).toISOString();

/**
 * Resolves after `ms` milliseconds, or as soon as the signal aborts. Never rejects. Any number may wait for one signal,
 * such as all writers in an outage, so Node's warning about many listeners is switched off for it.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  setMaxListeners(0, signal);
  await wait(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * What the work resolves to, or `late` if it takes longer than `ms` milliseconds. It goes on then, and is not awaited.
 * @throws what the work throws in time.
 */
export async function withTimeLimit<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  return Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}

/** Back-off: the pause after so many failures, in milliseconds. It is doubled after each, and at most `longestMs`. */
export const backOff = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), longestMs);

/** Lets other work of this process run first: long work that never waits would block the event loop. */
export const yieldToEventLoop = (): Promise<void> => immediate();
