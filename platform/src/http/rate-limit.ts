import type { State } from '../state/port.js';

const SPACE = 'rate-limit';
const RACE_TRIES = 8;

export interface RateRule {
  /** Names the count; rules of one name share it. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export type RateAnswer =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  /** Counts one more for `key` (an address block, a name) at `now` in epoch milliseconds. */
  hit(rule: RateRule, key: string, now: number): Promise<RateAnswer>;
}

type Window = { readonly count: number; readonly resetAt: number };

/**
 * A window opens with its first hit, so a rule of one in 30 s means exactly that. The count is in
 * `State`: all processes share it, and a restart does not forget it.
 */
export function createRateLimiter(state: State): RateLimiter {
  return {
    async hit(rule, key, now) {
      const id = `${rule.name}/${key}`;
      for (let attempt = 0; attempt < RACE_TRIES; attempt += 1) {
        const entry = await state.get<Window>(SPACE, id, now);
        const { count, resetAt } = entry?.value ?? { count: 0, resetAt: now + rule.windowMs };
        if (count >= rule.limit) {
          return {
            allowed: false,
            retryAfterSeconds: Math.max(1, Math.ceil((resetAt - now) / 1000)),
          };
        }
        const next: Window = { count: count + 1, resetAt };
        const put = await state.put(SPACE, id, next, now, {
          if: entry?.version ?? 'absent',
          expiresAt: resetAt,
        });
        if (put !== null) return { allowed: true, remaining: rule.limit - next.count };
      }
      // So many at once for one key is itself too many.
      return { allowed: false, retryAfterSeconds: 1 };
    },
  };
}
