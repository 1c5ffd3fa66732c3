import type { State } from '../state/port.js';

export interface AttemptRule {
  /** Failures that cost nothing. */
  readonly free: number;
  /** Wait after the first failure that is not free; doubled with each further one. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Failures are forgotten this long after the last. */
  readonly forgetMs: number;
}

type Failures = { readonly count: number; readonly notBefore: number };

/** Slows a guesser down without ever locking the owner out for good. */
export interface Attempts {
  /**
   * Milliseconds to wait before the next try; 0: go on. A try that goes on counts as failed until it is
   * said to have succeeded, so that a hundred guesses sent at once are not all free.
   */
  begin(key: string, now: number): Promise<number>;
  succeeded(key: string): Promise<void>;
}

const SPACE = 'attempts';
const RACE_TRIES = 8;

/** Times are epoch milliseconds; the count is shared by every process through `State`. */
export function createAttempts(state: State, rule: AttemptRule): Attempts {
  const waitAfter = (count: number): number => {
    const paid = count - rule.free;
    return paid > 0 ? Math.min(rule.firstWaitMs * 2 ** (paid - 1), rule.longestWaitMs) : 0;
  };
  return {
    begin: async (key, now) => {
      for (let race = 0; race < RACE_TRIES; race += 1) {
        const entry = await state.get<Failures>(SPACE, key, now);
        const wait = (entry?.value.notBefore ?? 0) - now;
        if (wait > 0) return wait;
        const count = (entry?.value.count ?? 0) + 1;
        const failures: Failures = { count, notBefore: now + waitAfter(count) };
        const put = await state.put(SPACE, key, failures, now, {
          if: entry?.version ?? 'absent',
          expiresAt: now + rule.forgetMs,
        });
        if (put !== null) return 0;
      }
      // So many at once for one key is itself too many.
      return rule.firstWaitMs;
    },
    succeeded: async (key) => {
      await state.delete(SPACE, key);
    },
  };
}
