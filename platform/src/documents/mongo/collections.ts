import { randomBytes } from 'node:crypto';
import type {
  ClientSession,
  Collection,
  Db,
  IndexDescription,
  MongoClient,
  TransactionOptions,
} from 'mongodb';
import { hasCode, isDuplicate, patiently } from '../../mongo/connection.js';
import type { CollectionSpec, Index } from '../port.js';
import { type Shape, type SqlIndex, shapeOf, unionOf, withoutLate } from '../shape.js';
import { nameOf, placeOfCounts, recount } from './counts.js';
import { type Entry, entryOf, type Known, wordsOf } from './entry.js';
import { at, listAt, wordsAt } from './queries.js';
import { createVocabulary, placeOfWords, type Vocabulary } from './vocabulary.js';

/** The names of the port's collections have no dot. */
const specsName = 'market.collections';

interface SpecRow {
  readonly _id: string;
  readonly indexes: readonly Index[];
  /** One more with every index that was added. */
  readonly version: number;
  /**
   * What the collection is called in MongoDB: something else each time it is made, since a transaction that
   * began before a drop makes the dropped one anew. Rows of earlier releases have none: it has the port's name.
   */
  readonly place?: string;
  /** Of what is under way, so that whoever comes next can end it; only what is filled is there for everybody. */
  readonly doing?: 'making' | 'filling' | 'dropping';
  /** Under what its entries have their words. In rows of earlier releases it is not there: theirs had pieces of two letters. */
  readonly layout?: typeof layout;
  /** Since which version entries are counted, by what they are counted by. */
  readonly countedSince?: Readonly<Record<string, number>>;
  /** Nobody reads it yet, and its late indexes are still to be made. */
  readonly loading?: true;
}

/** Collections of another one get their indexes, and their entries are filled anew. */
const layout = 'words in order';

/** What every collection declares, where all processes find it. */
export interface Specs {
  readonly rows: Collection<SpecRow>;
  /** As somebody has published it by now; null: nobody has, or it was dropped. */
  read(name: string): Promise<Known | null>;
  /** Of several; without those that are not there. */
  readMany(names: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, Known>>;
  /** As it was when it was read last, the very same while nothing changes; may be old. */
  remembered(name: string): Known | null;
  /** The one of the collection as it is remembered, if it lies there. */
  vocabularyOf(name: string, place: string): Vocabulary;
}

export function createSpecs(db: Db): Specs {
  const rows = db.collection<SpecRow>(specsName);
  const memory = new Map<string, Known>();

  function vocabularyOf(name: string, place: string): Vocabulary {
    const old = memory.get(name);
    return old?.place === place ? old.vocabulary : createVocabulary(db, place);
  }

  function knownOf(row: SpecRow): Known {
    const { _id: name, indexes, version } = row;
    const place = placeOf(row);
    const countsHold = row.doing !== 'filling';
    const old = memory.get(name);
    const isLoading = row.loading === true;
    const isOld = old?.version === version && old.place === place;
    if (isOld && old.countsHold === countsHold && old.isLoading === isLoading) return old;
    const vocabulary = vocabularyOf(name, place);
    const hasWords = row.layout === layout;
    const countedSince = new Map(Object.entries(row.countedSince ?? {}));
    const declared = shapeOf({ name, indexes });
    const shape = isLoading ? withoutLate(declared) : declared;
    const words = { vocabulary, hasWords };
    const known = { shape, version, place, ...words, countedSince, countsHold, isLoading };
    memory.set(name, known);
    return known;
  }

  async function readMany(names: readonly string[], session?: ClientSession) {
    const found = await rows
      .find({ _id: { $in: [...names] } }, session ? { session } : patiently)
      .toArray();
    const there = found.filter(({ doing }) => doing !== 'making' && doing !== 'dropping');
    const known = new Map(there.map((row) => [row._id, knownOf(row)]));
    for (const name of names) if (!known.has(name)) memory.delete(name);
    return known;
  }

  return {
    rows,
    read: async (name) => (await readMany([name])).get(name) ?? null,
    readMany,
    remembered: (name) => memory.get(name) ?? null,
    vocabularyOf,
  };
}

const placeOf = ({ _id, place }: Pick<SpecRow, '_id' | 'place'>): string => place ?? _id;

/** MongoDB's indexes for what a collection declares; the one by id is there anyway. */
function indexesOf(shape: Shape): IndexDescription[] {
  const ordered = shape.sqlIndexes
    .filter(({ fields, by }) => fields.length + by.length > 0)
    .flatMap(({ bothWays, ...index }) => {
      // Read backwards, an index has the ids backwards too; only a second one has them as they are due.
      const orders = bothWays ? (['asc', 'desc'] as const) : [index.order];
      return orders.map((way) => orderedIndex(index, way));
    });
  const orders = ['asc', 'desc'] as const;
  return [
    ...ordered,
    ...shape.words.flatMap((field) => {
      const index = ownOrder(shape, field);
      if (index === null) return [];
      return orders.map((way) => ({
        name: `words-in-order-${field}.${way}`,
        key: keyInOrder(index, field, way),
      }));
    }),
    ...shape.multikey.map((field) => ({
      name: `list-${field}`,
      key: { [listAt(field)]: 1 as const },
    })),
    ...shape.words.map((field) => ({
      // Earlier releases called theirs `words-…`.
      name: `whole-words-${field}`,
      key: { [wordsAt(field)]: 1 as const },
    })),
  ];
}

/**
 * The index that has texts in their own order. There those that begin with one word lie together, and a walk from the other
 * end goes past all others first; so each word has an index in this order too.
 */
export function ownOrder(shape: Shape, field: string): SqlIndex | null {
  const own = shape.sqlIndexes.filter(({ by }) => by.length === 1 && by[0] === field);
  return own.sort((one, other) => one.fields.length - other.fields.length)[0] ?? null;
}

export const keyInOrder = (index: SqlIndex, field: string, order: 'asc' | 'desc') =>
  new Map<string, 1 | -1>([[wordsAt(field), 1], ...keyOf({ ...index, beside: [] }, order)]);

type Lying = Pick<SqlIndex, 'fields' | 'by' | 'beside'>;

/** What an index is made of, from its first field on. */
export function keyOf({ fields, by, beside }: Lying, order: 'asc' | 'desc'): Map<string, 1 | -1> {
  return new Map([
    ...fields.map((field): [string, 1] => [at(field), 1]),
    ...by.map((field): [string, 1 | -1] => [at(field), order === 'asc' ? 1 : -1]),
    ['_id', 1],
    ...beside.map((field): [string, 1] => [at(field), 1]),
  ]);
}

function orderedIndex(index: Lying, order: 'asc' | 'desc'): IndexDescription {
  const { fields, by, beside } = index;
  const ordered = by.map((field) => (order === 'asc' ? field : `${field}.desc`));
  // Two declarations that need the same index give it one name: MongoDB refuses it under a second.
  const name = [...fields, ...ordered, 'id', ...beside].join('-');
  return { name, key: keyOf(index, order) };
}

/** Acknowledged is what most members have on disk; what is read is of one moment. */
export const transaction: TransactionOptions = {
  readPreference: 'primary',
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
};

const namespaceExists = 48;
const fillAtOnce = 500;
const indexesAtOnce = 8;

/** The collection with all indexes; of those that are there, under whatever name, none is made again. */
async function makeCollection(db: Db, place: string, shape: Shape): Promise<void> {
  for (const name of [place, ...(shape.counted.length === 0 ? [] : [placeOfCounts(place)])])
    await db.createCollection(name).catch((error: unknown) => {
      if (!hasCode(error, namespaceExists)) throw error;
    });
  const collection = db.collection<Entry>(place);
  const textOf = (key: object) =>
    JSON.stringify(key instanceof Map ? [...key] : Object.entries(key));
  const there = new Set((await collection.indexes()).map(({ key }) => textOf(key)));
  const wanted = new Map(indexesOf(shape).map((index) => [textOf(index.key), index]));
  const missing = [...wanted].filter(([key]) => !there.has(key)).map(([, index]) => index);
  // Several in one pass over what is there; not all, so that an answer comes before anybody stops waiting for it.
  for (let from = 0; from < missing.length; from += indexesAtOnce)
    await collection.createIndexes(missing.slice(from, from + indexesAtOnce));
}

/** What collections lie in, and what is known of them. */
export interface Server {
  readonly client: MongoClient;
  readonly db: Db;
  readonly specs: Specs;
}

/**
 * Makes what a spec declares and nobody has made yet, and ends what somebody has begun. Indexes are there
 * before they are published, so that no query counts on one that is not; of two processes the second finds
 * what the first published.
 */
export async function ensureCollection(
  { client, db, specs }: Server,
  spec: CollectionSpec,
  loading = false,
): Promise<void> {
  const { name } = spec;
  for (;;) {
    const row = await specs.rows.findOne({ _id: name }, patiently);
    if (!row) {
      const place = `${name}.${randomBytes(6).toString('hex')}`;
      await claim(specs, { ...spec, place }, loading);
      continue;
    }
    if (row.doing === 'dropping') {
      await finishDrop(db, specs, row);
      continue;
    }
    const indexes = unionOf(row.indexes, spec.indexes);
    const isMade = row.doing !== 'making';
    const isComplete = indexes.length === row.indexes.length && row.layout === layout;
    const place = placeOf(row);
    const declared = shapeOf({ name, indexes });
    const endsLoad = row.loading === true && !loading;
    if (isMade && isComplete && row.doing !== 'filling') {
      if (!endsLoad) return;
      await makeCollection(db, place, declared);
      const { version } = row;
      await specs.rows.updateOne({ ...isStill(row), version }, { $unset: { loading: 1 } });
      continue;
    }
    const shape = row.loading === true ? withoutLate(declared) : declared;
    if (!isMade || !isComplete) await makeCollection(db, place, shape);
    const version = isMade && !isComplete ? row.version + 1 : row.version;
    const since = shape.counted.map((one) => [
      nameOf(one),
      row.countedSince?.[nameOf(one)] ?? version,
    ]);
    const countedSince: Readonly<Record<string, number>> = Object.fromEntries(since);
    if (!(await publish(specs, row, { indexes, version, countedSince }))) continue;
    if (!isMade && endsLoad) continue;
    if (!isMade) return;
    const known: Known = {
      shape,
      version,
      place,
      vocabulary: specs.vocabularyOf(name, place),
      hasWords: true,
      countedSince: new Map(Object.entries(countedSince)),
      countsHold: false,
      isLoading: row.loading === true,
    };
    await fill({ client, db }, known);
    await specs.rows.updateOne(
      { ...isStill(row), version, doing: 'filling' },
      { $unset: { doing: 1 } },
    );
    if (!endsLoad) return;
  }
}

/** This row, and not one of the same name that was made later. */
const isStill = ({ _id, place }: SpecRow) => ({ _id, place: place ?? { $exists: false } });

/** Says what is about to be made, unless somebody else has said it. */
async function claim(
  { rows }: Specs,
  spec: CollectionSpec & { place: string },
  loading: boolean,
): Promise<void> {
  const { name, indexes, place } = spec;
  try {
    await rows.insertOne({
      _id: name,
      indexes,
      version: 1,
      place,
      layout,
      doing: 'making',
      ...(loading && { loading }),
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

/** Whether nobody else did in the meantime. What was there before is to be filled from now on. */
async function publish(
  { rows }: Specs,
  row: SpecRow,
  now: Required<Pick<SpecRow, 'indexes' | 'version' | 'countedSince'>>,
): Promise<boolean> {
  const isAsRead = {
    ...isStill(row),
    version: row.version,
    doing: row.doing ?? { $exists: false },
  };
  const moved = await rows.updateOne(
    isAsRead,
    row.doing === 'making'
      ? { $set: { ...now, layout }, $unset: { doing: 1 } }
      : { $set: { ...now, layout, doing: 'filling' } },
  );
  return moved.matchedCount === 1;
}

/**
 * Writes what newer indexes need beside the documents that are there, or those of these ids. What is put
 * meanwhile has it, or whoever puts it sees to that itself.
 */
export async function fill(
  { client, db }: Pick<Server, 'client' | 'db'>,
  known: Known,
  ids?: readonly string[],
): Promise<void> {
  const collection = db.collection<Entry>(known.place);
  const isOld = { version: { $lt: known.version } };
  const wanted = ids === undefined ? {} : { $in: [...ids] };
  for (let after = ''; ; ) {
    const old = await collection
      .find(
        { _id: { ...wanted, $gt: after }, ...isOld },
        { projection: { _id: 1 }, sort: { _id: 1 }, limit: fillAtOnce, ...patiently },
      )
      .toArray();
    const last = old.at(-1);
    if (!last) return;
    after = last._id;
    const some = old.map(({ _id }) => _id);
    await client.withSession((session) =>
      session.withTransaction(() => fillSome(db, known, some, session), transaction),
    );
  }
}

/** Of these entries, as they are by now: what is filled is counted in one go with it. */
async function fillSome(
  db: Db,
  known: Known,
  ids: readonly string[],
  session: ClientSession,
): Promise<void> {
  const collection = db.collection<Entry>(known.place);
  const filter = { _id: { $in: [...ids] }, version: { $lt: known.version } };
  const old = await collection.find(filter, { session }).toArray();
  if (old.length === 0) return;
  const entries = old.map(({ _id, json }) => entryOf(known, _id, json));
  await known.vocabulary.learn(wordsOf(entries));
  await collection.bulkWrite(
    entries.map(({ _id, f, l, t, version }) => ({
      updateOne: { filter: { _id }, update: { $set: { f, l, t, version } } },
    })),
    { session },
  );
  await recount(db, known, old, entries, session);
}

/** From the first step on it is there for nobody; whoever is stopped before the last is followed by the next to try. */
export async function dropCollection({ db, specs }: Server, name: string): Promise<void> {
  const row = await specs.rows.findOne({ _id: name }, patiently);
  if (!row) return;
  await specs.rows.updateOne(isStill(row), { $set: { doing: 'dropping' } });
  await finishDrop(db, specs, row);
}

const namespaceNotFound = 26;

/** A collection, its words and counts. What was made there anew by who knew it from before its drop too. */
export async function dropPlace(db: Db, place: string): Promise<void> {
  for (const name of [place, placeOfWords(place), placeOfCounts(place)]) {
    await db.dropCollection(name).catch((error: unknown) => {
      if (!hasCode(error, namespaceNotFound)) throw error;
    });
  }
}

async function finishDrop(db: Db, { rows }: Specs, row: SpecRow): Promise<void> {
  await dropPlace(db, placeOf(row));
  await rows.deleteOne({ ...isStill(row), doing: 'dropping' });
}
