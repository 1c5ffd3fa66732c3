import { randomInt } from 'node:crypto';
import type { Collection, Filter } from 'mongodb';
import { type JsonObject, jsonText } from '../../eventstore/port.js';
import {
  ensureTtlIndex,
  isDuplicate,
  type MongoOptions,
  openDatabase,
  orUnavailable,
  prepared,
  readLimits,
} from '../../mongo/connection.js';
import { afterPrefix, type State, type StateEntry } from '../port.js';

/** An entry as stored in MongoDB. */
interface StateRow {
  /** Space and key as one JSON text. */
  readonly _id: string;
  readonly space: string;
  readonly key: string;
  /** JSON text, because BSON restricts names and texts and would not return every value unchanged. */
  readonly value: string;
  readonly version: number;
  /** Epoch milliseconds; null when it never expires. */
  readonly expiresAt: number | null;
  /** The same time as a date, for MongoDB's TTL index, which only removes what no sweep has removed. */
  readonly purgeAt: Date | null;
}

/** @throws TypeError when it is not text: an object would be a query. */
function idOf(space: string, key: string): string {
  if (typeof space !== 'string' || typeof key !== 'string') {
    throw new TypeError('A space and a key are texts');
  }
  return JSON.stringify([space, key]);
}

const aliveAt = (now: number): Filter<StateRow> => ({
  $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
});

const expiredAt = (now: number): Filter<StateRow> => ({ expiresAt: { $lte: now } });

function liveEntry(space: string, key: string, now: number): Filter<StateRow> {
  return { _id: idOf(space, key), ...aliveAt(now) };
}

/**
 * Matches the entry that a put may write to. If 'absent' meets a live entry, nothing matches, and the
 * insert fails with a duplicate id.
 */
function writable(
  space: string,
  key: string,
  now: number,
  condition: 'absent' | number | undefined,
): Filter<StateRow> {
  if (condition === undefined) return { _id: idOf(space, key) };
  if (condition === 'absent') return { _id: idOf(space, key), ...expiredAt(now) };
  return { ...liveEntry(space, key, now), version: condition };
}

/** Matches keys that start with the prefix, as a range of the index by space and key. */
function listed(
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

const defaultListLimit = 1_000;

/** MongoDB itself removes entries that expired this long ago, in seconds; far more than clocks differ. */
const purgeAfter = 86_400;

/** When two puts create the same entry, the second gets a duplicate-key error and finds it on its next try. */
const tries = 5;

/** Versions stay safe integers until 2248. */
const versionsPerMs = 1_024;

/**
 * Versions come from the clock, so that puts share no counter; a recreated entry gets no earlier version.
 * Versions of one writer, and of writers that have read the entry, grow even if clocks disagree.
 */
function createVersions(): (before: number) => number {
  let last = 0;
  return (before) => {
    const now = Date.now() * versionsPerMs + randomInt(versionsPerMs);
    last = Math.max(now, before + 1, last + 1);
    return last;
  };
}

/** Makes the indexes that are missing. */
async function makeIndexes(rows: Collection<StateRow>): Promise<void> {
  await rows.createIndexes([
    { name: 'by-key', key: new Map([['space', 1] as const, ['key', 1] as const]) },
    { name: 'by-expiry', key: { expiresAt: 1 } },
  ]);
  await ensureTtlIndex(rows, 'purge', 'purgeAt', purgeAfter);
}

/**
 * State in a MongoDB replica set, in the database that the address names, with `_state` after its name.
 * @throws StoreUnavailable when no server answers, or it is not a replica set.
 */
export async function openMongoState(options: MongoOptions): Promise<State> {
  const { db, close } = await openDatabase(options, '_state');
  const rows = db.collection<StateRow>('entries');
  const nextVersion = createVersions();
  if (!options.createsNothing) await prepared(close, () => orUnavailable(() => makeIndexes(rows)));

  return {
    get: async <V extends JsonObject>(space: string, key: string, now: number) => {
      const row = await orUnavailable(() => rows.findOne(liveEntry(space, key, now), readLimits));
      return row ? entryOf<V>(row) : null;
    },

    async put(space, key, value, now, { if: condition, expiresAt = null } = {}) {
      const text = jsonText(value, 'value');
      const filter = writable(space, key, now, condition);
      const isRead = typeof condition === 'number';
      const version = nextVersion(isRead ? condition : 0);
      const purgeAt = expiresAt === null ? null : new Date(expiresAt);
      const update = { $set: { space, key, value: text, version, expiresAt, purgeAt } };
      const write = async (left: number): Promise<number | null> => {
        try {
          const options = { upsert: !isRead };
          const { matchedCount, upsertedCount } = await rows.updateOne(filter, update, options);
          return matchedCount + upsertedCount > 0 ? version : null;
        } catch (error) {
          if (!isDuplicate(error)) throw error;
          if (condition === 'absent') return null;
          if (left <= 1) throw error;
          return write(left - 1);
        }
      };
      return orUnavailable(() => write(tries));
    },

    async delete(space, key, version) {
      const filter = { _id: idOf(space, key), ...(version === undefined ? {} : { version }) };
      const { deletedCount } = await orUnavailable(() => rows.deleteOne(filter));
      return deletedCount > 0;
    },

    list: async <V extends JsonObject>(
      space: string,
      prefix: string,
      now: number,
      {
        limit = defaultListLimit,
        after,
      }: { readonly limit?: number; readonly after?: string } = {},
    ) => {
      const filter = listed(space, prefix, now, after);
      const found = await orUnavailable(() =>
        rows.find(filter, { sort: { key: 1 }, limit, ...readLimits }).toArray(),
      );
      return found.map((row) => entryOf<V>(row));
    },

    async spaces() {
      const spaces = await orUnavailable(() => rows.distinct('space', {}, readLimits));
      return spaces.sort();
    },

    async sweep(now) {
      const { deletedCount } = await orUnavailable(() => rows.deleteMany(expiredAt(now)));
      return deletedCount;
    },

    close,
  };
}

function entryOf<V extends JsonObject>({
  key,
  value,
  version,
  expiresAt,
}: StateRow): StateEntry<V> {
  return { key, value: JSON.parse(value), version, expiresAt };
}
