import { isWithinAllowingSkew, type State } from '@oja/platform';

const SPACE = 'rate-limit';
const RACE_TRIES = 8;

export interface RateRule {
  /** Identifies the counter. Rules with the same name share it. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Whose requests a call's rule counts: those of an address (the default), or of the signed-in person. */
  readonly per?: 'address' | 'person';
  /** What was refused or failed does not count. */
  readonly countsOnlyDone?: true;
}

type RateAnswer =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  /** Counts one hit for `key` (an address block, a person or a name). `now` is in epoch milliseconds. */
  hit(rule: RateRule, key: string, now: number): Promise<RateAnswer>;
  /** Takes back a hit that turned out not to fall under the rule. */
  giveBack(rule: RateRule, key: string, now: number): Promise<void>;
  /** How long until a hit would be allowed, in seconds; 0 when it is now. Counts nothing. */
  waitFor(rule: RateRule, key: string, now: number): Promise<number>;
}

/** How many keys one process keeps. More at once means an attack from as many networks. */
const MAX_KEYS = 50_000;
/** How many are left when there were as many as that: looking for some to drop reads them all, so it is rare. */
const KEYS_AFTER_PURGE = MAX_KEYS * 0.9;

type Window = { readonly count: number; readonly resetAt: number };

const isOpen = ({ resetAt }: Window, { windowMs }: RateRule, now: number): boolean =>
  isWithinAllowingSkew(windowMs, resetAt - windowMs, now);

/** The window to count in: the known one while it is open, else a new one. */
const currentWindow = (known: Window | undefined, rule: RateRule, now: number): Window =>
  known && isOpen(known, rule, now) ? known : { count: 0, resetAt: now + rule.windowMs };

const secondsUntil = (resetAt: number, now: number): number =>
  Math.max(1, Math.ceil((resetAt - now) / 1000));

/** How long a hit in this window would have to wait, in seconds; 0 when it would be allowed. */
function secondsToWait(known: Window | undefined, rule: RateRule, now: number): number {
  const { count, resetAt } = currentWindow(known, rule, now);
  return count >= rule.limit ? secondsUntil(resetAt, now) : 0;
}

/**
 * Creates a rate limiter with fixed windows. A window opens with its first hit, so a rule of one in 30 s
 * means exactly that. The counts are in `State`: all processes share them, and they survive a restart.
 */
export function createRateLimiter(state: State): RateLimiter {
  return {
    async hit(rule, key, now) {
      const id = `${rule.name}/${key}`;
      for (let attempt = 0; attempt < RACE_TRIES; attempt += 1) {
        const entry = await state.get<Window>(SPACE, id, now);
        const { count, resetAt } = currentWindow(entry?.value, rule, now);
        if (count >= rule.limit)
          return { allowed: false, retryAfterSeconds: secondsUntil(resetAt, now) };
        const next: Window = { count: count + 1, resetAt };
        const put = await state.put(SPACE, id, next, now, {
          if: entry?.version ?? 'absent',
          expiresAt: resetAt,
          durable: false,
        });
        if (put !== null) return { allowed: true };
      }
      // So many concurrent hits for one key are too many in any case.
      return { allowed: false, retryAfterSeconds: 1 };
    },

    async giveBack(rule, key, now) {
      const id = `${rule.name}/${key}`;
      for (let attempt = 0; attempt < RACE_TRIES; attempt += 1) {
        const entry = await state.get<Window>(SPACE, id, now);
        if (entry === null || entry.value.count === 0 || !isOpen(entry.value, rule, now)) return;
        const next: Window = { ...entry.value, count: entry.value.count - 1 };
        const only = { if: entry.version, expiresAt: next.resetAt, durable: false };
        if ((await state.put(SPACE, id, next, now, only)) !== null) return;
      }
    },

    async waitFor(rule, key, now) {
      const entry = await state.get<Window>(SPACE, `${rule.name}/${key}`, now);
      return secondsToWait(entry?.value, rule, now);
    },
  };
}

/**
 * The same limiter with counts in this process's memory, for calls that only read: a write to State for
 * each would cost more than it saves. With several processes, each counts alone, and a restart resets the
 * counts.
 */
export function createLocalRateLimiter(): RateLimiter {
  const windows = new Map<string, Window>();

  /** Drops the keys whose window has passed and, if that is not enough, the oldest ones. */
  function forget(now: number): void {
    for (const [id, { resetAt }] of windows) if (resetAt <= now) windows.delete(id);
    for (const id of windows.keys()) {
      if (windows.size <= KEYS_AFTER_PURGE) break;
      windows.delete(id);
    }
  }

  return {
    async hit(rule, key, now) {
      const id = `${rule.name}/${key}`;
      const known = windows.get(id);
      const { count, resetAt } = currentWindow(known, rule, now);
      if (count >= rule.limit)
        return { allowed: false, retryAfterSeconds: secondsUntil(resetAt, now) };
      if (known === undefined && windows.size >= MAX_KEYS) forget(now);
      windows.set(id, { count: count + 1, resetAt });
      return { allowed: true };
    },
    async giveBack(rule, key) {
      const id = `${rule.name}/${key}`;
      const known = windows.get(id);
      if (known) windows.set(id, { ...known, count: Math.max(0, known.count - 1) });
    },
    async waitFor(rule, key, now) {
      return secondsToWait(windows.get(`${rule.name}/${key}`), rule, now);
    },
  };
}
