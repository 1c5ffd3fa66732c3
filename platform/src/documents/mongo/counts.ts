import type { ClientSession, Collection, Db, Document as Stage } from 'mongodb';
import { readLimits } from '../../mongo/connection.js';
import { countedBy, countedValues, createTally, rangeOf, type Tally } from '../counts.js';
import type { Document, Filter, Scalar } from '../port.js';
import type { Counted } from '../shape.js';
import { type Entry, entriesIn, type KnownCollection } from './entry.js';
import { allOf, type EntryFilter, filterOf } from './queries.js';

/** How many entries have a combination of values; written in the same transactions as the entries. */
export interface Count {
  /** The name of the counted fields, a colon, and the combination's key. */
  readonly _id: string;
  /** Its values, at the same path as in an entry. */
  readonly f: Readonly<Record<string, Scalar>>;
  readonly rows: number;
}

export const countsStoredAs = (storedAs: string): string => `${storedAs}.counts`;

export const countsIn = (db: Db, storedAs: string): Collection<Count> =>
  db.collection<Count>(countsStoredAs(storedAs));

/** A name for the counted fields, the same in all processes, whatever else they declare. */
export const nameOf = ({ fields }: Counted): string => fields.join('+');

/** The counts that answer a filter; null: there are none, or not every entry is counted yet. */
export const servingCount = (
  { shape, countsHold }: KnownCollection,
  filter: Filter,
  grouped: readonly string[] = [],
): Counted | null => (countsHold ? countedBy(shape, filter, grouped) : null);

/** Selects the combinations that can match. */
export function amongCounts(counted: Counted, filter: Filter): EntryFilter {
  const [from, to] = rangeOf(counted, filter).map((end) => `${nameOf(counted)}:${end}`);
  return { _id: { $gte: from ?? '', $lt: to ?? '' } };
}

/** How many documents match, added up from their counts. */
export async function sumOf(db: Db, storedAs: string, counted: Counted, filter: Filter) {
  const pipeline: Stage[] = [
    { $match: allOf([amongCounts(counted, filter), filterOf(filter)]) },
    { $group: { _id: null, rows: { $sum: '$rows' } } },
  ];
  const found = await countsIn(db, storedAs)
    .aggregate<{ rows: number }>(pipeline, { ...readLimits })
    .toArray();
  return found[0]?.rows ?? 0;
}

/**
 * The combinations whose count differs from the entries, as JSON lists of their values. A difference must show at two
 * moments, since writes go on meanwhile.
 */
export async function miscounted(
  db: Db,
  known: KnownCollection,
  counted: Counted,
): Promise<readonly string[]> {
  const since = known.countedSince.get(nameOf(counted)) ?? Number.POSITIVE_INFINITY;
  const values = Object.fromEntries(counted.fields.map((field) => [field, `$f.${field}`]));
  const group = { _id: values, rows: { $sum: 1 } };
  async function differing(): Promise<ReadonlyMap<string, number>> {
    const differences = new Map<string, number>();
    const note = (f: Entry['f'], rows: number) => {
      const key = JSON.stringify(counted.fields.map((field) => f[field] ?? null));
      differences.set(key, (differences.get(key) ?? 0) + rows);
    };
    const options = { ...readLimits };
    const counts = await countsIn(db, known.storedAs)
      .aggregate<Count>([{ $match: amongCounts(counted, []) }], options)
      .toArray();
    for (const { f, rows } of counts) note(f, rows);
    const pipeline = [{ $match: { version: { $gte: since } } }, { $group: group }];
    const found = await entriesIn(db, known)
      .aggregate<{ _id: Entry['f']; rows: number }>(pipeline, { ...options, allowDiskUse: true })
      .toArray();
    for (const { _id, rows } of found) note(_id, -rows);
    return new Map([...differences].filter(([, rows]) => rows !== 0));
  }
  const first = await differing();
  if (first.size === 0) return [];
  const again = await differing();
  return [...first].flatMap(([key, rows]) => (again.get(key) === rows ? [key] : []));
}

type CountedEntry = Pick<Entry, '_id' | 'version' | 'json'>;

/** The entries to recount, as they are before their transaction changes them; null: nothing is counted. */
export async function countedOf(
  entries: Collection<Entry>,
  known: KnownCollection,
  ids: readonly string[],
  session: ClientSession,
): Promise<readonly CountedEntry[] | null> {
  if (known.shape.counted.length === 0) return null;
  const projection = { version: 1, json: 1 };
  return entries.find<CountedEntry>({ _id: { $in: [...ids] } }, { session, projection }).toArray();
}

/** Tallies a document, not the index fields of its entry. An entry of a version not counted yet changes nothing. */
function add(
  tally: Tally,
  { shape, countedSince }: KnownCollection,
  document: Document,
  version: number,
  by: 1 | -1,
): void {
  for (const counted of shape.counted) {
    const since = countedSince.get(nameOf(counted)) ?? Number.POSITIVE_INFINITY;
    if (version < since) continue;
    tally.add(counted, countedValues(shape, counted, document), by);
  }
}

/**
 * What taking the entries of `before` out of the counts changes in them, and adding the documents that are written now:
 * each with the difference of its rows.
 */
export function countChanges(
  known: KnownCollection,
  before: readonly CountedEntry[],
  after: readonly Document[],
): readonly Count[] {
  if (known.shape.counted.length === 0) return [];
  const tally = createTally();
  for (const { version, json } of before) add(tally, known, JSON.parse(json), version, -1);
  for (const document of after) add(tally, known, document, known.version, 1);
  return [...tally.changes()].flatMap(([counted, own]) =>
    own.map(({ key, values, rows }) => ({
      _id: `${nameOf(counted)}:${key}`,
      f: Object.fromEntries(counted.fields.map((field, at) => [field, values[at] ?? null])),
      rows,
    })),
  );
}

/** Changes the counts of a collection. */
export async function recount(
  db: Db,
  { storedAs }: KnownCollection,
  changes: readonly Count[],
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const counts = countsIn(db, storedAs);
  await counts.bulkWrite(
    changes.map(({ _id, f, rows }) => ({
      updateOne: { filter: { _id }, update: { $inc: { rows }, $setOnInsert: { f } }, upsert: true },
    })),
    { session },
  );
  const fewer = changes.filter(({ rows }) => rows < 0).map(({ _id }) => _id);
  if (fewer.length > 0)
    await counts.deleteMany({ _id: { $in: fewer }, rows: { $lte: 0 } }, { session });
}
