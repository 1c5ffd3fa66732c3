import type { ClientSession, Db, Document as Stage } from 'mongodb';
import { readLimits } from '../../mongo/connection.js';
import { inTransaction } from '../../mongo/transaction.js';
import { checkFilter, withoutField } from '../conditions.js';
import { type Filter, type Scalar, UnservedQuery } from '../port.js';
import type { Counted, TableShape } from '../shape.js';
import { coveringIndex } from '../sources.js';
import { type FacetCount, rankByCount } from '../totals.js';
import { amongCounts, countsIn, servingCount } from './counts.js';
import { entriesIn, type KnownCollection } from './entry.js';
import { keyOf } from './indexes.js';
import { type Keys, keysOf, stagesOf } from './keys.js';
import { hintOf, narrowingOf, type Plan } from './plan.js';
import { allOf, filterOf } from './queries.js';
import type { Server } from './specs.js';

/**
 * For each field, how many entries have each value, the most frequent first. Conditions on the field itself are
 * ignored. All fields are counted at one moment.
 * @throws UnservedQuery when no index names a field.
 */
export async function facets(
  { client, db }: Server,
  known: KnownCollection,
  filter: Filter,
  fields: readonly string[],
): Promise<Readonly<Record<string, readonly FacetCount[]>>> {
  const { shape } = known;
  checkFilter(shape, filter);
  const served = [...shape.columns, ...shape.multikey];
  const unknown = fields.find((field) => !served.includes(field));
  if (unknown !== undefined) {
    throw new UnservedQuery(shape.name, `no index names '${unknown}'`);
  }
  if (fields.length === 0) return {};
  const narrowing = await narrowingOf(entriesIn(db, known), known, restOf(filter, fields));
  const passes = passesOf(known, filter, fields, narrowing);
  const run = (pass: Pass, session?: ClientSession) =>
    countedIn(db, known, pass, narrowing, session);
  const [only] = passes;
  const found =
    only !== undefined && passes.length === 1
      ? [await run(only)]
      : // Between two passes, nothing may be committed.
        await inTransaction(client, async (session) => {
          const each = [];
          // One after the other: a transaction does one thing at a time.
          for (const pass of passes) each.push(await run(pass, session));
          return each;
        });
  const all = new Map(found.flatMap((each) => Object.entries(each)));
  const counts = (field: string) =>
    new Map<Scalar, number>((all.get(field) ?? []).map(({ _id, count }) => [_id, count]));
  return Object.fromEntries(fields.map((field) => [field, rankByCount(counts(field))]));
}

/** One aggregation: the fields that it counts, and the filter for them. */
interface Pass {
  readonly filter: Filter;
  readonly fields: readonly string[];
  readonly hint: { readonly hint?: Readonly<Record<string, 1 | -1>> };
  /** The counts to add up; without them, entries are counted. */
  readonly counted?: Counted;
  /** Counts keys instead of entries. */
  readonly keys?: Keys;
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
  known: KnownCollection,
  filter: Filter,
  fields: readonly string[],
  narrowing: Plan | null,
): readonly Pass[] {
  const { shape } = known;
  const inOne: Pass = { filter, fields, hint: hintOf(narrowing) };
  const keys = narrowing?.words && keysOf(known, restOf(filter, fields), narrowing.words, fields);
  if (keys) return [{ ...inOne, keys, hint: { hint: Object.fromEntries(keys.hint) } }];
  if (narrowing !== null) return [inOne];
  const covered = (own: Filter, some: readonly string[]): readonly Pass[] => {
    const covering = coveringIndex(shape, restOf(own, some), some);
    const index = shape.sqlIndexes.find(({ name }) => name === covering?.name);
    if (index === undefined) return [];
    const hint = Object.fromEntries(keyOf(index));
    return [{ filter: own, fields: some, hint: { hint } }];
  };
  const together = covered(filter, fields);
  if (together.length > 0) return together;
  const apart = fields.flatMap((field) => covered(withoutField(filter, field), [field]));
  return apart.length === fields.length ? apart : [inOne];
}

/** One value of a field, and how many entries have it. */
interface FoundCount {
  readonly _id: Scalar;
  readonly count: number;
}

/** The counts of one pass, by field. */
async function countedIn(
  db: Db,
  known: KnownCollection,
  { filter, fields, hint, counted, keys }: Pass,
  narrowing: Plan | null,
  session: ClientSession | undefined,
): Promise<Readonly<Record<string, readonly FoundCount[]>>> {
  const narrow = counted
    ? [amongCounts(counted, restOf(filter, fields))]
    : (narrowing?.clauses ?? []);
  const found = keys
    ? stagesOf(keys, fields)
    : [{ $match: allOf([...narrow, filterOf(restOf(filter, fields))]) }];
  const counting = counted ? '$rows' : 1;
  const pipeline = [...found, ...facetPipeline(known.shape, filter, fields, counting)];
  const from = counted ? countsIn(db, known.storedAs) : entriesIn(db, known);
  const [counts = {}] = await from
    .aggregate<Record<string, FoundCount[]>>(pipeline, {
      ...readLimits,
      ...hint,
      ...(session && { session }),
    })
    .toArray();
  return counts;
}

/** The conditions of a filter on other fields than these. */
const restOf = (filter: Filter, fields: readonly string[]): Filter =>
  filter.filter(({ field }) => !fields.includes(field));

/**
 * Counts the values of each field in one pass over the entries that match the conditions on other fields. First they
 * are grouped by all counted fields. From these far fewer groups each field is counted, subject to the conditions on
 * the rest of the counted fields. `fields` must not be empty. `counting`: how many entries one document stands for.
 */
function facetPipeline(
  shape: TableShape,
  filter: Filter,
  fields: readonly string[],
  counting: 1 | '$rows',
): Stage[] {
  const own = filter.filter(({ field }) => fields.includes(field));
  const partOf = (field: string) => (shape.columns.includes(field) ? 'f' : 'l');
  const keysIn = (part: 'f' | 'l') =>
    Object.fromEntries(
      fields.filter((field) => partOf(field) === part).map((field) => [field, `$${part}.${field}`]),
    );
  const facets = fields.map((field): [string, Stage[]] => {
    const path = `$${partOf(field)}.${field}`;
    const others = withoutField(own, field);
    return [
      field,
      [
        ...(others.length === 0 ? [] : [{ $match: filterOf(others) }]),
        ...(partOf(field) === 'l' ? [{ $unwind: path }] : []),
        { $group: { _id: path, count: { $sum: '$rows' } } },
      ],
    ];
  });
  return [
    { $group: { _id: { f: keysIn('f'), l: keysIn('l') }, rows: { $sum: counting } } },
    { $replaceWith: { f: '$_id.f', l: '$_id.l', rows: '$rows' } },
    { $facet: Object.fromEntries(facets) },
  ];
}
