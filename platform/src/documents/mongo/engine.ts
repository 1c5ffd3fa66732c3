import type { ClientSession } from 'mongodb';
import {
  adviceOnSettings,
  type ConnectMongo,
  connectMongo,
  orUnavailable,
  readLimits,
} from '../../mongo/connection.js';
import { checkFilter, checkLimit, withoutField } from '../conditions.js';
import { cursorAfter, placeOf } from '../cursor.js';
import {
  type Document,
  type Documents,
  type Filter,
  type Misindexed,
  type Page,
  type Query,
  type Scalar,
  type Stored,
  UnknownCollection,
  UnservedQuery,
} from '../port.js';
import { type Counted, checkSpec, type SqlIndex, walkIndex } from '../shape.js';
import { coveringIndex } from '../sources.js';
import { ranked } from '../totals.js';
import { createPulses } from './changes.js';
import {
  createSpecs,
  dropCollection,
  ensureCollection,
  keyOf,
  transaction,
} from './collections.js';
import { commitAll } from './commit.js';
import { amongCounts, countsIn, miscounted, servingCount, sumOf } from './counts.js';
import { type Entry, type KnownCollection, misindexedFields } from './entry.js';
import { hintOf, narrowingOf, type Plan, pagePlan, planned } from './plan.js';
import {
  afterPlace,
  allOf,
  type EntryFilter,
  type FoundCount,
  facetPipeline,
  filterOf,
  restOf,
  sortOf,
} from './queries.js';

export interface MongoDocumentsOptions {
  /** `mongodb://` or `mongodb+srv://`, with the name of the database; default `oja`. */
  readonly url: string;
  readonly connect?: ConnectMongo;
  /** How long to wait for a primary, in milliseconds. Default 20,000. */
  readonly patienceMs?: number;
  /** Called at most once, with a sentence about a server setting that makes the market work less well than it could. */
  readonly onTrouble?: (what: string) => void;
}

/** Entries read at once when all are checked. */
const PAGE = 500;

/** Only writers of the same documents wait for a commit, and most of a short one is waiting for members and disks. */
const commitMs = 200;

interface FoundEntry {
  readonly _id: string;
  readonly json: string;
}

/** @throws StoreUnavailable when MongoDB cannot be used. */
export async function openMongoDocuments(options: MongoDocumentsOptions): Promise<Documents> {
  const connection = await (options.connect ?? connectMongo)(options.url, options.patienceMs);
  const { client, name } = connection;
  const db = client.db(name);
  const specs = createSpecs(db);
  const server = { client, db, specs };
  const pulses = createPulses(db);
  async function close(): Promise<void> {
    await pulses.close();
    await connection.close();
  }
  const { onTrouble } = options;
  try {
    const [unfit] = await Promise.all([
      onTrouble ? adviceOnSettings(client) : null,
      orUnavailable(() => pulses.prepare()),
    ]);
    if (unfit !== null) onTrouble?.(unfit);
  } catch (error) {
    await close();
    throw error;
  }

  const entries = ({ place }: KnownCollection) => db.collection<Entry>(place);

  /** Runs reads that must not see a commit between them. */
  const atOneMoment = <T>(work: (session: ClientSession) => Promise<T>): Promise<T> =>
    client.withSession((session) => session.withTransaction(() => work(session), transaction));

  /**
   * Runs `work` with the remembered spec (and vocabulary, if the filter has words), while it reads whether that is
   * current; if not, it runs `work` again.
   * @throws UnknownCollection
   */
  async function knowing<T>(
    collection: string,
    work: (known: KnownCollection) => Promise<T>,
    filter: Filter = [],
  ): Promise<T> {
    const needsWords = filter.some(({ op }) => op === 'words');
    const remembered = specs.remembered(collection);
    const words = remembered?.vocabulary.size();
    const asking = Promise.all([
      specs.read(collection),
      needsWords ? remembered?.vocabulary.refresh() : null,
    ]);
    const guess = remembered && (await Promise.allSettled([work(remembered), asking]))[0];
    const [known] = await asking;
    if (!known) throw new UnknownCollection(collection);
    if (needsWords && known.vocabulary !== remembered?.vocabulary) await known.vocabulary.refresh();
    if (!guess || known !== remembered || (needsWords && known.vocabulary.size() !== words))
      return work(known);
    if (guess.status === 'rejected') throw guess.reason;
    return guess.value;
  }

  async function find(known: KnownCollection, query: Query, walk: SqlIndex): Promise<FoundEntry[]> {
    const { filter = [], sort = [], limit } = query;
    const after = afterPlace(sort, placeOf(query));
    const plan =
      limit === undefined
        ? await narrowingOf(entries(known), known, filter)
        : await pagePlan(entries(known), known, filter, walk, limit + 1);
    const cursor = entries(known).find<FoundEntry>(planned(plan, filterOf(filter), after), {
      projection: { json: 1 },
      sort: sortOf(sort),
      ...readLimits,
      ...hintOf(plan),
      // One more tells whether there is a next page. In one batch: a second would show a later moment.
      ...(limit === undefined ? {} : { limit: limit + 1, batchSize: limit + 1 }),
    });
    return cursor.toArray();
  }

  async function page<D extends Document>(known: KnownCollection, query: Query): Promise<Page<D>> {
    const { shape } = known;
    const { filter = [], sort = [], limit } = query;
    checkFilter(shape, filter);
    checkLimit(limit);
    const walk = walkIndex(shape, filter, sort);
    if (!walk) throw new UnservedQuery(shape.name, 'no index serves this order');
    const found = await find(known, query, walk);
    const shown = found.slice(0, limit);
    const items = shown.map(
      ({ _id, json }): Stored<D> => ({ id: _id, document: documentIn(json) }),
    );
    const last = items.at(-1);
    const isMore = last !== undefined && found.length > shown.length;
    return { items, next: isMore ? cursorAfter(query, last.id, last.document) : null };
  }

  async function getMany<D extends Document>(collection: string, ids: readonly string[]) {
    return knowing(collection, async (known) => {
      const found = await entries(known)
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
    });
  }

  async function facets(known: KnownCollection, filter: Filter, fields: readonly string[]) {
    const { shape } = known;
    checkFilter(shape, filter);
    const served = [...shape.columns, ...shape.multikey];
    const unknown = fields.find((field) => !served.includes(field));
    if (unknown !== undefined) {
      throw new UnservedQuery(shape.name, `no index names '${unknown}'`);
    }
    if (fields.length === 0) return {};
    const narrowing = await narrowingOf(entries(known), known, restOf(filter, fields));
    const run = async (pass: Pass, session?: ClientSession) => {
      const { counted } = pass;
      const narrow = counted
        ? [amongCounts(counted, restOf(pass.filter, pass.fields))]
        : (narrowing?.clauses ?? []);
      const each = counted ? '$rows' : 1;
      const pipeline = facetPipeline(shape, pass.filter, pass.fields, narrow, each);
      const from = counted ? countsIn(db, known.place) : entries(known);
      const [found = {}] = await from
        .aggregate<Record<string, FoundCount[]>>(pipeline, {
          ...readLimits,
          ...pass.hint,
          ...(session && { session }),
        })
        .toArray();
      return found;
    };
    const passes = passesOf(known, filter, fields, narrowing);
    const [only] = passes;
    const found =
      only !== undefined && passes.length === 1
        ? [await run(only)]
        : await atOneMoment(async (session) => {
            const each = [];
            // One after the other: a transaction does one thing at a time.
            for (const pass of passes) each.push(await run(pass, session));
            return each;
          });
    const all = new Map(found.flatMap((each) => Object.entries(each)));
    const counts = (field: string) =>
      new Map<Scalar, number>((all.get(field) ?? []).map(({ _id, count }) => [_id, count]));
    return Object.fromEntries(fields.map((field) => [field, ranked(counts(field))]));
  }

  return {
    commitMs,
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
      pulses.beat();
    },
    async get<D extends Document>(collection: string, id: string) {
      const [document = null] = await orUnavailable(() => getMany<D>(collection, [id]));
      return document;
    },
    getMany: <D extends Document>(collection: string, ids: readonly string[]) =>
      orUnavailable(() => getMany<D>(collection, ids)),
    find: <D extends Document>(collection: string, query: Query) =>
      orUnavailable(() => knowing(collection, (known) => page<D>(known, query), query.filter)),
    count: (collection, filter) =>
      orUnavailable(() =>
        knowing(
          collection,
          async (known) => {
            checkFilter(known.shape, filter);
            const counted = servingCount(known, filter);
            if (counted !== null) return sumOf(db, known.place, counted, filter);
            const narrowing = await narrowingOf(entries(known), known, filter);
            const options = { ...readLimits, ...hintOf(narrowing) };
            return entries(known).countDocuments(planned(narrowing, filterOf(filter)), options);
          },
          filter,
        ),
      ),
    facets: (collection, filter, fields) =>
      orUnavailable(() => knowing(collection, (known) => facets(known, filter, fields), filter)),
    misindexed: (collection, ids) =>
      orUnavailable(() =>
        knowing(collection, async (known) => {
          await known.vocabulary.refresh();
          const found: Misindexed[] = [];
          const wanted: EntryFilter = ids === undefined ? {} : { _id: { $in: [...ids] } };
          for (let after = ''; ; ) {
            const page = await entries(known)
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
        }),
      ),
    async commit(operations, guards = []) {
      const outcome = await orUnavailable(() => commitAll(server, operations, guards));
      if (outcome === 'committed') pulses.beat();
      return outcome;
    },
    changes: (signal) => pulses.changes(signal),
    close,
  };
}

/** One aggregation: the fields that it counts, and the filter for them. */
interface Pass {
  readonly filter: Filter;
  readonly fields: readonly string[];
  readonly hint: { readonly hint?: Readonly<Record<string, 1 | -1>> };
  /** The counts to add up; without them, entries are counted. */
  readonly counted?: Counted;
}

/**
 * How to count the fields: from counts kept at write time, where they cover the filter; the others from the
 * entries. Those are counted together along one index that covers the filter and all fields, else each along
 * its own, so that no entry is read; left to itself, the server takes an index that sorts, and reads all
 * entries. When few entries have the searched words, or an index is missing, all fields are counted in one pass
 * over the entries.
 */
function passesOf(
  known: KnownCollection,
  filter: Filter,
  fields: readonly string[],
  narrowing: Plan | null,
): readonly Pass[] {
  const joint = servingCount(known, filter, fields);
  if (joint !== null) return [{ filter, fields, counted: joint, hint: {} }];
  const byCounts = fields.flatMap((field): readonly Pass[] => {
    const own = withoutField(filter, field);
    const counted = servingCount(known, own, [field]);
    return counted === null ? [] : [{ filter: own, fields: [field], counted, hint: {} }];
  });
  const left = fields.filter((field) => !byCounts.some((pass) => pass.fields.includes(field)));
  return left.length === 0
    ? byCounts
    : [...byCounts, ...passesOfEntries(known, filter, left, narrowing)];
}

function passesOfEntries(
  { shape }: KnownCollection,
  filter: Filter,
  fields: readonly string[],
  narrowing: Plan | null,
): readonly Pass[] {
  const inOne: Pass = { filter, fields, hint: hintOf(narrowing) };
  if (narrowing !== null) return [inOne];
  const covered = (own: Filter, some: readonly string[]): readonly Pass[] => {
    const covering = coveringIndex(shape, restOf(own, some), some);
    const index = shape.sqlIndexes.find(({ name }) => name === covering?.name);
    if (index === undefined) return [];
    const hint = Object.fromEntries(keyOf(index, index.order));
    return [{ filter: own, fields: some, hint: { hint } }];
  };
  const together = covered(filter, fields);
  if (together.length > 0) return together;
  const apart = fields.flatMap((field) => covered(withoutField(filter, field), [field]));
  return apart.length === fields.length ? apart : [inOne];
}

/** Not validated: only documents are stored. */
const documentIn = <D extends Document>(json: string): D => JSON.parse(json);
