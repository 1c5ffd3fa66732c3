import { randomBytes } from 'node:crypto';
import {
  type ClientSession,
  type Collection,
  type Db,
  type IndexDescription,
  MongoNetworkTimeoutError,
} from 'mongodb';
import { allOf, ConcurrencyLimiter } from '../../concurrency-limiter.js';
import { hasCode, isDuplicate, readLimits } from '../../mongo/connection.js';
import { inTransaction } from '../../mongo/transaction.js';
import type { CollectionSpec, Document, Index } from '../port.js';
import { type TableShape, toShape, unionOfIndexes, withoutLateIndexes } from '../shape.js';
import { countChanges, countsStoredAs, nameOf, recount } from './counts.js';
import { type Entry, entriesIn, entryOf, type KnownCollection } from './entry.js';
import { indexesOf } from './indexes.js';
import {
  layout,
  type Server,
  type SpecRow,
  type Specs,
  storedNameOf,
  wordOrdersOf,
} from './specs.js';
import { addWords, type Words, wordsStoredAs } from './vocabulary.js';

const namespaceExists = 48;
const fillBatchSize = 500;
const indexesPerPass = 8;
const maxConcurrentPasses = 2;

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
  storedAs: string,
  shape: TableShape,
  withoutLateIndexes: boolean,
): Promise<void> {
  for (const name of [storedAs, ...(shape.counted.length === 0 ? [] : [countsStoredAs(storedAs)])])
    await db.createCollection(name).catch((error: unknown) => {
      if (!hasCode(error, namespaceExists)) throw error;
    });
  const collection = entriesIn(db, { storedAs });
  const textOf = (key: object) =>
    JSON.stringify(key instanceof Map ? [...key] : Object.entries(key));
  const there = new Set((await collection.indexes()).map(({ key }) => textOf(key)));
  const wanted = new Map(
    indexesOf(shape, withoutLateIndexes).map((index) => [textOf(index.key), index]),
  );
  // Those of words are the last, and take longest: they are begun first.
  const missing = [...wanted]
    .filter(([key]) => !there.has(key))
    .map(([, index]) => index)
    .reverse();
  // Several indexes share one pass over the entries, which keeps one core of the server busy.
  const limiter = new ConcurrencyLimiter(maxConcurrentPasses);
  const passes = Array.from({ length: Math.ceil(missing.length / indexesPerPass) }, (_, pass) => {
    const shared = missing.slice(pass * indexesPerPass, (pass + 1) * indexesPerPass);
    return limiter.run(() => createIndexes(collection, shared));
  });
  await allOf(passes);
}

/** What is to be done next for a collection to have what a spec declares. */
export type Step =
  | { readonly kind: 'claim' | 'finish drop' | 'nothing' }
  /** Creates the collection, or finishes that, and publishes it. */
  | { readonly kind: 'make'; readonly indexes: readonly Index[] }
  /** Publishes a further version with the missing indexes, and fills the entries; or goes on filling. */
  | { readonly kind: 'fill'; readonly indexes: readonly Index[]; readonly isFurther: boolean }
  /** Creates the indexes that a load, or an earlier release, has left out. */
  | { readonly kind: 'complete indexes' };

/** The next step of a collection whose row is this; null: it has none. `loading`: it stays without its late indexes. */
export function nextStep(row: SpecRow | null, spec: CollectionSpec, loading: boolean): Step {
  if (row === null) return { kind: 'claim' };
  if (row.doing === 'dropping') return { kind: 'finish drop' };
  const indexes = unionOfIndexes(row.indexes, spec.indexes);
  if (row.doing === 'making') return { kind: 'make', indexes };
  const isFurther = indexes.length > row.indexes.length || row.layout !== layout;
  if (isFurther || row.doing === 'filling') return { kind: 'fill', indexes, isFurther };
  const lacksIndexes = lacksWordOrders(row) || (isLoading(row) && !loading);
  return { kind: lacksIndexes ? 'complete indexes' : 'nothing' };
}

/**
 * Creates what a spec declares and is missing, step by step, and finishes what another process left unfinished. Indexes
 * are created before they are published, so that no query relies on a missing one; of two processes, the second
 * finds what the first published. `loading`: a new collection is created without its late indexes.
 */
export async function ensureCollection(
  { client, db, specs }: Server,
  spec: CollectionSpec,
  loading = false,
): Promise<void> {
  const { name } = spec;
  const read = () => specs.rows.findOne({ _id: name }, readLimits);
  for (let row = await read(); ; row ??= await read()) {
    const step = nextStep(row, spec, loading);
    if (step.kind === 'nothing') return;
    if (row === null) await claim(specs, spec, loading);
    else row = await performStep({ client, db, specs }, row, step);
  }
}

/** Takes a step. Returns the row as it is then; null: it has to be read again. */
async function performStep(server: Server, row: SpecRow, step: Step): Promise<SpecRow | null> {
  const { db, specs } = server;
  if (step.kind === 'make') return createStored(db, specs, row, step.indexes);
  if (step.kind === 'fill') return extend(server, row, step);
  if (step.kind === 'complete indexes') await completeIndexes(db, specs, row);
  if (step.kind === 'finish drop') await finishDrop(db, specs, row);
  return null;
}

/** Matches this row, and not a later one of the same name. */
const isUnchanged = ({ _id, place }: SpecRow) => ({ _id, place: place ?? { $exists: false } });

/** Records which collection is about to be created, unless another process has. */
async function claim({ rows }: Specs, spec: CollectionSpec, loading: boolean): Promise<void> {
  const { name, indexes } = spec;
  try {
    await rows.insertOne({
      _id: name,
      indexes,
      version: 1,
      place: `${name}.${randomBytes(6).toString('hex')}`,
      layout,
      doing: 'making',
      ...(loading && { loading }),
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

async function createStored(
  db: Db,
  specs: Specs,
  row: SpecRow,
  indexes: readonly Index[],
): Promise<SpecRow | null> {
  await makeCollection(db, storedNameOf(row), toShape({ name: row._id, indexes }), isLoading(row));
  return publish(specs, row, { indexes, version: row.version });
}

async function extend(
  { client, db, specs }: Server,
  row: SpecRow,
  { indexes, isFurther }: Extract<Step, { readonly kind: 'fill' }>,
): Promise<SpecRow | null> {
  const storedAs = storedNameOf(row);
  const declared = toShape({ name: row._id, indexes });
  if (isFurther || lacksWordOrders(row))
    await makeCollection(db, storedAs, declared, isLoading(row));
  const version = isFurther ? row.version + 1 : row.version;
  const filling = await publish(specs, row, { indexes, version });
  if (filling === null) return null;
  const known: KnownCollection = {
    shape: isLoading(row) ? withoutLateIndexes(declared) : declared,
    version,
    storedAs,
    vocabulary: specs.vocabularyOf(row._id, storedAs),
    hasWords: true,
    wordOrders: isLoading(row) ? 'own' : 'beside',
    countedSince: new Map(Object.entries(filling.countedSince ?? {})),
    countsHold: false,
    isLoading: isLoading(row),
  };
  await fill({ client, db }, known);
  const isFilled = { ...isUnchanged(row), version, doing: 'filling' as const };
  await specs.rows.updateOne(isFilled, { $unset: { doing: 1 } });
  return withoutDoing(filling);
}

async function completeIndexes(db: Db, { rows }: Specs, row: SpecRow): Promise<void> {
  const { _id: name, indexes, version } = row;
  await makeCollection(db, storedNameOf(row), toShape({ name, indexes }), false);
  const ready = { $set: { wordOrders: 'beside' as const }, $unset: { loading: 1 as const } };
  await rows.updateOne({ ...isUnchanged(row), version }, ready);
}

const isLoading = (row: SpecRow): boolean => row.loading === true;

/** Whether indexes of words are missing that only a collection that is being loaded may lack. */
const lacksWordOrders = (row: SpecRow): boolean =>
  !isLoading(row) && wordOrdersOf(row) !== 'beside';

function withoutDoing({ doing: _, ...row }: SpecRow): SpecRow {
  return row;
}

/** Publishes a spec. Of an existing collection, filling starts now. Null: the row has changed meanwhile. */
async function publish(
  { rows }: Specs,
  row: SpecRow,
  { indexes, version }: Pick<SpecRow, 'indexes' | 'version'>,
): Promise<SpecRow | null> {
  const declared = toShape({ name: row._id, indexes });
  const { counted } = isLoading(row) ? withoutLateIndexes(declared) : declared;
  const countedSince = Object.fromEntries(
    counted.map((one) => [nameOf(one), row.countedSince?.[nameOf(one)] ?? version]),
  );
  const isAsRead = {
    ...isUnchanged(row),
    version: row.version,
    doing: row.doing ?? { $exists: false },
  };
  const wordOrders = isLoading(row) ? {} : ({ wordOrders: 'beside' } as const);
  const now = { indexes, version, countedSince, ...wordOrders, layout } as const;
  const published: SpecRow =
    row.doing === 'making'
      ? { ...withoutDoing(row), ...now }
      : { ...row, ...now, doing: 'filling' };
  const moved = await rows.updateOne(
    isAsRead,
    row.doing === 'making'
      ? { $set: now, $unset: { doing: 1 } }
      : { $set: { ...now, doing: 'filling' } },
  );
  return moved.matchedCount === 1 ? published : null;
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
        { projection: { _id: 1 }, sort: { _id: 1 }, limit: fillBatchSize, ...readLimits },
      )
      .toArray();
    const last = old.at(-1);
    if (!last) return;
    after = last._id;
    const some = old.map(({ _id }) => _id);
    await inTransaction(client, (session) => fillBatch(db, known, some, session));
  }
}

/** Fills these entries as they are now, and counts them in the same transaction. */
async function fillBatch(
  db: Db,
  known: KnownCollection,
  ids: readonly string[],
  session: ClientSession,
): Promise<void> {
  const collection = entriesIn(db, known);
  const filter = { _id: { $in: [...ids] }, version: { $lt: known.version } };
  const old = await collection.find(filter, { session }).toArray();
  if (old.length === 0) return;
  const now = old.map(({ _id, json }) => ({ _id, document: JSON.parse(json) as Document }));
  const entries = now.map(({ _id, document }) => entryOf(known, _id, document));
  const words: Words = new Map();
  for (const { t } of entries) addWords(words, t);
  await known.vocabulary.add(words);
  await collection.bulkWrite(
    entries.map(({ _id, f, l, t, version }) => ({
      updateOne: { filter: { _id }, update: { $set: { f, l, t, version } } },
    })),
    { session },
  );
  const documents = now.map(({ document }) => document);
  await recount(db, known, countChanges(known, old, documents), session);
}

/** The first step hides the collection from everybody; the next drop or ensure finishes an interrupted drop. */
export async function dropCollection({ db, specs }: Server, name: string): Promise<void> {
  const row = await specs.rows.findOne({ _id: name }, readLimits);
  if (!row) return;
  await specs.rows.updateOne(isUnchanged(row), { $set: { doing: 'dropping' } });
  await finishDrop(db, specs, row);
}

const namespaceNotFound = 26;

/** Drops a collection with its words and counts, also when a transaction recreated it after its drop. */
export async function dropStored(db: Db, storedAs: string): Promise<void> {
  for (const name of [storedAs, wordsStoredAs(storedAs), countsStoredAs(storedAs)]) {
    await db.dropCollection(name).catch((error: unknown) => {
      if (!hasCode(error, namespaceNotFound)) throw error;
    });
  }
}

async function finishDrop(db: Db, { rows }: Specs, row: SpecRow): Promise<void> {
  await dropStored(db, storedNameOf(row));
  await rows.deleteOne({ ...isUnchanged(row), doing: 'dropping' });
}
