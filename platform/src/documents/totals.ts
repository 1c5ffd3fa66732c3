import type { Sql } from '../sqlite/index.js';
import { allOf, checkFilter, conditionSql, type Fragment, sql } from './conditions.js';
import type { Filter, Scalar } from './port.js';
import { UnservedQuery } from './port.js';
import { columnAsJson } from './scalars.js';
import { countOf, narrowest, narrowShare, rowsOf, sizeOf, sourcesOf } from './schema.js';
import { column, multikeyTable, type Shape } from './shape.js';

export interface FacetCount {
  readonly value: Scalar;
  readonly count: number;
}

/** `FROM` and `WHERE` of all rows that match. */
function matching(db: Sql, shape: Shape, filter: Filter): Fragment {
  checkFilter(shape, filter);
  const bound = sizeOf(db, shape) * narrowShare;
  const from = rowsOf(shape, narrowest(db, sourcesOf(db, shape, filter), bound));
  const where = allOf(filter.map((condition) => conditionSql(shape, condition)));
  return sql(`${from.text} AND ${where.text}`, ...from.parameters, ...where.parameters);
}

export function countMatching(db: Sql, shape: Shape, filter: Filter): number {
  const { text, parameters } = matching(db, shape, filter);
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

/**
 * Counts along an index that begins with what the filter has equal and goes on with the field: no
 * row is touched. Null: there is no such index, or the filter asks for more.
 */
function alongIndex(db: Sql, shape: Shape, filter: Filter, field: string): Counts | null {
  const equal = new Set(filter.flatMap((part) => (part.op === 'eq' ? [part.field] : [])));
  if (equal.size < filter.length) return null;
  const index = shape.sqlIndexes.find(({ fields, by }) => {
    const names = [...fields, ...by];
    return names[equal.size] === field && names.slice(0, equal.size).every((f) => equal.has(f));
  });
  if (!index) return null;
  const name = column(field);
  const where = allOf(filter.map((part) => conditionSql(shape, part)));
  const text =
    `SELECT json_array(${columnAsJson(name)}) AS held, count(*) AS rows ` +
    `FROM ${shape.table} INDEXED BY ${index.name} WHERE ${where.text} GROUP BY ${name}`;
  return countsOf(db.all<Held>(text, where.parameters));
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

/** @throws UnservedQuery for a field that no index names. */
export function facetsOf(
  db: Sql,
  shape: Shape,
  filter: Filter,
  fields: readonly string[],
): Readonly<Record<string, readonly FacetCount[]>> {
  const unknown = fields.find((f) => !shape.columns.includes(f) && !shape.multikey.includes(f));
  if (unknown !== undefined) throw new UnservedQuery(shape.name, `no index names '${unknown}'`);
  const matched = matching(db, shape, filter);
  const counts = new Map<string, Counts>();
  for (const field of fields) {
    const ready = shape.columns.includes(field)
      ? alongIndex(db, shape, filter, field)
      : inLists(db, shape, field, matched);
    if (ready) counts.set(field, ready);
  }
  const rest = inOneScan(
    db,
    fields.filter((field) => !counts.has(field)),
    matched,
  );
  return Object.fromEntries(
    fields.map((field) => [field, ranked(counts.get(field) ?? rest.get(field) ?? new Map())]),
  );
}
