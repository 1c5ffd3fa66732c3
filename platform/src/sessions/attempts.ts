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
  /** Milliseconds to wait before the next try; 0: go on. */
  waitMs(key: string, now: number): Promise<number>;
  failed(key: string, now: number): Promise<void>;
  succeeded(key: string): Promise<void>;
}

const SPACE = 'attempts';

/** Times are epoch milliseconds; the count is shared by every process through `State`. */
export function createAttempts(state: State, rule: AttemptRule): Attempts {
  return {
    waitMs: async (key, now) => {
      const entry = await state.get<Failures>(SPACE, key, now);
      return entry ? Math.max(0, entry.value.notBefore - now) : 0;
    },
    failed: async (key, now) => {
      const entry = await state.get<Failures>(SPACE, key, now);
      const count = (entry?.value.count ?? 0) + 1;
      const paid = count - rule.free;
      const wait = paid > 0 ? Math.min(rule.firstWaitMs * 2 ** (paid - 1), rule.longestWaitMs) : 0;
      await state.put(SPACE, key, { count, notBefore: now + wait }, now, {
        expiresAt: now + rule.forgetMs,
      });
    },
    succeeded: async (key) => {
      await state.delete(SPACE, key);
    },
  };
}
