import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import { isDuplicate } from '../../mongo/connection.js';
import { inTransaction } from '../../mongo/transaction.js';
import {
  type Document,
  type Guard,
  InvalidDocument,
  type Operation,
  UnknownCollection,
} from '../port.js';
import { canonicalJson } from '../scalars.js';
import { dropStored, fill } from './collections.js';
import { type Count, countChanges, countedOf, recount } from './counts.js';
import { type Entry, entriesIn, entryOf, type KnownCollection } from './entry.js';
import type { Server } from './specs.js';
import { addWords, type Words } from './vocabulary.js';

/** The documents that a commit results in, by collection and id; null for none. */
type Outcome = ReadonlyMap<string, Changes>;
type Changes = ReadonlyMap<string, Document | null>;

/**
 * The result of a list of operations. A put replaces the whole document, so only the last operation on a
 * document counts, and these may run in any order.
 *
 * @throws InvalidDocument
 */
function outcomeOf(operations: readonly Operation[]): Outcome {
  const outcome = new Map<string, Map<string, Document | null>>();
  for (const operation of operations) {
    const { collection, id } = operation;
    if (typeof id !== 'string' || id === '') throw new InvalidDocument('A document needs an id');
    const changes = outcome.get(collection) ?? new Map<string, Document | null>();
    outcome.set(collection, changes);
    changes.set(id, operation.type === 'put' ? operation.document : null);
  }
  return outcome;
}

/** While the server writes some entries, the next are made. */
const entriesAtOnce = 200;

/**
 * Writes what a commit changes in one collection. An entry that `isAbsent` for sure is inserted, which costs the server
 * far less than a lookup and a replacement. `meanwhile` is called while the server writes. Returns the words of the new
 * entries.
 *
 * @throws InvalidDocument
 */
async function write(
  collection: Collection<Entry>,
  known: KnownCollection,
  changes: Changes,
  {
    isAbsent,
    meanwhile,
    session,
  }: { isAbsent(id: string): boolean; meanwhile(): void; session: ClientSession },
): Promise<Words> {
  const put = [...changes].flatMap(([id, document]) =>
    document === null ? [] : [{ id, document }],
  );
  const gone = [...changes].flatMap(([id, document]) => (document === null ? [id] : []));
  const words: Words = new Map();
  let writing: Promise<unknown> = Promise.resolve();
  async function send(operations: AnyBulkWriteOperation<Entry>[]): Promise<void> {
    await writing;
    // In order: the first failure ends the transaction, and the errors after it would hide it.
    writing = collection.bulkWrite(operations, { session });
    // Whoever awaits it is told of its failure, which may come while the next are made.
    writing.catch(() => undefined);
  }
  try {
    for (let at = 0; at < put.length; at += entriesAtOnce) {
      const entries = put
        .slice(at, at + entriesAtOnce)
        .map(({ id, document }) => entryOf(known, id, document));
      for (const { t } of entries) addWords(words, t);
      // One command each.
      await send([
        ...entries
          .filter(({ _id }) => isAbsent(_id))
          .map((document) => ({ insertOne: { document } })),
        ...entries
          .filter(({ _id }) => !isAbsent(_id))
          .map(({ _id, ...replacement }) => ({
            replaceOne: { filter: { _id }, replacement, upsert: true },
          })),
      ]);
    }
    if (gone.length > 0) await send(gone.map((id) => ({ deleteOne: { filter: { _id: id } } })));
    meanwhile();
  } catch (error) {
    // The transaction cannot be ended while the server is still writing.
    await writing.catch(() => undefined);
    throw error;
  }
  await writing;
  return words;
}

/** A guard with the expected document as canonical JSON; null: none may exist. */
interface ExpectedDocument {
  readonly collection: string;
  readonly id: string;
  readonly json: string | null;
}

type Committed = 'committed' | 'guard-failed';

type Used = ReadonlyMap<string, KnownCollection>;

/** When two transactions create one document at once, the second starts again and then finds it. */
const tries = 5;

/**
 * Runs all operations in one transaction, if every guard holds.
 *
 * @throws UnknownCollection, InvalidDocument
 */
export async function commitAll(
  { client, db, specs }: Server,
  operations: readonly Operation[],
  guards: readonly Guard[],
): Promise<Committed> {
  const outcome = outcomeOf(operations);
  const expectations = guards.map(({ collection, id, expected }): ExpectedDocument => {
    return { collection, id, json: expected && canonicalJson(expected) };
  });
  const names = [
    ...new Set([...outcome.keys(), ...expectations.map(({ collection }) => collection)]),
  ];
  /** Collections whose words were written; that is outside of the transaction, which may fail. */
  const taught = new Map<string, KnownCollection>();

  /** Returns the collections as the transaction saw them; null: a guard failed. */
  async function attempt(session: ClientSession): Promise<Used | null> {
    const known = await specs.readMany(names, session);
    const knownAs = (name: string): KnownCollection => {
      const found = known.get(name);
      if (!found) throw new UnknownCollection(name);
      return found;
    };
    for (const name of names) knownAs(name);
    // Read before the guards put placeholders, which were never counted.
    const before = new Map<string, Awaited<ReturnType<typeof countedOf>>>();
    for (const [name, changes] of outcome) {
      const collection = knownAs(name);
      const entries = entriesIn(db, collection);
      before.set(name, await countedOf(entries, collection, [...changes.keys()], session));
    }
    for (const guard of expectations) {
      const isChanged = outcome.get(guard.collection)?.has(guard.id) === true;
      if (await holds(db.collection(knownAs(guard.collection).storedAs), session, guard, isChanged))
        continue;
      await session.abortTransaction();
      return null;
    }
    for (const [name, changes] of outcome) {
      const collection = knownAs(name);
      const old = before.get(name) ?? null;
      const guarded = expectations.flatMap(({ collection: of, id }) => (of === name ? [id] : []));
      const there = new Set([...(old ?? []).map(({ _id }) => _id), ...guarded]);
      const isAbsent = (id: string) => old !== null && !there.has(id);
      let counts: readonly Count[] = [];
      const words = await write(entriesIn(db, collection), collection, changes, {
        isAbsent,
        meanwhile() {
          const put = [...changes.values()].filter((document) => document !== null);
          if (old !== null) counts = countChanges(collection, old, put);
        },
        session,
      });
      if (await collection.vocabulary.add(words)) taught.set(name, collection);
      await recount(db, collection, counts, session);
    }
    return known;
  }

  for (let left = tries; ; left -= 1) {
    try {
      const used = await inTransaction(client, attempt);
      if (!used) return 'guard-failed';
      await catchUp({ client, db, specs }, used, outcome);
      return 'committed';
    } catch (error) {
      if (isDuplicate(error) && left > 1) continue;
      // If this fails too, the first failure is the one to report.
      if (taught.size > 0) await dropLost({ db, specs }, taught).catch(() => undefined);
      throw error;
    }
  }
}

/**
 * A collection can change while a transaction runs: reading its spec in the transaction does not prevent that. So
 * after the commit, the writer adds the fields of newly declared indexes to its entries, and drops what it has
 * recreated of a dropped collection.
 */
async function catchUp({ client, db, specs }: Server, used: Used, outcome: Outcome): Promise<void> {
  const now = await dropLost({ db, specs }, used);
  for (const [name, { storedAs, version }] of used) {
    const known = now.get(name);
    if (known?.storedAs === storedAs && known.version > version)
      await fill({ client, db }, known, [...(outcome.get(name)?.keys() ?? [])]);
  }
}

/** Drops what was recreated of collections that are dropped by now. Returns the others as they are now. */
async function dropLost({ db, specs }: Pick<Server, 'db' | 'specs'>, used: Used): Promise<Used> {
  const now = await specs.readMany([...used.keys()]);
  for (const [name, { storedAs }] of used)
    if (now.get(name)?.storedAs !== storedAs) await dropStored(db, storedAs);
  return now;
}

/**
 * Whether a guard holds. The guarded document is also written to, so that of two transactions that guard it
 * only one commits; a mere read would let both through.
 */
async function holds(
  collection: Collection<Entry & { guarded?: number }>,
  session: ClientSession,
  { id, json }: ExpectedDocument,
  isChanged: boolean,
): Promise<boolean> {
  if (json !== null) {
    const found = await collection.updateOne(
      { _id: id, json },
      { $inc: { guarded: 1 } },
      { session },
    );
    return found.matchedCount === 1;
  }
  const made = await collection.updateOne(
    { _id: id },
    { $setOnInsert: { json: '{}', version: 0, f: {}, l: {}, t: {} } },
    { session, upsert: true },
  );
  if (made.upsertedCount === 0) return false;
  // Only a placeholder: remove it again.
  if (!isChanged) await collection.deleteOne({ _id: id }, { session });
  return true;
}
