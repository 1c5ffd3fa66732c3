import type { State } from '@oja/platform';

const SPACE = 'rate-limit';
const RACE_TRIES = 8;

export interface RateRule {
  /** Names the count; rules of one name share it. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

type RateAnswer =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  /** Counts one more for `key` (an address block, a name) at `now` in epoch milliseconds. */
  hit(rule: RateRule, key: string, now: number): Promise<RateAnswer>;
  /** Takes one back that turned out not to be one of those the rule is about. */
  giveBack(rule: RateRule, key: string, now: number): Promise<void>;
}

/** How many keys one process remembers; more at once is an attack from as many networks. */
const MOST_KEYS = 50_000;

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
          durable: false,
        });
        if (put !== null) return { allowed: true, remaining: rule.limit - next.count };
      }
      // So many at once for one key is itself too many.
      return { allowed: false, retryAfterSeconds: 1 };
    },

    async giveBack(rule, key, now) {
      const id = `${rule.name}/${key}`;
      for (let attempt = 0; attempt < RACE_TRIES; attempt += 1) {
        const entry = await state.get<Window>(SPACE, id, now);
        if (entry === null || entry.value.count === 0) return;
        const next: Window = { ...entry.value, count: entry.value.count - 1 };
        const only = { if: entry.version, expiresAt: next.resetAt, durable: false };
        if ((await state.put(SPACE, id, next, now, only)) !== null) return;
      }
    },
  };
}

/**
 * The same counts in this process alone, for calls that only read: a write for each would cost more than it
 * saves. With several copies behind an edge each counts by itself, and a restart forgets.
 */
export function createLocalRateLimiter(): RateLimiter {
  const windows = new Map<string, Window>();

  /** The keys whose window has passed; where that is not enough, those that began first. */
  function forget(now: number): void {
    for (const [id, { resetAt }] of windows) if (resetAt <= now) windows.delete(id);
    for (const id of windows.keys()) {
      if (windows.size < MOST_KEYS) break;
      windows.delete(id);
    }
  }

  return {
    async hit(rule, key, now) {
      const id = `${rule.name}/${key}`;
      const known = windows.get(id);
      const { count, resetAt } =
        known !== undefined && known.resetAt > now
          ? known
          : { count: 0, resetAt: now + rule.windowMs };
      if (count >= rule.limit) {
        const retryAfterSeconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
        return { allowed: false, retryAfterSeconds };
      }
      if (known === undefined && windows.size >= MOST_KEYS) forget(now);
      windows.set(id, { count: count + 1, resetAt });
      return { allowed: true, remaining: rule.limit - count - 1 };
    },
    async giveBack(rule, key) {
      const id = `${rule.name}/${key}`;
      const known = windows.get(id);
      if (known) windows.set(id, { ...known, count: Math.max(0, known.count - 1) });
    },
  };
}
