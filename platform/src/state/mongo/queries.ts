import type { Filter } from 'mongodb';
import { afterPrefix } from '../prefix.js';

/** How an entry lies in MongoDB. */
export interface StateRow {
  /** Space and key in one text. */
  readonly _id: string;
  readonly space: string;
  readonly key: string;
  /** JSON: it comes back as it went in, whatever BSON thinks of its text and its names. */
  readonly value: string;
  readonly version: number;
  /** Epoch milliseconds, or null: never. */
  readonly expiresAt: number | null;
  /** The same for MongoDB's own clock, which only clears away what no sweep came for. */
  readonly purgeAt: Date | null;
}

/** @throws TypeError for what is no text: it would ask for something else. */
export function idOf(space: string, key: string): string {
  if (typeof space !== 'string' || typeof key !== 'string') {
    throw new TypeError('A space and a key are texts');
  }
  return JSON.stringify([space, key]);
}

const aliveAt = (now: number): Filter<StateRow> => ({
  $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
});

export const expiredAt = (now: number): Filter<StateRow> => ({ expiresAt: { $lte: now } });

export function liveEntry(space: string, key: string, now: number): Filter<StateRow> {
  return { _id: idOf(space, key), ...aliveAt(now) };
}

/**
 * The entry that a put may write to. Where 'absent' meets a live one, nothing matches, and making it
 * fails for its id.
 */
export function writable(
  space: string,
  key: string,
  now: number,
  condition: 'absent' | number | undefined,
): Filter<StateRow> {
  if (condition === undefined) return { _id: idOf(space, key) };
  if (condition === 'absent') return { _id: idOf(space, key), ...expiredAt(now) };
  return { ...liveEntry(space, key, now), version: condition };
}

/** Keys that begin with the prefix, as a range of the index by space and key. */
export function listed(
  space: string,
  prefix: string,
  now: number,
  after: string | undefined,
): Filter<StateRow> {
  idOf(space, prefix);
  const end = afterPrefix(prefix);
  return {
    $and: [
      { space, key: { $gte: prefix } },
      ...(end === null ? [] : [{ key: { $lt: end } }]),
      ...(after === undefined ? [] : [{ key: { $gt: after } }]),
      aliveAt(now),
    ],
  };
}
