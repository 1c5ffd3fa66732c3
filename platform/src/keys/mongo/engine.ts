import type { Db } from 'mongodb';
import {
  isDuplicate,
  type MongoOptions,
  openDatabase,
  orUnavailable,
  prepared,
  readLimits,
} from '../../mongo/connection.js';
import { KEPT_KEYS_PAGE, type KeptKey, KeyDestroyed, type Keys } from '../port.js';
import {
  checkKept,
  createWrapping,
  type RewrappedKey,
  rewrapPages,
  underMasterKey,
  type Wrapping,
} from '../wrapping.js';

export interface MongoKeysOptions extends MongoOptions {
  /** 32 bytes, decoded from KEYS_MASTER_KEY. Never written anywhere. */
  readonly masterKey: Buffer;
  /** The previous or next master key during a rotation. It unwraps keys but never wraps them. */
  readonly fallback?: Buffer | null;
}

/** One document per subject, so that creating and destroying a key are single writes to it. */
interface KeyRow {
  /** The subject. */
  readonly _id: string;
  /** The key wrapped under the master key, in base64; null when destroyed. */
  readonly wrapped: string | null;
}

/** A probe of each master key that keys may be wrapped under; during a rotation there are two. */
interface Probe {
  readonly _id: 'probe' | 'incoming';
  readonly probe: string;
}

/** When two callers create the same document, the second gets a duplicate-key error and finds it on its next try. */
const maxTries = 5;

async function retryDuplicates<T>(work: () => Promise<T>): Promise<T> {
  for (let left = maxTries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDuplicate(error) || left <= 1) throw error;
    }
  }
}

/** @throws TypeError when it is not text: an object would be a query. */
function checked(subject: string): string {
  if (typeof subject !== 'string') throw new TypeError('A subject is a text');
  return subject;
}

/** The stored probes, by which processes recognise the master keys in use. */
interface Probes {
  /**
   * 'store': stores ours if there is none yet; 'look' makes nothing. @throws WrongMasterKey when one was made with
   * another master key.
   */
  verify(mode: 'store' | 'look'): Promise<void>;
  /** Registers a new master key before it wraps anything. From then on, processes without it are refused. */
  addOwn(): Promise<void>;
  /** Makes ours the only master key in use: the keys that others wrapped are rewrapped by now. */
  keepOnlyOwn(): Promise<void>;
}

function createProbes(db: Db, wrapping: Wrapping): Probes {
  const rows = db.collection<Probe>('probes');
  const own = () => wrapping.probe().toString('base64');

  /** Stores our probe unless there is one already. */
  async function remember(_id: Probe['_id']): Promise<void> {
    const probe = own();
    await retryDuplicates(() =>
      rows.updateOne({ _id }, { $setOnInsert: { probe } }, { upsert: true }),
    );
  }

  let isKnown = false;
  return {
    async verify(mode) {
      if (mode === 'store') await orUnavailable(() => remember('probe'));
      const found = await orUnavailable(() => rows.find({}, readLimits).toArray());
      const stored = found.map(({ probe }) => Buffer.from(probe, 'base64'));
      for (const each of stored) wrapping.verify(each);
      isKnown = stored.some(wrapping.isOwn);
    },
    async addOwn() {
      if (!isKnown) await orUnavailable(() => remember('incoming'));
      isKnown = true;
    },
    async keepOnlyOwn() {
      const probe = own();
      // In this order, so that every master key in use has a probe at all times.
      await orUnavailable(() => rows.updateOne({ _id: 'probe' }, { $set: { probe } }));
      await orUnavailable(() => rows.deleteOne({ _id: 'incoming' }));
    },
  };
}

/**
 * Keys in a MongoDB replica set, in the database that the address names, with `_keys` after its name. A destroyed key
 * is gone from the database at once. Its old bytes, wrapped under the master key, stay in the members' oplog and journal
 * until these wrap around, and in their backups.
 * @throws StoreUnavailable when no server answers, or it is not a replica set; WrongMasterKey; RangeError for a master
 * key that is not 32 bytes.
 */
export async function openMongoKeys(options: MongoKeysOptions): Promise<Keys> {
  const wrapping = createWrapping(options.masterKey, options.fallback);
  const { db, close } = await openDatabase(options, '_keys');
  const rows = db.collection<KeyRow>('keys');
  const probes = createProbes(db, wrapping);
  await prepared(close, () => probes.verify(options.createsNothing ? 'look' : 'store'));

  async function page(after: string | null, limit = KEPT_KEYS_PAGE): Promise<readonly KeptKey[]> {
    const filter = after === null ? {} : { _id: { $gt: checked(after) } };
    const found = await orUnavailable(() =>
      rows.find(filter, { sort: { _id: 1 }, limit, ...readLimits }).toArray(),
    );
    return found.map(({ _id: subject, wrapped }) => ({ subject, wrapped }));
  }

  async function replace(keys: readonly RewrappedKey[]): Promise<void> {
    const writes = keys.map(({ subject, from, to }) => ({
      updateOne: { filter: { _id: subject, wrapped: from }, update: { $set: { wrapped: to } } },
    }));
    await orUnavailable(() => rows.bulkWrite(writes, { ordered: false }));
  }

  const unwrapped = ({ _id, wrapped }: KeyRow): Buffer | null =>
    wrapped === null ? null : wrapping.unwrap(_id, Buffer.from(wrapped, 'base64'));

  async function findMany(subjects: readonly string[]): Promise<readonly (Buffer | null)[]> {
    const wanted = subjects.map(checked);
    const found = await orUnavailable(() =>
      rows.find({ _id: { $in: wanted } }, readLimits).toArray(),
    );
    const bySubject = new Map(found.map((row) => [row._id, unwrapped(row)]));
    return wanted.map((subject) => bySubject.get(subject) ?? null);
  }

  async function find(subject: string): Promise<Buffer | null> {
    return (await findMany([subject]))[0] ?? null;
  }

  // Not findOneAndUpdate: for retries, MongoDB would keep a copy of the document that it found.
  async function destroy(subject: string): Promise<boolean> {
    const { modifiedCount } = await orUnavailable(() =>
      retryDuplicates(() =>
        rows.updateOne({ _id: checked(subject) }, { $set: { wrapped: null } }, { upsert: true }),
      ),
    );
    return modifiedCount > 0;
  }

  return {
    find,
    findMany,

    async obtain(subject) {
      const known = await find(subject);
      if (known) return known;
      await probes.addOwn();
      const wrapped = wrapping.make(subject).toString('base64');
      await orUnavailable(() =>
        retryDuplicates(() =>
          rows.updateOne({ _id: subject }, { $setOnInsert: { wrapped } }, { upsert: true }),
        ),
      );
      const key = await find(subject);
      if (!key) throw new KeyDestroyed(subject);
      return key;
    },

    destroy,

    async isDestroyed(subject) {
      const row = await orUnavailable(() => rows.findOne({ _id: checked(subject) }, readLimits));
      return row !== null && row.wrapped === null;
    },

    async rewrap(options = {}) {
      if (!options.dryRun) await probes.addOwn();
      const done = await rewrapPages(wrapping, { page, replace }, options);
      if (!options.dryRun) await probes.keepOnlyOwn();
      return { ...done, lingers: false };
    },

    async kept(after, limit) {
      return (await page(after, limit)).map((kept) => underMasterKey(wrapping, kept));
    },

    async adopt(kept) {
      const here = await findMany(kept.map(({ subject }) => subject));
      const keyOf = new Map(kept.map(({ subject }, i) => [subject, here[i] ?? null]));
      checkKept(wrapping, kept, (subject) => keyOf.get(subject) ?? null);
      if (kept.length === 0) return;
      await probes.addOwn();
      const own = kept.map((each) => underMasterKey(wrapping, each));
      const writes = own.map(({ subject, wrapped }) => ({
        updateOne: {
          filter: { _id: subject },
          update: wrapped === null ? { $set: { wrapped } } : { $setOnInsert: { wrapped } },
          upsert: true,
        },
      }));
      await orUnavailable(() => retryDuplicates(() => rows.bulkWrite(writes, { ordered: false })));
    },

    close,
  };
}
