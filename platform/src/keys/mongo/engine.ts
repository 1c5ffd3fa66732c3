import { asked, type ConnectMongo, connectMongo, isDuplicate } from '../../mongo/connection.js';
import { checkKept } from '../adopting.js';
import { KeyDestroyed } from '../errors.js';
import { KEPT_KEYS_PAGE, type Keys } from '../port.js';
import { createWrapping } from '../wrapping.js';

export interface MongoKeysOptions {
  /** `mongodb://` or `mongodb+srv://`; the database is the one it names, or `oja`, with `_keys`. */
  readonly url: string;
  /** 32 bytes: what KEYS_MASTER_KEY decodes to. Never written anywhere. */
  readonly masterKey: Buffer;
  readonly connect?: ConnectMongo;
}

/** One document a subject, so that obtaining and destroying are each one write to it. */
interface KeyRow {
  /** The subject. */
  readonly _id: string;
  /** The key under the master key, in base64; null: destroyed. */
  readonly wrapped: string | null;
}

/** Something wrapped by the first process that ever opened the keys. */
interface Probe {
  readonly _id: 'probe';
  readonly probe: string;
}

/** Two that make one document at once: the second finds it when it tries again. */
const tries = 5;

async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDuplicate(error) || left <= 1) throw error;
    }
  }
}

/** @throws TypeError for what is no text: it would ask for something else. */
function checked(subject: string): string {
  if (typeof subject !== 'string') throw new TypeError('A subject is a text');
  return subject;
}

/** @throws StoreUnavailable, WrongMasterKey; RangeError for a master key that is not 32 bytes. */
export async function openMongoKeys(options: MongoKeysOptions): Promise<Keys> {
  const wrapping = createWrapping(options.masterKey);
  const { client, name } = await (options.connect ?? connectMongo)(options.url);
  const db = client.db(`${name}_keys`);
  const rows = db.collection<KeyRow>('keys');
  const probes = db.collection<Probe>('probes');

  /** Leaves what is there. */
  async function remember(): Promise<string> {
    const probe = wrapping.probe().toString('base64');
    await insisting(() =>
      probes.updateOne({ _id: 'probe' }, { $setOnInsert: { probe } }, { upsert: true }),
    );
    return (await probes.findOne({ _id: 'probe' }))?.probe ?? probe;
  }

  try {
    wrapping.verify(Buffer.from(await asked(remember), 'base64'));
  } catch (error) {
    await client.close();
    throw error;
  }

  const unwrapped = ({ _id, wrapped }: KeyRow): Buffer | null =>
    wrapped === null ? null : wrapping.unwrap(_id, Buffer.from(wrapped, 'base64'));

  async function findMany(subjects: readonly string[]): Promise<readonly (Buffer | null)[]> {
    const wanted = subjects.map(checked);
    const found = await asked(() => rows.find({ _id: { $in: wanted } }).toArray());
    const bySubject = new Map(found.map((row) => [row._id, unwrapped(row)]));
    return wanted.map((subject) => bySubject.get(subject) ?? null);
  }

  async function find(subject: string): Promise<Buffer | null> {
    return (await findMany([subject]))[0] ?? null;
  }

  // Not by findOneAndUpdate: to answer the same again MongoDB keeps what that one has found.
  async function destroy(subject: string): Promise<boolean> {
    const { modifiedCount } = await asked(() =>
      insisting(() =>
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
      const wrapped = wrapping.make(subject).toString('base64');
      const row = await asked(() =>
        insisting(() =>
          rows.findOneAndUpdate(
            { _id: subject },
            { $setOnInsert: { wrapped } },
            { upsert: true, returnDocument: 'after' },
          ),
        ),
      );
      const key = row && unwrapped(row);
      if (!key) throw new KeyDestroyed(subject);
      return key;
    },

    destroy,

    async isDestroyed(subject) {
      const row = await asked(() => rows.findOne({ _id: checked(subject) }));
      return row !== null && row.wrapped === null;
    },

    async kept(after, limit = KEPT_KEYS_PAGE) {
      const filter = after === null ? {} : { _id: { $gt: checked(after) } };
      const found = await asked(() => rows.find(filter, { sort: { _id: 1 }, limit }).toArray());
      return found.map(({ _id: subject, wrapped }) => ({ subject, wrapped }));
    },

    async adopt(kept) {
      const here = await findMany(kept.map(({ subject }) => subject));
      const keyOf = new Map(kept.map(({ subject }, i) => [subject, here[i] ?? null]));
      checkKept(wrapping, kept, (subject) => keyOf.get(subject) ?? null);
      if (kept.length === 0) return;
      const writes = kept.map(({ subject, wrapped }) => ({
        updateOne: {
          filter: { _id: subject },
          update: wrapped === null ? { $set: { wrapped } } : { $setOnInsert: { wrapped } },
          upsert: true,
        },
      }));
      await asked(() => insisting(() => rows.bulkWrite(writes, { ordered: false })));
    },

    close: () => client.close(),
  };
}
