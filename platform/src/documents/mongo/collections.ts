import type { ClientSession, Collection, Db, IndexDescription } from 'mongodb';
import { hasCode, isDuplicate } from '../../mongo/connection.js';
import type { CollectionSpec, Index } from '../port.js';
import { type Shape, type SqlIndex, shapeOf, unionOf } from '../shape.js';
import { type Entry, entryOf, type Known } from './entry.js';
import { at, listAt, tokensAt } from './queries.js';

/** The names of the port's collections have no dot. */
const specsName = 'market.collections';

interface SpecRow {
  readonly _id: string;
  readonly indexes: readonly Index[];
  /** One more with every index that was added. */
  readonly version: number;
}

/** What every collection declares, where all processes find it. */
export interface Specs {
  readonly rows: Collection<SpecRow>;
  /** As somebody has published it by now; null: nobody has, or it was dropped. */
  read(name: string): Promise<Known | null>;
  /** Of several; without those that are not there. */
  readMany(names: readonly string[], session: ClientSession): Promise<ReadonlyMap<string, Known>>;
  /** As it was when it was read last; may be old. */
  remembered(name: string): Known | null;
}

export function createSpecs(db: Db): Specs {
  const rows = db.collection<SpecRow>(specsName);
  const memory = new Map<string, Known>();

  function knownOf({ _id: name, indexes, version }: SpecRow): Known {
    const old = memory.get(name);
    if (old?.version === version) return old;
    const known = { shape: shapeOf({ name, indexes }), version };
    memory.set(name, known);
    return known;
  }

  return {
    rows,
    async read(name) {
      const row = await rows.findOne({ _id: name });
      if (row) return knownOf(row);
      memory.delete(name);
      return null;
    },
    async readMany(names, session) {
      const found = await rows.find({ _id: { $in: [...names] } }, { session }).toArray();
      return new Map(found.map((row) => [row._id, knownOf(row)]));
    },
    remembered: (name) => memory.get(name) ?? null,
  };
}

/** MongoDB's indexes for what a collection declares; the one by id is there anyway. */
function indexesOf(shape: Shape): IndexDescription[] {
  const ordered = shape.sqlIndexes
    .filter(({ fields, by }) => fields.length + by.length > 0)
    .flatMap(({ bothWays, ...index }) => {
      // Read backwards, an index has the ids backwards too; only a second one has them as they are due.
      const orders = bothWays ? (['asc', 'desc'] as const) : [index.order];
      return orders.map((way) => orderedIndex(index, way));
    });
  return [
    ...ordered,
    ...shape.multikey.map((field) => ({
      name: `list-${field}`,
      key: { [listAt(field)]: 1 as const },
    })),
    ...shape.words.map((field) => ({
      name: `words-${field}`,
      key: { [tokensAt(field)]: 1 as const },
    })),
  ];
}

function orderedIndex(
  { fields, by, beside }: Pick<SqlIndex, 'fields' | 'by' | 'beside'>,
  order: 'asc' | 'desc',
): IndexDescription {
  const key: [string, 1 | -1][] = [
    ...fields.map((field): [string, 1] => [at(field), 1]),
    ...by.map((field): [string, 1 | -1] => [at(field), order === 'asc' ? 1 : -1]),
    ['_id', 1],
    ...beside.map((field): [string, 1] => [at(field), 1]),
  ];
  const ordered = by.map((field) => `${field}.${order}`);
  const name = [...fields, ...ordered, 'id', ...beside].join('-');
  return { name, key: new Map(key) };
}

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
