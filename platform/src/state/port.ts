import type { JsonObject } from '../eventstore/port.js';

export interface StateEntry<V extends JsonObject = JsonObject> {
  readonly key: string;
  readonly value: V;
  /** Grows with each put. Pass it to `put` or `delete` for a write that succeeds only if nobody changed the entry. */
  readonly version: number;
  /** Epoch milliseconds; null when it never expires. */
  readonly expiresAt: number | null;
}

export interface PutOptions {
  /** 'absent': only if there is no entry (an expired one does not count). A number: only at that version. */
  readonly if?: 'absent' | number;
  readonly expiresAt?: number | null;
  /**
   * False: a power cut may undo the write, but a crash of the process does not. For writes that can be
   * redone, such as the claim of a running request. Default: true.
   */
  readonly durable?: boolean;
}

/**
 * Data that is neither an event nor a read model: sessions, password hashes, idempotency answers, rate
 * limits, leases, records of uploads. It cannot be rebuilt and is backed up with the log. The caller
 * passes the time: `now` in epoch milliseconds decides what has expired. Contract:
 * `platform/test/contracts/state.ts`.
 */
export interface State {
  get<V extends JsonObject = JsonObject>(
    space: string,
    key: string,
    now: number,
  ): Promise<StateEntry<V> | null>;
  /**
   * Writes an entry and returns its new version, or null when the condition did not hold. On disk when it
   * resolves, unless `durable` is false.
   */
  put(
    space: string,
    key: string,
    value: JsonObject,
    now: number,
    options?: PutOptions,
  ): Promise<number | null>;
  /** Returns whether something was deleted. With `version`, deletes only that version. */
  delete(space: string, key: string, version?: number): Promise<boolean>;
  /** Entries whose key starts with the prefix, by key, at most `limit` (default 1,000), after the key `after`. */
  list<V extends JsonObject = JsonObject>(
    space: string,
    prefix: string,
    now: number,
    options?: { readonly limit?: number; readonly after?: string },
  ): Promise<readonly StateEntry<V>[]>;
  /** All spaces with entries, expired or not, sorted; for moving a market. */
  spaces(): Promise<readonly string[]>;
  /** Deletes expired entries and returns how many. Only the market's regular sweep calls this. */
  sweep(now: number): Promise<number>;
  close(): Promise<void>;
}

const lastCodePoint = 0x10ffff;
const beforeSurrogates = 0xd7ff;
const afterSurrogates = 0xe000;

/**
 * The first text, by code point, after every text that starts with the prefix; null when there is none.
 * It makes a prefix a range of an index.
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
