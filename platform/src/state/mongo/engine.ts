import { randomInt } from 'node:crypto';
import type { Filter } from 'mongodb';
import type { JsonObject } from '../../eventstore/port.js';
import { jsonText } from '../../eventstore/validate.js';
import {
  asked,
  type ConnectMongo,
  connectMongo,
  expireBy,
  isDuplicate,
  patiently,
} from '../../mongo/connection.js';
import { afterPrefix, type State, type StateEntry } from '../port.js';

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

export interface MongoStateOptions {
  /** `mongodb://` or `mongodb+srv://`; the database is the one it names, or `oja`, with `_state`. */
  readonly url: string;
  readonly connect?: ConnectMongo;
}

const defaultListLimit = 1_000;

/** MongoDB removes what expired so long ago by itself, in seconds; clocks may differ by less. */
const purgeAfter = 86_400;

/** Two puts that both make an entry: the second finds it when it tries again. */
const tries = 5;

/** Safe integers until 2248. */
const versionsPerMs = 1_024;

/**
 * By the clock, so that puts need no count that all of them write to: an entry that was deleted and made again has no
 * version that it had before. Those of one writer, and of writers who have read the entry, grow whatever clocks say.
 */
function createVersions(): (before: number) => number {
  let last = 0;
  return (before) => {
    const now = Date.now() * versionsPerMs + randomInt(versionsPerMs);
    last = Math.max(now, before + 1, last + 1);
    return last;
  };
}

/** @throws StoreUnavailable when MongoDB cannot be used. */
export async function openMongoState(options: MongoStateOptions): Promise<State> {
  const { client, name, close } = await (options.connect ?? connectMongo)(options.url);
  const db = client.db(`${name}_state`);
  const rows = db.collection<StateRow>('entries');
  const nextVersion = createVersions();
  await asked(async () => {
    await rows.createIndexes([
      { name: 'by-key', key: new Map([['space', 1] as const, ['key', 1] as const]) },
      { name: 'by-expiry', key: { expiresAt: 1 } },
    ]);
    await expireBy(rows, 'purge', 'purgeAt', purgeAfter);
  });

  return {
    get: async <V extends JsonObject>(space: string, key: string, now: number) => {
      const row = await asked(() => rows.findOne(liveEntry(space, key, now), patiently));
      return row ? entryOf<V>(row) : null;
    },

    async put(space, key, value, now, { if: condition, expiresAt = null } = {}) {
      const text = jsonText(value, 'value');
      const filter = writable(space, key, now, condition);
      const isRead = typeof condition === 'number';
      const version = nextVersion(isRead ? condition : 0);
      const purgeAt = expiresAt === null ? null : new Date(expiresAt);
      const update = { $set: { space, key, value: text, version, expiresAt, purgeAt } };
      return asked(async () => {
        for (let left = tries; ; left -= 1) {
          try {
            const { matchedCount, upsertedCount } = await rows.updateOne(filter, update, {
              upsert: !isRead,
            });
            return matchedCount + upsertedCount > 0 ? version : null;
          } catch (error) {
            if (!isDuplicate(error)) throw error;
            if (condition === 'absent') return null;
            if (left <= 1) throw error;
          }
        }
      });
    },

    async delete(space, key, version) {
      const filter = { _id: idOf(space, key), ...(version === undefined ? {} : { version }) };
      const { deletedCount } = await asked(() => rows.deleteOne(filter));
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
      const found = await asked(() =>
        rows.find(filter, { sort: { key: 1 }, limit, ...patiently }).toArray(),
      );
      return found.map((row) => entryOf<V>(row));
    },

    async spaces() {
      const spaces = await asked(() => rows.distinct('space', {}, patiently));
      return spaces.sort();
    },

    async sweep(now) {
      const { deletedCount } = await asked(() => rows.deleteMany(expiredAt(now)));
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
