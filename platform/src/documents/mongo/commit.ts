import type {
  AnyBulkWriteOperation,
  ClientSession,
  Db,
  MongoClient,
  TransactionOptions,
} from 'mongodb';
import { isDuplicate } from '../../mongo/connection.js';
import { type Guard, InvalidDocument, type Operation, UnknownCollection } from '../port.js';
import { canonicalJson } from '../scalars.js';
import type { Specs } from './collections.js';
import { type Entry, entryOf, type Known } from './entry.js';

/** What is to be there: canonical JSON, or null for nothing. By collection and id. */
type Outcome = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

/**
 * What a list of operations ends in. A put replaces the whole document, so of several on one only the
 * last counts, and the rest may run in any order.
 *
 * @throws InvalidDocument
 */
function outcomeOf(operations: readonly Operation[]): Outcome {
  const outcome = new Map<string, Map<string, string | null>>();
  for (const operation of operations) {
    const { collection, id } = operation;
    if (typeof id !== 'string' || id === '') throw new InvalidDocument('A document needs an id');
    const changes = outcome.get(collection) ?? new Map<string, string | null>();
    outcome.set(collection, changes);
    changes.set(id, operation.type === 'put' ? canonicalJson(operation.document) : null);
  }
  return outcome;
}

/** One collection's part, for one bulkWrite. @throws InvalidDocument */
function bulkOf(
  known: Known,
  changes: ReadonlyMap<string, string | null>,
): AnyBulkWriteOperation<Entry>[] {
  return [...changes].map(([id, json]) => {
    if (json === null) return { deleteOne: { filter: { _id: id } } };
    const { _id, ...replacement } = entryOf(known, id, json);
    return { replaceOne: { filter: { _id }, replacement, upsert: true } };
  });
}

/** A guard with what must be there as one text; null: nothing. */
interface Held {
  readonly collection: string;
  readonly id: string;
  readonly json: string | null;
}

type Committed = 'committed' | 'guard-failed';

const transaction: TransactionOptions = {
  readPreference: 'primary',
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
};

/** Two that make one document at once: the second begins anew and then finds it there. */
const tries = 5;

/**
 * All operations in one transaction, if every guard holds. The driver begins it anew where the server
 * says that another one was in the way, and asks again where a commit was not answered.
 *
 * @throws UnknownCollection, InvalidDocument
 */
export async function commitAll(
  { client, db, specs }: { client: MongoClient; db: Db; specs: Specs },
  operations: readonly Operation[],
  guards: readonly Guard[],
): Promise<Committed> {
  const outcome = outcomeOf(operations);
  const held = guards.map(({ collection, id, expected }): Held => {
    return { collection, id, json: expected && canonicalJson(expected) };
  });
  const names = [...new Set([...outcome.keys(), ...held.map(({ collection }) => collection)])];

  async function attempt(session: ClientSession): Promise<Committed> {
    const known = await specs.readMany(names, session);
    const missing = names.find((name) => !known.has(name));
    if (missing !== undefined) throw new UnknownCollection(missing);
    for (const guard of held) {
      if (await holds(db, session, outcome, guard)) continue;
      await session.abortTransaction();
      return 'guard-failed';
    }
    for (const [name, changes] of outcome) {
      const collection = known.get(name);
      if (!collection) continue;
      const bulk = bulkOf(collection, changes);
      await db.collection<Entry>(name).bulkWrite(bulk, { session, ordered: false });
    }
    return 'committed';
  }

  for (let left = tries; ; left -= 1) {
    try {
      return await client.withSession((session) =>
        session.withTransaction(() => attempt(session), transaction),
      );
    } catch (error) {
      if (!isDuplicate(error) || left <= 1) throw error;
    }
  }
}

/**
 * Compare-and-set: the guarded document is written to as well, so that of two transactions that read
 * the same one only one commits; a mere read would let both through.
 */
async function holds(
  db: Db,
  session: ClientSession,
  outcome: Outcome,
  { collection: name, id, json }: Held,
): Promise<boolean> {
  const collection = db.collection<Entry & { guarded?: number }>(name);
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
    { $setOnInsert: { json: '{}', version: 0, f: {}, l: {}, w: {} } },
    { session, upsert: true },
  );
  if (made.upsertedCount === 0) return false;
  // What only held the place goes again.
  if (!outcome.get(name)?.has(id)) await collection.deleteOne({ _id: id }, { session });
  return true;
}
