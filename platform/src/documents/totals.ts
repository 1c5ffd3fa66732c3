import type { Sql } from '../sqlite/index.js';
import { allOf, checkFilter, conditionSql, type Fragment, type Source, sql } from './conditions.js';
import { type Filter, type Scalar, UnservedQuery } from './port.js';
import { columnAsJson } from './scalars.js';
import { countOf, narrowest, narrowShare, rowsOf, sizeOf, sourcesOf } from './schema.js';
import { column, multikeyTable, type Shape } from './shape.js';

export interface FacetCount {
  readonly value: Scalar;
  readonly count: number;
}

/** The narrowest way to the rows that match; null: reading all of them is as quick. */
function narrowSource(db: Sql, shape: Shape, filter: Filter): Source | null {
  return narrowest(db, sourcesOf(db, shape, filter), sizeOf(db, shape) * narrowShare);
}

/** `FROM` and `WHERE` of all rows that match. */
function matching(shape: Shape, filter: Filter, source: Source | null): Fragment {
  const from = rowsOf(shape, source);
  const where = allOf(filter.map((condition) => conditionSql(shape, condition)));
  return sql(`${from.text} AND ${where.text}`, ...from.parameters, ...where.parameters);
}

export function countMatching(db: Sql, shape: Shape, filter: Filter): number {
  checkFilter(shape, filter);
  const { text, parameters } = matching(shape, filter, narrowSource(db, shape, filter));
  return countOf(db, sql(`SELECT 1 ${text}`, ...parameters));
}

/** The most frequent first; equal counts by value. */
export function ranked(counts: ReadonlyMap<Scalar, number>): readonly FacetCount[] {
  const textOf = (value: Scalar) => JSON.stringify(value);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (textOf(a.value) < textOf(b.value) ? -1 : 1));
}

type Counts = Map<Scalar, number>;
interface Held {
  /** A JSON list of the one value. */
  readonly held: string;
  readonly rows: number;
}

function countsOf(held: readonly Held[]): Counts {
  return new Map(
    held.map(({ held: json, rows }) => [(JSON.parse(json) as readonly Scalar[])[0] ?? null, rows]),
  );
}

/** An index, and how many of its columns, from the first on, the filter has equal. */
interface Walk {
  readonly name: string;
  readonly columns: readonly string[];
  readonly equal: number;
}

/**
 * The index that has, right after what the filter has equal, the fields in any order, and in which everything else
 * that the filter asks for can be tested: along it no row is touched, and equal values lie together. Null: there is
 * none. Of several the one whose range is narrowest.
 */
function walkOf(shape: Shape, filter: Filter, fields: readonly string[]): Walk | null {
  const equal = new Set(filter.flatMap(({ op, field }) => (op === 'eq' ? [field] : [])));
  const asked = filter.map(({ field }) => field);
  const walks = shape.sqlIndexes.flatMap(({ name, fields: first, by }) => {
    const columns = [...first, ...by];
    const end = columns.findIndex((field) => !equal.has(field));
    const grouped = columns.slice(end, end + fields.length);
    const serves =
      end >= 0 &&
      fields.every((field) => grouped.includes(field)) &&
      asked.every((field) => columns.includes(field));
    return serves ? [{ name, columns, equal: end }] : [];
  });
  return walks.sort((one, other) => other.equal - one.equal)[0] ?? null;
}

/** Counts of these fields, which no two conditions of the filter name, along such an index. */
function alongIndex(
  db: Sql,
  shape: Shape,
  filter: Filter,
  { name, columns, equal }: Walk,
  fields: readonly string[],
): ReadonlyMap<string, Counts> {
  const grouped = columns.slice(equal, equal + fields.length);
  const names = grouped.map(column);
  const where = allOf(filter.map((part) => conditionSql(shape, part)));
  const text =
    `SELECT json_array(${names.map(columnAsJson).join(', ')}) AS held, count(*) AS rows ` +
    `FROM ${shape.table} INDEXED BY ${name} WHERE ${where.text} GROUP BY ${names.join(', ')}`;
  const counts = new Map(grouped.map((field): [string, Counts] => [field, new Map()]));
  for (const { held, rows } of db.all<Held>(text, where.parameters)) {
    const values = JSON.parse(held) as readonly Scalar[];
    for (const [at, field] of grouped.entries()) {
      const value = values[at] ?? null;
      const own = counts.get(field);
      own?.set(value, (own.get(value) ?? 0) + rows);
    }
  }
  return counts;
}

function inLists(db: Sql, shape: Shape, field: string, matched: Fragment): Counts {
  const table = multikeyTable(shape.name, field);
  const held = `json_array(${columnAsJson('value')}) AS held, count(*) AS rows`;
  const text = `SELECT ${held} FROM ${table} WHERE row IN (SELECT row ${matched.text}) GROUP BY value`;
  return countsOf(db.all<Held>(text, matched.parameters));
}

/**
 * One scan hands over each field's values as one JSON list, counted here: SQLite would sort all rows
 * to group them, which takes three times as long.
 */
function inOneScan(
  db: Sql,
  fields: readonly string[],
  matched: Fragment,
): ReadonlyMap<string, Counts> {
  if (fields.length === 0) return new Map();
  const lists = fields.map((f, at) => `json_group_array(${columnAsJson(column(f))}) AS "${at}"`);
  const text = `SELECT ${lists.join(', ')} ${matched.text}`;
  const [found] = db.all<Record<string, string>>(text, matched.parameters);
  return new Map(
    fields.map((field, at) => {
      const counts: Counts = new Map();
      for (const value of JSON.parse(found?.[at] ?? '[]') as readonly Scalar[]) {
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      return [field, counts];
    }),
  );
}

/** Of single values; whether walks along indexes are taken that test what the filter does not have equal. */
function countAlong(
  db: Sql,
  shape: Shape,
  filter: Filter,
  fields: readonly string[],
  testing: boolean,
): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  const take = (some: readonly string[]) => {
    const wanted = some.filter((field) => !counts.has(field));
    const walk = wanted.length === 0 ? null : walkOf(shape, filter, wanted);
    if (walk === null || !(testing || walk.equal === filter.length)) return;
    for (const [field, own] of alongIndex(db, shape, filter, walk, wanted)) counts.set(field, own);
  };
  // All in one walk, else each in one of its own.
  if (testing) take(fields);
  for (const field of fields) take([field]);
  return counts;
}

/**
 * Where the filter is nothing but equal conditions, along indexes, of which no row is touched. Else where few rows
 * match, by reading those; where many do, along an index again that has all the filter asks for, or by reading all.
 *
 * @throws UnservedQuery for a field that no index names.
 */
export function facetsOf(
  db: Sql,
  shape: Shape,
  filter: Filter,
  fields: readonly string[],
): Readonly<Record<string, readonly FacetCount[]>> {
  const unknown = fields.find((f) => !shape.columns.includes(f) && !shape.multikey.includes(f));
  if (unknown !== undefined) throw new UnservedQuery(shape.name, `no index names '${unknown}'`);
  checkFilter(shape, filter);
  const single = fields.filter((field) => shape.columns.includes(field));
  const counts = new Map(countAlong(db, shape, filter, single, false));
  const rest = fields.filter((field) => !counts.has(field));
  if (rest.length > 0) {
    const source = narrowSource(db, shape, filter);
    const isSingle = (field: string) => single.includes(field) && !counts.has(field);
    const along = source === null ? countAlong(db, shape, filter, rest.filter(isSingle), true) : [];
    for (const [field, own] of along) counts.set(field, own);
    const matched = matching(shape, filter, source);
    const scanned = inOneScan(db, rest.filter(isSingle), matched);
    for (const [field, own] of scanned) counts.set(field, own);
    for (const field of rest.filter((one) => !counts.has(one)))
      counts.set(field, inLists(db, shape, field, matched));
  }
  return Object.fromEntries(fields.map((field) => [field, ranked(counts.get(field) ?? new Map())]));
}
