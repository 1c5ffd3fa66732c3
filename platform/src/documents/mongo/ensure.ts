import type { Collection, Db } from 'mongodb';
import { hasCode, isDuplicate } from '../../mongo/asked.js';
import type { CollectionSpec } from '../port.js';
import { shapeOf, unionOf } from '../shape.js';
import { type Entry, entryOf, type Known } from './entry.js';
import { indexesOf } from './indexes.js';
import type { Specs } from './specs.js';

const namespaceExists = 48;
const fillAtOnce = 500;

async function makeCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    if (!hasCode(error, namespaceExists)) throw error;
  }
}

/**
 * Makes what a spec declares and nobody has made yet. Indexes are there before they are published, so
 * that no query counts on one that is not; of two processes the second finds what the first published.
 */
export async function ensureCollection(db: Db, specs: Specs, spec: CollectionSpec): Promise<void> {
  const { name } = spec;
  for (;;) {
    const known = await specs.read(name);
    const before = known?.shape.indexes ?? [];
    const indexes = unionOf(before, spec.indexes);
    if (known && indexes.length === before.length) return;
    const shape = shapeOf({ name, indexes });
    await makeCollection(db, name);
    const wanted = indexesOf(shape);
    const collection = db.collection<Entry>(name);
    if (wanted.length > 0) await collection.createIndexes(wanted);
    const version = (known?.version ?? 0) + 1;
    if (!(await publish(specs, { shape, version }))) continue;
    if (known) await fill(collection, { shape, version });
    return;
  }
}

/** Whether nobody else did in the meantime. */
async function publish({ rows }: Specs, { shape, version }: Known): Promise<boolean> {
  const { name, indexes } = shape;
  try {
    if (version === 1) {
      await rows.insertOne({ _id: name, indexes, version });
      return true;
    }
    const moved = await rows.updateOne(
      { _id: name, version: version - 1 },
      { $set: { indexes, version } },
    );
    return moved.matchedCount === 1;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Writes what the new indexes need beside the documents that are there; what changes meanwhile has it. */
async function fill(collection: Collection<Entry>, known: Known): Promise<void> {
  for (;;) {
    const old = await collection
      .find({ version: { $ne: known.version } }, { limit: fillAtOnce })
      .toArray();
    if (old.length === 0) return;
    await collection.bulkWrite(
      old.map(({ _id, json }) => {
        const { f, l, w, version } = entryOf(known, _id, json);
        return { updateOne: { filter: { _id, json }, update: { $set: { f, l, w, version } } } };
      }),
      { ordered: false },
    );
  }
}
