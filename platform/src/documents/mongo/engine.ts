import type { Db } from 'mongodb';
import {
  type MongoOptions,
  openDatabase,
  orUnavailable,
  prepared,
  readLimits,
} from '../../mongo/connection.js';
import { checkFilter, checkLimit } from '../conditions.js';
import { pageOf, parseCursor } from '../cursor.js';
import {
  type Document,
  type Documents,
  type Filter,
  type Misindexed,
  type Page,
  type Query,
  UnknownCollection,
  UnservedQuery,
} from '../port.js';
import { checkSpec, type Walk, walkIndex } from '../shape.js';
import { createCommitSignals } from './changes.js';
import { dropCollection, ensureCollection } from './collections.js';
import { commitAll } from './commit.js';
import { miscounted, servingCount, sumOf } from './counts.js';
import { entriesIn, type KnownCollection, misindexedFields } from './entry.js';
import { facets } from './facets.js';
import { countKeys, keysOf } from './keys.js';
import { hintOf, narrowingOf, type Plan, pagePlan, planned } from './plan.js';
import { afterCursor, allOf, type EntryFilter, filterOf, sortOf } from './queries.js';
import { createSpecs, type Server } from './specs.js';

/** Entries read at once when all are checked. */
const PAGE = 500;

/** Only writers of the same documents wait for a commit, and most of a short one is waiting for members and disks. */
const commitMs = 200;
/** A commit asks the server six times, however large it is, and a load has nothing to wait for but that. */
const loadMs = 1_000;
const loadEvents = 2_000;

interface FoundEntry {
  readonly _id: string;
  readonly json: string;
}

/** Documents in a MongoDB replica set. @throws StoreUnavailable when no server answers, or it is not a replica set. */
export async function openMongoDocuments(options: MongoOptions): Promise<Documents> {
  const { client, db, close: leave } = await openDatabase(options);
  const specs = createSpecs(db);
  const server = { client, db, specs };
  const commitSignals = createCommitSignals(db);
  async function close(): Promise<void> {
    await commitSignals.close();
    await leave();
  }
  await prepared(close, async () => {
    if (!options.createsNothing) await orUnavailable(() => commitSignals.prepare());
  });

  const read = <T>(
    collection: string,
    work: (known: KnownCollection) => Promise<T>,
    filter?: Filter,
  ): Promise<T> => orUnavailable(() => withKnownCollection(server, collection, work, filter));

  return {
    commitMs,
    loadMs,
    loadEvents,
    async ensure(collections, { loading } = {}) {
      for (const spec of collections) checkSpec(spec);
      await orUnavailable(async () => {
        for (const spec of collections) await ensureCollection(server, spec, loading !== undefined);
      });
    },
    async collections() {
      const rows = await orUnavailable(() =>
        specs.rows.find({}, { sort: { _id: 1 }, ...readLimits }).toArray(),
      );
      return rows.map(({ _id }) => _id);
    },
    async drop(collection) {
      await orUnavailable(() => dropCollection(server, collection));
      commitSignals.announce();
    },
    async get<D extends Document>(collection: string, id: string) {
      const [document = null] = await read(collection, (known) => withIds<D>(db, known, [id]));
      return document;
    },
    getMany: <D extends Document>(collection: string, ids: readonly string[]) =>
      read(collection, (known) => withIds<D>(db, known, ids)),
    find: <D extends Document>(collection: string, query: Query) =>
      read(collection, (known) => page<D>(db, known, query), query.filter),
    count: (collection, filter) => read(collection, (known) => count(db, known, filter), filter),
    facets: (collection, filter, fields) =>
      read(collection, (known) => facets(server, known, filter, fields), filter),
    misindexed: (collection, ids) => read(collection, (known) => misindexed(db, known, ids)),
    async commit(operations, guards = []) {
      const outcome = await orUnavailable(() => commitAll(server, operations, guards));
      if (outcome === 'committed') commitSignals.announce();
      return outcome;
    },
    changes: (signal) => commitSignals.changes(signal),
    close,
  };
}

/**
 * Runs `work` with the remembered spec (and vocabulary, if the filter asks for words of it), while it reads whether that
 * is current; if not, it runs `work` again.
 * @throws UnknownCollection
 */
async function withKnownCollection<T>(
  { specs }: Server,
  collection: string,
  work: (known: KnownCollection) => Promise<T>,
  filter: Filter = [],
): Promise<T> {
  const asksForWords = ({ shape }: KnownCollection) =>
    filter.some(({ op, field }) => op === 'words' && shape.words.includes(field));
  const remembered = specs.remembered(collection);
  const words = remembered?.vocabulary.size();
  const refreshed = remembered && asksForWords(remembered) ? remembered.vocabulary : null;
  const asking = Promise.all([specs.read(collection), refreshed?.refresh()]);
  const guess = remembered && (await Promise.allSettled([work(remembered), asking]))[0];
  const [known] = await asking;
  if (!known) throw new UnknownCollection(collection);
  const needsWords = asksForWords(known);
  if (needsWords && known.vocabulary !== refreshed) await known.vocabulary.refresh();
  if (!guess || known !== remembered || (needsWords && known.vocabulary.size() !== words))
    return work(known);
  if (guess.status === 'rejected') throw guess.reason;
  return guess.value;
}

async function find(
  db: Db,
  known: KnownCollection,
  query: Query,
  walk: Walk,
): Promise<FoundEntry[]> {
  const { filter = [], sort = [], limit } = query;
  const after = parseCursor(query);
  const entries = entriesIn(db, known);
  // One more tells whether there is a next page.
  const wanted = limit === undefined ? undefined : limit + 1;
  async function run(plan: Plan | null): Promise<FoundEntry[]> {
    const found = await entries
      .find<FoundEntry>(planned(plan, filterOf(filter), afterCursor(sort, after, walk.ids)), {
        projection: { json: 1 },
        sort: sortOf(sort, walk.ids),
        ...readLimits,
        ...hintOf(plan),
        // In one batch: a second would show a later moment.
        ...(wanted === undefined ? {} : { limit: wanted, batchSize: wanted }),
      })
      .toArray();
    const { fewerThan } = plan ?? {};
    return fewerThan && found.length < fewerThan.entries ? run(fewerThan.plan) : found;
  }
  return run(
    wanted === undefined
      ? await narrowingOf(entries, known, filter)
      : await pagePlan(entries, known, { filter, walk, wanted, after }),
  );
}

async function page<D extends Document>(
  db: Db,
  known: KnownCollection,
  query: Query,
): Promise<Page<D>> {
  const { shape } = known;
  const { filter = [], sort = [], limit } = query;
  checkFilter(shape, filter);
  checkLimit(limit);
  const walk = walkIndex(shape, filter, sort);
  if (!walk) throw new UnservedQuery(shape.name, 'no index serves this order');
  const found = await find(db, known, query, walk);
  const all = found.map(({ _id, json }) => ({ id: _id, json }));
  return pageOf(query, all, ({ json }) => documentIn<D>(json));
}

/** The documents with these ids, in the order of the ids; null for each that does not exist. */
async function withIds<D extends Document>(
  db: Db,
  known: KnownCollection,
  ids: readonly string[],
): Promise<readonly (D | null)[]> {
  const found = await entriesIn(db, known)
    .find<FoundEntry>(
      { _id: { $in: [...ids] } },
      // With room for one more, the server knows that this is the last batch.
      { projection: { json: 1 }, batchSize: ids.length + 1, ...readLimits },
    )
    .toArray();
  const byId = new Map(found.map(({ _id, json }) => [_id, json]));
  return ids.map((id) => {
    const json = byId.get(id);
    return json === undefined ? null : documentIn<D>(json);
  });
}

/** From counts kept at write time, where they cover the filter; else the server counts entries. */
async function count(db: Db, known: KnownCollection, filter: Filter): Promise<number> {
  checkFilter(known.shape, filter);
  const counted = servingCount(known, filter);
  if (counted !== null) return sumOf(db, known.storedAs, counted, filter);
  const entries = entriesIn(db, known);
  const narrowing = await narrowingOf(entries, known, filter);
  const keys = narrowing?.words && keysOf(known, filter, narrowing.words, []);
  if (keys) return countKeys(entries, keys);
  const options = { ...readLimits, ...hintOf(narrowing) };
  return entries.countDocuments(planned(narrowing, filterOf(filter)), options);
}

/** Compares the index fields of entries with their documents, and if all are sound, the counts with the entries. */
async function misindexed(
  db: Db,
  known: KnownCollection,
  ids: readonly string[] | undefined,
): Promise<readonly Misindexed[]> {
  await known.vocabulary.refresh();
  const found: Misindexed[] = [];
  const wanted: EntryFilter = ids === undefined ? {} : { _id: { $in: [...ids] } };
  for (let after = ''; ; ) {
    const page = await entriesIn(db, known)
      .find(allOf([wanted, { _id: { $gt: after } }]), {
        sort: { _id: 1 },
        limit: PAGE,
        ...readLimits,
      })
      .toArray();
    for (const entry of page) {
      const fields = misindexedFields(known, entry);
      if (fields.length > 0) found.push({ id: entry._id, fields });
    }
    if (page.length < PAGE) break;
    after = page.at(-1)?._id ?? '';
  }
  if (ids !== undefined || found.length > 0) return found;
  for (const counted of known.shape.counted) {
    const wrong = await miscounted(db, known, counted);
    found.push(...wrong.map((id) => ({ id, fields: counted.fields })));
  }
  return found;
}

/** Not validated: only documents are stored. */
const documentIn = <D extends Document>(json: string): D => JSON.parse(json);
