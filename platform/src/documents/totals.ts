import type { Sql } from '../sqlite/index.js';
import { checkFilter, type Fragment, filterSql, sql, withoutField } from './conditions.js';
import { countedBy, countsOf, keptCount, scalarsIn } from './counts.js';
import { type Filter, type Scalar, UnservedQuery } from './port.js';
import { columnAsJson } from './scalars.js';
import { type Counted, column, multikeyTable, type TableShape } from './shape.js';
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

/** The narrowest source of the rows that match; null: reading all rows is as quick. */
function narrowSource(db: Sql, shape: TableShape, filter: Filter): Narrowed | null {
  return narrowest(db, shape, filter, sizeOf(db, shape) * narrowShare);
}

/** `FROM` and `WHERE` of all rows that match. */
function matching(shape: TableShape, filter: Filter, source: Narrowed | null): Fragment {
  const from = rowsOf(shape, source);
  const where = filterSql(shape, filter);
  return sql(`${from.text} AND ${where.text}`, ...from.parameters, ...where.parameters);
}

export function countMatching(db: Sql, shape: TableShape, filter: Filter): number {
  checkFilter(shape, filter);
  const kept = keptCount(db, shape, filter);
  if (kept !== null) return kept;
  const { text, parameters } = matching(shape, filter, narrowSource(db, shape, filter));
  return countOf(db, sql(`SELECT 1 ${text}`, ...parameters));
}

/** The most frequent value first; equal counts are sorted by value. */
export function rankByCount(counts: ReadonlyMap<Scalar, number>): readonly FacetCount[] {
  const textOf = (value: Scalar) => JSON.stringify(value);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (textOf(a.value) < textOf(b.value) ? -1 : 1));
}

type Counts = Map<Scalar, number>;

/** One row, or rows with the same value of each field. `matches`: for each field, whether it meets the filter. */
interface Group {
  readonly values: readonly Scalar[];
  readonly matches: readonly boolean[];
  readonly rows: number;
}

/** Counts the values of each field. A row counts for a field if all other fields meet the filter. */
function countByField(
  fields: readonly string[],
  groups: Iterable<Group>,
): ReadonlyMap<string, Counts> {
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

/** Splits a filter into the conditions on each of the fields and those on others. */
function splitByFields(shape: TableShape, filter: Filter, fields: readonly string[]) {
  const own = fields.map((field) =>
    filterSql(
      shape,
      filter.filter((one) => one.field === field),
    ),
  );
  return { own, others: filter.filter(({ field }) => !fields.includes(field)) };
}

/** Counts single values along an index that covers the filter. */
function countAlongIndex(
  db: Sql,
  shape: TableShape,
  filter: Filter,
  { name, grouped }: CoveringIndex,
): ReadonlyMap<string, Counts> {
  const where = filterSql(shape, splitByFields(shape, filter, grouped).others);
  const rows = `FROM ${shape.table} INDEXED BY ${name} WHERE ${where.text}`;
  return countGroups(db, shape, filter, grouped, 'count(*)', sql(rows, ...where.parameters));
}

/** Counts single values by adding up the counts kept at each write. */
function countFromKeptCounts(
  db: Sql,
  shape: TableShape,
  filter: Filter,
  fields: readonly string[],
  counted: Counted,
): ReadonlyMap<string, Counts> {
  const rows = countsOf(shape, counted, splitByFields(shape, filter, fields).others);
  return countGroups(db, shape, filter, fields, 'sum(rows)', rows);
}

/** Counts groups of rows. `from`: `FROM` and `WHERE` of the rows that meet the conditions on other fields. */
function countGroups(
  db: Sql,
  shape: TableShape,
  filter: Filter,
  grouped: readonly string[],
  counting: string,
  from: Fragment,
): ReadonlyMap<string, Counts> {
  const names = grouped.map(column);
  const { own } = splitByFields(shape, filter, grouped);
  const selected = [...names.map(columnAsJson), ...own.map(({ text }) => text)];
  const text = `SELECT CAST(json_array(${selected.join(', ')}) AS BLOB) AS held, ${counting} AS rows ${from.text} GROUP BY ${names.join(', ')}`;
  const parameters = [...own.flatMap((each) => each.parameters), ...from.parameters];
  const groups = db
    .all<{ held: Uint8Array; rows: number }>(text, parameters)
    .map(({ held, rows }) => {
      const values = scalarsIn(db, held);
      return { values, matches: values.slice(names.length).map((match) => match === 1), rows };
    });
  return countByField(grouped, groups);
}

function countListValues(db: Sql, shape: TableShape, filter: Filter, field: string): Counts {
  const others = withoutField(filter, field);
  const matched = matching(shape, others, narrowSource(db, shape, others));
  const table = multikeyTable(shape.name, field);
  const held = `CAST(json_array(${columnAsJson('value')}) AS BLOB) AS held, count(*) AS rows`;
  const text = `SELECT ${held} FROM ${table} WHERE row IN (SELECT row ${matched.text}) GROUP BY value`;
  return new Map(
    db
      .all<{ held: Uint8Array; rows: number }>(text, matched.parameters)
      .map(({ held: json, rows }) => [scalarsIn(db, json)[0] ?? null, rows]),
  );
}

/**
 * Reads each field's values as one JSON list, in one scan, and counts them here: SQLite would sort all rows to
 * group them, which takes three times as long.
 */
function countInOneScan(
  db: Sql,
  shape: TableShape,
  filter: Filter,
  fields: readonly string[],
  source: Narrowed | null,
): ReadonlyMap<string, Counts> {
  const { own, others } = splitByFields(shape, filter, fields);
  const matched = matching(shape, others, source);
  const selected = [
    ...fields.map((field) => columnAsJson(column(field))),
    ...own.map(({ text }) => text),
  ];
  const lists = selected.map((each, at) => `CAST(json_group_array(${each}) AS BLOB) AS "${at}"`);
  const [found] = db.all<Record<string, Uint8Array>>(`SELECT ${lists.join(', ')} ${matched.text}`, [
    ...own.flatMap(({ parameters }) => parameters),
    ...matched.parameters,
  ]);
  const columns = selected.map((_, at) => {
    const list = found?.[at];
    return list === undefined ? [] : scalarsIn(db, list);
  });
  const values = columns.slice(0, fields.length);
  const matches = columns.slice(fields.length);
  const groups = (values[0] ?? []).map(
    (_, row): Group => ({
      values: values.map((list) => list[row] ?? null),
      matches: matches.map((list) => list[row] === 1),
      rows: 1,
    }),
  );
  return countByField(fields, groups);
}

/**
 * Counts single values, each field in the first way that works: from the counts kept at each write; along a
 * covering index without reading a row, if the conditions on other fields are all equalities; by reading the
 * rows that match, if they are few; along any covering index; by reading all rows.
 */
function countValues(
  db: Sql,
  shape: TableShape,
  filter: Filter,
  fields: readonly string[],
): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  const take = (some: ReadonlyMap<string, Counts>) => {
    for (const [field, own] of some) counts.set(field, own);
  };
  const along = (one: Filter, index: CoveringIndex) => take(countAlongIndex(db, shape, one, index));
  const left = () => fields.filter((field) => !counts.has(field));
  if (fields.length === 0) return counts;
  const together = countedBy(shape, filter, fields);
  if (together !== null) return countFromKeptCounts(db, shape, filter, fields, together);
  for (const field of fields) {
    const counted = countedBy(shape, withoutField(filter, field), [field]);
    if (counted !== null)
      take(countFromKeptCounts(db, shape, withoutField(filter, field), [field], counted));
  }
  for (const field of left()) {
    const others = withoutField(filter, field);
    const index = coveringIndex(shape, others, [field]);
    if (index !== null && index.equal === others.length) along(others, index);
  }
  if (left().length === 0) return counts;
  const { others } = splitByFields(shape, filter, left());
  const source = narrowSource(db, shape, others);
  if (source === null) {
    const joint = coveringIndex(shape, others, left());
    if (joint !== null) along(filter, joint);
    for (const field of left()) {
      const index = coveringIndex(shape, withoutField(filter, field), [field]);
      if (index !== null) along(withoutField(filter, field), index);
    }
  }
  if (left().length > 0) take(countInOneScan(db, shape, filter, left(), source));
  return counts;
}

/** As `Documents.facets`. @throws UnservedQuery for a field that no index names. */
export function facetsOf(
  db: Sql,
  shape: TableShape,
  filter: Filter,
  fields: readonly string[],
): Readonly<Record<string, readonly FacetCount[]>> {
  const isSingle = (field: string) => shape.columns.includes(field);
  const unknown = fields.find((field) => !isSingle(field) && !shape.multikey.includes(field));
  if (unknown !== undefined) throw new UnservedQuery(shape.name, `no index names '${unknown}'`);
  checkFilter(shape, filter);
  const counts = countValues(db, shape, filter, fields.filter(isSingle));
  return Object.fromEntries(
    fields.map((field) => [
      field,
      rankByCount(counts.get(field) ?? countListValues(db, shape, filter, field)),
    ]),
  );
}
