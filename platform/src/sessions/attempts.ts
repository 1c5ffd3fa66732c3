import { backOff, isWithinAllowingSkew } from '../clock.js';
import type { State } from '../state/port.js';

export interface AttemptRule {
  /** Number of failures without a wait. */
  readonly free: number;
  /** Wait after the first failure beyond the free ones; doubled with each further failure. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Failures are forgotten this long after the last one. */
  readonly forgetMs: number;
}

type Failures = { readonly count: number; readonly notBefore: number };

/** Slows down password guessing without ever locking the owner out for good. */
export interface Attempts {
  /**
   * Milliseconds to wait before the next attempt; 0 allows this one. An allowed attempt counts as failed
   * until `succeeded` is called, so that a hundred guesses sent at once are not all free.
   */
  begin(key: string, now: number): Promise<number>;
  succeeded(key: string): Promise<void>;
  /** Takes back an attempt that was allowed at `at` (epoch milliseconds) but was never made. */
  giveBack(key: string, at: number): Promise<void>;
}

const SPACE = 'attempts';
const RACE_TRIES = 8;

/** Times are epoch milliseconds. All processes share the counts through `State`. */
export function createAttempts(state: State, rule: AttemptRule): Attempts {
  const waitAfter = (count: number): number => {
    const paid = count - rule.free;
    return paid > 0 ? backOff(paid, rule.firstWaitMs, rule.longestWaitMs) : 0;
  };
  return {
    begin: async (key, now) => {
      for (let race = 0; race < RACE_TRIES; race += 1) {
        const entry = await state.get<Failures>(SPACE, key, now);
        const { count: before, notBefore } = entry?.value ?? { count: 0, notBefore: 0 };
        const waitMs = waitAfter(before);
        if (isWithinAllowingSkew(waitMs, notBefore - waitMs, now)) return notBefore - now;
        const count = before + 1;
        const failures: Failures = { count, notBefore: now + waitAfter(count) };
        const put = await state.put(SPACE, key, failures, now, {
          if: entry?.version ?? 'absent',
          expiresAt: now + rule.forgetMs,
        });
        if (put !== null) return 0;
      }
      // So many concurrent attempts for one key are too many in any case.
      return rule.firstWaitMs;
    },
    succeeded: async (key) => {
      await state.delete(SPACE, key);
    },
    giveBack: async (key, at) => {
      for (let race = 0; race < RACE_TRIES; race += 1) {
        const entry = await state.get<Failures>(SPACE, key, at);
        if (entry === null || entry.value.count === 0) return;
        const { count, notBefore } = entry.value;
        // The wait ends too, unless an attempt since then has set it.
        const isOwn = notBefore === at + waitAfter(count);
        const failures: Failures = { count: count - 1, notBefore: isOwn ? at : notBefore };
        const only = { if: entry.version, expiresAt: at + rule.forgetMs };
        if ((await state.put(SPACE, key, failures, at, only)) !== null) return;
      }
    },
  };
}
