import type { Sql } from '../sqlite/index.js';
import { besides, checkFilter, type Fragment, filterSql, sql } from './conditions.js';
import { countedBy, countsOf } from './counts.js';
import { type Filter, type Scalar, UnservedQuery } from './port.js';
import { columnAsJson } from './scalars.js';
import { type Counted, column, multikeyTable, type Shape } from './shape.js';
import {
  type CoveringIndex,
  countOf,
  coveringIndex,
  type Narrowed,
  narrowest,
  narrowShare,
  rowsOf,
  sizeOf,
} from './sources.js';

export interface FacetCount {
  readonly value: Scalar;
  readonly count: number;
}

/** The narrowest way to the rows that match; null: reading all of them is as quick. */
function narrowSource(db: Sql, shape: Shape, filter: Filter): Narrowed | null {
  return narrowest(db, shape, filter, sizeOf(db, shape) * narrowShare);
}

/** `FROM` and `WHERE` of all rows that match. */
function matching(shape: Shape, filter: Filter, source: Narrowed | null): Fragment {
  const from = rowsOf(shape, source);
  const where = filterSql(shape, filter);
  return sql(`${from.text} AND ${where.text}`, ...from.parameters, ...where.parameters);
}

export function countMatching(db: Sql, shape: Shape, filter: Filter): number {
  checkFilter(shape, filter);
  const counted = countedBy(shape, filter);
  if (counted !== null) {
    const { text, parameters } = countsOf(shape, counted, filter);
    return (
      db.all<{ rows: number | null }>(`SELECT sum(rows) AS rows ${text}`, parameters)[0]?.rows ?? 0
    );
  }
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

/** Rows that hold the same value of each field, or one row; `matches`: whether each is what the filter asks of it. */
interface Group {
  readonly values: readonly Scalar[];
  readonly matches: readonly boolean[];
  readonly rows: number;
}

/** A row counts for a field where all the others are what the filter asks of them. */
function tallied(fields: readonly string[], groups: Iterable<Group>): ReadonlyMap<string, Counts> {
  const counts = fields.map((): Counts => new Map());
  for (const { values, matches, rows } of groups) {
    for (const [at, own] of counts.entries()) {
      if (!matches.every((isMatch, other) => isMatch || other === at)) continue;
      const value = values[at] ?? null;
      own.set(value, (own.get(value) ?? 0) + rows);
    }
  }
  return new Map(fields.map((field, at) => [field, counts[at] ?? new Map()]));
}

/** A filter, parted into what it asks of each of the fields and what it asks of others. */
function partedBy(shape: Shape, filter: Filter, fields: readonly string[]) {
  const own = fields.map((field) =>
    filterSql(
      shape,
      filter.filter((one) => one.field === field),
    ),
  );
  return { own, others: filter.filter(({ field }) => !fields.includes(field)) };
}

/** Counts of single values along an index that has all that the filter asks for. */
function alongIndex(
  db: Sql,
  shape: Shape,
  filter: Filter,
  { name, grouped }: CoveringIndex,
): ReadonlyMap<string, Counts> {
  const where = filterSql(shape, partedBy(shape, filter, grouped).others);
  const rows = `FROM ${shape.table} INDEXED BY ${name} WHERE ${where.text}`;
  return inGroups(db, shape, filter, grouped, 'count(*)', sql(rows, ...where.parameters));
}

/** Of single values, added up of what was counted when it was written. */
function ofCounts(
  db: Sql,
  shape: Shape,
  filter: Filter,
  fields: readonly string[],
  counted: Counted,
): ReadonlyMap<string, Counts> {
  const rows = countsOf(shape, counted, partedBy(shape, filter, fields).others);
  return inGroups(db, shape, filter, fields, 'sum(rows)', rows);
}

/** `from`: `FROM` and `WHERE` of what matches all that is asked of other fields. */
function inGroups(
  db: Sql,
  shape: Shape,
  filter: Filter,
  grouped: readonly string[],
  counting: string,
  from: Fragment,
): ReadonlyMap<string, Counts> {
  const names = grouped.map(column);
  const { own } = partedBy(shape, filter, grouped);
  const told = [...names.map(columnAsJson), ...own.map(({ text }) => text)];
  const text = `SELECT json_array(${told.join(', ')}) AS held, ${counting} AS rows ${from.text} GROUP BY ${names.join(', ')}`;
  const parameters = [...own.flatMap((each) => each.parameters), ...from.parameters];
  const groups = db.all<{ held: string; rows: number }>(text, parameters).map(({ held, rows }) => {
    const values = JSON.parse(held) as readonly Scalar[];
    return { values, matches: values.slice(names.length).map((match) => match === 1), rows };
  });
  return tallied(grouped, groups);
}

function inLists(db: Sql, shape: Shape, filter: Filter, field: string): Counts {
  const others = besides(filter, field);
  const matched = matching(shape, others, narrowSource(db, shape, others));
  const table = multikeyTable(shape.name, field);
  const held = `json_array(${columnAsJson('value')}) AS held, count(*) AS rows`;
  const text = `SELECT ${held} FROM ${table} WHERE row IN (SELECT row ${matched.text}) GROUP BY value`;
  return new Map(
    db
      .all<{ held: string; rows: number }>(text, matched.parameters)
      .map(({ held: json, rows }) => [(JSON.parse(json) as readonly Scalar[])[0] ?? null, rows]),
  );
}

/**
 * One scan hands over each field's values as one JSON list, counted here: SQLite would sort all rows
 * to group them, which takes three times as long.
 */
function inOneScan(
  db: Sql,
  shape: Shape,
  filter: Filter,
  fields: readonly string[],
  source: Narrowed | null,
): ReadonlyMap<string, Counts> {
  const { own, others } = partedBy(shape, filter, fields);
  const matched = matching(shape, others, source);
  const told = [
    ...fields.map((field) => columnAsJson(column(field))),
    ...own.map(({ text }) => text),
  ];
  const lists = told.map((each, at) => `json_group_array(${each}) AS "${at}"`);
  const [found] = db.all<Record<string, string>>(`SELECT ${lists.join(', ')} ${matched.text}`, [
    ...own.flatMap(({ parameters }) => parameters),
    ...matched.parameters,
  ]);
  const columns = told.map((_, at) => JSON.parse(found?.[at] ?? '[]') as readonly Scalar[]);
  const values = columns.slice(0, fields.length);
  const matches = columns.slice(fields.length);
  const groups = (values[0] ?? []).map(
    (_, row): Group => ({
      values: values.map((list) => list[row] ?? null),
      matches: matches.map((list) => list[row] === 1),
      rows: 1,
    }),
  );
  return tallied(fields, groups);
}

/**
 * Of single values. Where what is asked is counted as it is written, of those counts. Where all that is asked of other fields is equal conditions, along indexes, of which no row is
 * touched. Else where few rows match, by reading those; where many do, along an index again that has all the filter
 * asks for, or by reading all.
 */
function countValues(
  db: Sql,
  shape: Shape,
  filter: Filter,
  fields: readonly string[],
): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  const take = (some: ReadonlyMap<string, Counts>) => {
    for (const [field, own] of some) counts.set(field, own);
  };
  const along = (one: Filter, index: CoveringIndex) => take(alongIndex(db, shape, one, index));
  const left = () => fields.filter((field) => !counts.has(field));
  if (fields.length === 0) return counts;
  const together = countedBy(shape, filter, fields);
  if (together !== null) return ofCounts(db, shape, filter, fields, together);
  for (const field of fields) {
    const counted = countedBy(shape, besides(filter, field), [field]);
    if (counted !== null) take(ofCounts(db, shape, besides(filter, field), [field], counted));
  }
  for (const field of left()) {
    const others = besides(filter, field);
    const index = coveringIndex(shape, others, [field]);
    if (index !== null && index.equal === others.length) along(others, index);
  }
  if (left().length === 0) return counts;
  const { others } = partedBy(shape, filter, left());
  const source = narrowSource(db, shape, others);
  if (source === null) {
    const joint = coveringIndex(shape, others, left());
    if (joint !== null) along(filter, joint);
    for (const field of left()) {
      const index = coveringIndex(shape, besides(filter, field), [field]);
      if (index !== null) along(besides(filter, field), index);
    }
  }
  if (left().length > 0) take(inOneScan(db, shape, filter, left(), source));
  return counts;
}

/** @throws UnservedQuery for a field that no index names. */
export function facetsOf(
  db: Sql,
  shape: Shape,
  filter: Filter,
  fields: readonly string[],
): Readonly<Record<string, readonly FacetCount[]>> {
  const isSingle = (field: string) => shape.columns.includes(field);
  const unknown = fields.find((field) => !isSingle(field) && !shape.multikey.includes(field));
  if (unknown !== undefined) throw new UnservedQuery(shape.name, `no index names '${unknown}'`);
  checkFilter(shape, filter);
  const counts = countValues(db, shape, filter, fields.filter(isSingle));
  return Object.fromEntries(
    fields.map((field) => [field, ranked(counts.get(field) ?? inLists(db, shape, filter, field))]),
  );
}
