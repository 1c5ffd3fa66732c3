import type { JsonObject } from '../eventstore/port.js';

export interface StateEntry<V extends JsonObject = JsonObject> {
  readonly key: string;
  readonly value: V;
  /** Grows with each put; given back to `put` or `delete` to say "if nobody changed it". */
  readonly version: number;
  /** Epoch milliseconds, or null: never. */
  readonly expiresAt: number | null;
}

export interface PutOptions {
  /** 'absent': only if there is none (an expired one is none); a number: only at that version. */
  readonly if?: 'absent' | number;
  readonly expiresAt?: number | null;
  /**
   * False: a power cut may take it back, but no death of a process. For what is done anew then, such as the claim of a
   * request that is under way. Default: true.
   */
  readonly durable?: boolean;
}

/**
 * What is neither an event nor a read model: sessions, password hashes, idempotency answers, rate
 * limits, leases, upload bookkeeping. Not rebuildable; backed up with the log. Time is the caller's:
 * `now` in epoch milliseconds decides what has expired. Contract: `platform/test/contracts/state.ts`.
 */
export interface State {
  get<V extends JsonObject = JsonObject>(
    space: string,
    key: string,
    now: number,
  ): Promise<StateEntry<V> | null>;
  /** The new version, or null when the condition did not hold. Durable when it resolves, unless it need not be. */
  put(
    space: string,
    key: string,
    value: JsonObject,
    now: number,
    options?: PutOptions,
  ): Promise<number | null>;
  /** Whether something was deleted; with `version`, only at that version. */
  delete(space: string, key: string, version?: number): Promise<boolean>;
  /** Entries whose key starts with the prefix, by key, at most `limit` (default 1,000), after `after`. */
  list<V extends JsonObject = JsonObject>(
    space: string,
    prefix: string,
    now: number,
    options?: { readonly limit?: number; readonly after?: string },
  ): Promise<readonly StateEntry<V>[]>;
  /** The spaces that hold anything, expired or not, in order: for whoever takes all of it elsewhere. */
  spaces(): Promise<readonly string[]>;
  /** Deletes what has expired; answers how many. Called with every sweep of the market: nobody else does. */
  sweep(now: number): Promise<number>;
  close(): Promise<void>;
}

const lastCodePoint = 0x10ffff;
const beforeSurrogates = 0xd7ff;
const afterSurrogates = 0xe000;

/**
 * The first text, in the order of code points, after every text that starts with the prefix; null
 * when there is none. So that a prefix is a range of an index.
 */
export function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (letter) => letter.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === lastCodePoint) continue;
    const next = last === beforeSurrogates ? afterSurrogates : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return null;
}
