import { randomBytes } from 'node:crypto';
import {
  type ClientSession,
  type Collection,
  type Db,
  type IndexDescription,
  type MongoClient,
  MongoNetworkTimeoutError,
  type TransactionOptions,
} from 'mongodb';
import { allOf, ConcurrencyLimiter } from '../../concurrency-limiter.js';
import { hasCode, isDuplicate, readLimits } from '../../mongo/connection.js';
import type { CollectionSpec, Document, Index } from '../port.js';
import { type Shape, shapeOf, unionOf, withoutLate } from '../shape.js';
import { nameOf, placeOfCounts, recount } from './counts.js';
import {
  addWords,
  type Entry,
  entriesIn,
  entryOf,
  type KnownCollection,
  type WordOrders,
  type Words,
} from './entry.js';
import { indexesOf } from './indexes.js';
import { createVocabulary, placeOfWords, type Vocabulary } from './vocabulary.js';

/** Cannot clash with a collection of the port: their names have no dot. */
const specsName = 'market.collections';

interface SpecRow {
  readonly _id: string;
  readonly indexes: readonly Index[];
  /** Grows by one whenever indexes are added or the layout changes. */
  readonly version: number;
  /**
   * The collection's name in MongoDB. It is new each time the collection is created, because a transaction that
   * began before a drop recreates the dropped one. Missing in rows of earlier releases: it is then the port's name.
   */
  readonly place?: string;
  /**
   * The step under way, so that another process can finish it. Queries see a collection while it is filled, but
   * not while it is made or dropped.
   */
  readonly doing?: 'making' | 'filling' | 'dropping';
  /** How entries store words. Missing in rows of earlier releases, whose entries had pieces of two letters. */
  readonly layout?: typeof layout;
  /** From which version on entries are counted, by the name of the counted fields. */
  readonly countedSince?: Readonly<Record<string, number>>;
  /** Nobody reads the collection yet, and its late indexes do not exist yet, nor do those of words. */
  readonly loading?: true;
  /** Which indexes of words there are (`WordOrders`). Missing, or true, in rows of earlier releases. */
  readonly wordOrders?: true | 'beside';
}

/** Collections with another layout get the missing indexes, and their entries are filled again. */
const layout = 'words in order';

/** The published specs of all collections. */
export interface Specs {
  readonly rows: Collection<SpecRow>;
  /** Reads the published spec; null when there is none, or it was dropped. */
  read(name: string): Promise<KnownCollection | null>;
  /** Reads several; the map lacks those that do not exist. */
  readMany(
    names: readonly string[],
    session?: ClientSession,
  ): Promise<ReadonlyMap<string, KnownCollection>>;
  /** The spec as last read, which may be out of date; the same object while nothing changes. */
  remembered(name: string): KnownCollection | null;
  /** The remembered vocabulary, if the collection was at this place; else a new one. */
  vocabularyOf(name: string, place: string): Vocabulary;
}

export function createSpecs(db: Db): Specs {
  const rows = db.collection<SpecRow>(specsName);
  const memory = new Map<string, KnownCollection>();

  function vocabularyOf(name: string, place: string): Vocabulary {
    const old = memory.get(name);
    return old?.place === place ? old.vocabulary : createVocabulary(db, place);
  }

  function knownOf(row: SpecRow): KnownCollection {
    const { _id: name, indexes, version } = row;
    const place = placeOf(row);
    const countsHold = row.doing !== 'filling';
    const old = memory.get(name);
    const isLoading = row.loading === true;
    const wordOrders = wordOrdersOf(row);
    const isOld = old?.version === version && old.place === place;
    const isSameStep = old?.countsHold === countsHold && old.isLoading === isLoading;
    if (isOld && isSameStep && old.wordOrders === wordOrders) return old;
    const vocabulary = vocabularyOf(name, place);
    const hasWords = row.layout === layout && !isLoading;
    const countedSince = new Map(Object.entries(row.countedSince ?? {}));
    const declared = shapeOf({ name, indexes });
    const shape = isLoading ? withoutLate(declared) : declared;
    const words = { vocabulary, hasWords, wordOrders };
    const known = { shape, version, place, ...words, countedSince, countsHold, isLoading };
    memory.set(name, known);
    return known;
  }

  async function readMany(names: readonly string[], session?: ClientSession) {
    const found = await rows
      .find({ _id: { $in: [...names] } }, session ? { session } : readLimits)
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

/** Collections of earlier releases get the missing ones when ensured. */
function wordOrdersOf({ wordOrders }: Pick<SpecRow, 'wordOrders'>): WordOrders {
  if (wordOrders === undefined) return 'own';
  return wordOrders === true ? 'all' : wordOrders;
}

const placeOf = ({ _id, place }: Pick<SpecRow, '_id' | 'place'>): string => place ?? _id;

/** A commit is acknowledged once most members have it on disk; reads see one snapshot. */
export const transaction: TransactionOptions = {
  readPreference: 'primary',
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
};

const namespaceExists = 48;
const fillAtOnce = 500;
const indexesAtOnce = 8;
const passesAtOnce = 2;

/**
 * Creates indexes, however long that takes. When the server has not answered in time, it goes on, and answers the same
 * command again once they are there.
 */
async function createIndexes(collection: Collection<Entry>, indexes: IndexDescription[]) {
  for (;;)
    try {
      return await collection.createIndexes(indexes);
    } catch (error) {
      if (!(error instanceof MongoNetworkTimeoutError)) throw error;
    }
}

/** Creates the collection and its indexes; an index with the same key, whatever its name, is not created again. */
async function makeCollection(
  db: Db,
  place: string,
  shape: Shape,
  isLoading: boolean,
): Promise<void> {
  for (const name of [place, ...(shape.counted.length === 0 ? [] : [placeOfCounts(place)])])
    await db.createCollection(name).catch((error: unknown) => {
      if (!hasCode(error, namespaceExists)) throw error;
    });
  const collection = entriesIn(db, { place });
  const textOf = (key: object) =>
    JSON.stringify(key instanceof Map ? [...key] : Object.entries(key));
  const there = new Set((await collection.indexes()).map(({ key }) => textOf(key)));
  const wanted = new Map(indexesOf(shape, isLoading).map((index) => [textOf(index.key), index]));
  // Those of words are the last, and take longest: they are begun first.
  const missing = [...wanted]
    .filter(([key]) => !there.has(key))
    .map(([, index]) => index)
    .reverse();
  // Several indexes share one pass over the entries, which keeps one core of the server busy.
  const limiter = new ConcurrencyLimiter(passesAtOnce);
  const passes = Array.from({ length: Math.ceil(missing.length / indexesAtOnce) }, (_, pass) => {
    const shared = missing.slice(pass * indexesAtOnce, (pass + 1) * indexesAtOnce);
    return limiter.run(() => createIndexes(collection, shared));
  });
  await allOf(passes);
}

/** The database of the collections, and their specs. */
export interface Server {
  readonly client: MongoClient;
  readonly db: Db;
  readonly specs: Specs;
}

/**
 * Creates what a spec declares and is missing, and finishes what another process left unfinished. Indexes are
 * created before they are published, so that no query relies on a missing one; of two processes, the second
 * finds what the first published. `loading`: a new collection is created without its late indexes.
 */
export async function ensureCollection(
  { client, db, specs }: Server,
  spec: CollectionSpec,
  loading = false,
): Promise<void> {
  const { name } = spec;
  for (;;) {
    const row = await specs.rows.findOne({ _id: name }, readLimits);
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
    const isLoading = row.loading === true;
    const endsLoad = isLoading && !loading;
    const lacksWordOrders = !isLoading && wordOrdersOf(row) !== 'beside';
    if (isMade && isComplete && row.doing !== 'filling') {
      if (!endsLoad && !lacksWordOrders) return;
      await makeCollection(db, place, declared, false);
      const { version } = row;
      const ready = { $set: { wordOrders: 'beside' as const }, $unset: { loading: 1 as const } };
      await specs.rows.updateOne({ ...isStill(row), version }, ready);
      continue;
    }
    const shape = isLoading ? withoutLate(declared) : declared;
    if (!isMade || !isComplete || lacksWordOrders)
      await makeCollection(db, place, declared, isLoading);
    const version = isMade && !isComplete ? row.version + 1 : row.version;
    const since = shape.counted.map((one) => [
      nameOf(one),
      row.countedSince?.[nameOf(one)] ?? version,
    ]);
    const countedSince: Readonly<Record<string, number>> = Object.fromEntries(since);
    if (!(await publish(specs, row, { indexes, version, countedSince }))) continue;
    if (!isMade && endsLoad) continue;
    if (!isMade) return;
    const known: KnownCollection = {
      shape,
      version,
      place,
      vocabulary: specs.vocabularyOf(name, place),
      hasWords: true,
      wordOrders: isLoading ? 'own' : 'beside',
      countedSince: new Map(Object.entries(countedSince)),
      countsHold: false,
      isLoading,
    };
    await fill({ client, db }, known);
    await specs.rows.updateOne(
      { ...isStill(row), version, doing: 'filling' },
      { $unset: { doing: 1 } },
    );
    if (!endsLoad) return;
  }
}

/** Matches this row, and not a later one of the same name. */
const isStill = ({ _id, place }: SpecRow) => ({ _id, place: place ?? { $exists: false } });

/** Records which collection is about to be created, unless another process has. */
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

/** Publishes a spec; false when the row has changed meanwhile. Of an existing collection, filling starts now. */
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
  const wordOrders = row.loading === true ? {} : ({ wordOrders: 'beside' } as const);
  const moved = await rows.updateOne(
    isAsRead,
    row.doing === 'making'
      ? { $set: { ...now, ...wordOrders, layout }, $unset: { doing: 1 } }
      : { $set: { ...now, ...wordOrders, layout, doing: 'filling' } },
  );
  return moved.matchedCount === 1;
}

/**
 * Adds what newer indexes need to the existing entries, or to those of these ids. Entries put meanwhile have it
 * already, or get it from their writer (`catchUp`).
 */
export async function fill(
  { client, db }: Pick<Server, 'client' | 'db'>,
  known: KnownCollection,
  ids?: readonly string[],
): Promise<void> {
  const collection = entriesIn(db, known);
  const isOld = { version: { $lt: known.version } };
  const wanted = ids === undefined ? {} : { $in: [...ids] };
  for (let after = ''; ; ) {
    const old = await collection
      .find(
        { _id: { ...wanted, $gt: after }, ...isOld },
        { projection: { _id: 1 }, sort: { _id: 1 }, limit: fillAtOnce, ...readLimits },
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

/** Fills these entries as they are now, and counts them in the same transaction. */
async function fillSome(
  db: Db,
  known: KnownCollection,
  ids: readonly string[],
  session: ClientSession,
): Promise<void> {
  const collection = entriesIn(db, known);
  const filter = { _id: { $in: [...ids] }, version: { $lt: known.version } };
  const old = await collection.find(filter, { session }).toArray();
  if (old.length === 0) return;
  const { version } = known;
  const now = old.map(({ _id, json }) => ({
    _id,
    version,
    document: JSON.parse(json) as Document,
  }));
  const entries = now.map(({ _id, document }) => entryOf(known, _id, document));
  const words: Words = new Map();
  for (const entry of entries) addWords(words, entry);
  await known.vocabulary.learn(words);
  await collection.bulkWrite(
    entries.map(({ _id, f, l, t, version }) => ({
      updateOne: { filter: { _id }, update: { $set: { f, l, t, version } } },
    })),
    { session },
  );
  await recount(db, known, old, now, session);
}

/** The first step hides the collection from everybody; the next drop or ensure finishes an interrupted drop. */
export async function dropCollection({ db, specs }: Server, name: string): Promise<void> {
  const row = await specs.rows.findOne({ _id: name }, readLimits);
  if (!row) return;
  await specs.rows.updateOne(isStill(row), { $set: { doing: 'dropping' } });
  await finishDrop(db, specs, row);
}

const namespaceNotFound = 26;

/** Drops a collection with its words and counts, also when a transaction recreated it after its drop. */
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
