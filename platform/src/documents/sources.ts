import type { Sql } from '../sqlite/index.js';
import { allOf, conditionSql, type Fragment, sql } from './conditions.js';
import { keptCount } from './counts.js';
import type { Condition, Filter } from './port.js';
import { toColumn } from './scalars.js';
import { multikeyTable, type SqlIndex, type TableShape, wordsTable } from './shape.js';
import { matchOf } from './words.js';

/** SQL that selects the `row` of rows that can match, without reading the others. */
interface Source extends Fragment {
  /** What it costs to find one of its rows, relative to an index entry. */
  readonly weight: number;
  /** The conditions that all its rows meet, if it is an index. */
  readonly served?: Filter;
}

/** This many words of one FTS5 expression cost as much as an index entry. */
const wordsOfOneEntry = 20;

/** The rows that can match, from the condition's side table; null: it has none that helps. */
function candidateRows(db: Sql, shape: TableShape, condition: Condition): Source | null {
  if (condition.op === 'contains') {
    const list = multikeyTable(shape.name, condition.field);
    const rows = sql(`SELECT row FROM ${list} WHERE value = ?`, toColumn(condition.value));
    return { ...rows, weight: 1 };
  }
  if (condition.op !== 'words' || !shape.words.includes(condition.field)) return null;
  const match = matchOf(db, shape, condition.field, condition.words);
  if (match === null) return null;
  const table = wordsTable(shape.name, condition.field);
  const rows = sql(`SELECT rowid AS row FROM ${table} WHERE ${table} MATCH ?`, match.expression);
  return { ...rows, weight: Math.max(1, match.words / wordsOfOneEntry) };
}

/** The conditions that form one range of an index: equality on its first fields, then ranges of the next field. */
export function servedBy(index: SqlIndex, filter: Filter): Filter {
  const served: Filter[number][] = [];
  for (const field of [...index.fields, ...index.by]) {
    const equal = filter.find((condition) => condition.field === field && condition.op === 'eq');
    if (equal) {
      served.push(equal);
      continue;
    }
    const isRange = ({ field: other, op }: Filter[number]) =>
      other === field && ['gt', 'gte', 'lt', 'lte', 'in'].includes(op);
    served.push(...filter.filter(isRange));
    break;
  }
  return served;
}

/** A source of more than this share of the rows is no quicker than reading all of them. */
export const narrowShare = 1 / 20;

/** The sources for this filter that the declared indexes offer, but none of which another has a part of the rows. */
function sourcesOf(db: Sql, shape: TableShape, filter: Filter): readonly Source[] {
  const ranges = shape.sqlIndexes
    .map((index) => ({ name: index.name, served: servedBy(index, filter) }))
    .filter(({ served }) => served.length > 0)
    .sort((one, other) => other.served.length - one.served.length);
  const fromIndexes: Source[] = [];
  for (const { name, served } of ranges) {
    const isIn = (narrower: Source) => served.every((one) => narrower.served?.includes(one));
    if (fromIndexes.some(isIn)) continue;
    const where = allOf(served.map((condition) => conditionSql(shape, condition)));
    const text = `SELECT row FROM ${shape.table} INDEXED BY ${name} WHERE ${where.text}`;
    fromIndexes.push({ ...sql(text, ...where.parameters), weight: 1, served });
  }
  const fromSideTables = filter.flatMap((condition) => candidateRows(db, shape, condition) ?? []);
  return [...fromIndexes, ...fromSideTables];
}

/** The rows found by a source; `text` selects them again without asking the source. */
export interface Narrowed extends Fragment {
  readonly rows: number;
}

/**
 * The rows of the narrowest source of at most `bound` rows; null when all are broader. A source whose rows cost
 * more to find may have fewer, so that trying it costs no more.
 */
function narrowestOf(
  db: Sql,
  shape: TableShape,
  sources: readonly Source[],
  bound: number,
): Narrowed | null {
  let best: Narrowed | null = null;
  let fewest = Math.floor(bound) + 1;
  for (const { text, parameters, weight, served } of sources) {
    const most = Math.min(fewest, Math.floor(bound / weight) + 1);
    if (served !== undefined && (keptCount(db, shape, served) ?? 0) >= most) continue;
    // To pass rows by takes a third of the time that listing them does.
    const tooMany = `SELECT 1 FROM (${text}) LIMIT 1 OFFSET ?`;
    if (db.all(tooMany, [...parameters, most - 1]).length > 0) continue;
    const [found] = db.all<{ rows: number; list: string }>(
      `SELECT count(*) AS rows, json_group_array(row) AS list FROM (${text})`,
      parameters,
    );
    if (found === undefined) continue;
    best = { ...sql('SELECT value FROM json_each(?)', found.list), rows: found.rows };
    fewest = found.rows;
  }
  return best;
}

interface Remembered {
  readonly asked: string;
  readonly bound: number;
  /** `dataVersion`: another one after each commit of another connection. */
  readonly version: number;
  readonly found: Narrowed | null;
}

/** A search counts what it finds and shows a page of it: the second query reuses the rows of the first. */
const lastNarrowest = new WeakMap<Sql, Remembered>();

/**
 * The rows that can match, from the narrowest source of at most `bound` rows; null when all are broader. To be called
 * within a snapshot.
 */
export function narrowest(
  db: Sql,
  shape: TableShape,
  filter: Filter,
  bound: number,
): Narrowed | null {
  const version = db.dataVersion();
  const asked = JSON.stringify([shape.table, filter]);
  const last = lastNarrowest.get(db);
  if (last?.asked === asked && last.version === version) {
    if (last.found !== null && last.found.rows <= bound) return last.found;
    if (last.bound >= bound) return null;
  }
  const found = narrowestOf(db, shape, sourcesOf(db, shape, filter), bound);
  lastNarrowest.set(db, { asked, bound, version, found });
  return found;
}

/**
 * `FROM` and `WHERE` that read a source's rows, or all rows, in the order of the table: far quicker than in the
 * order of an index, unless the index covers the query.
 */
export function rowsOf(shape: TableShape, source: Narrowed | CoveringIndex | null): Fragment {
  if (source !== null && 'name' in source)
    return sql(`FROM ${shape.table} INDEXED BY ${source.name} WHERE 1`);
  const all = `FROM ${shape.table} NOT INDEXED WHERE`;
  return source ? sql(`${all} row IN (${source.text})`, ...source.parameters) : sql(`${all} 1`);
}

/**
 * An index that answers a filter without reading a row; null: there is none. It begins with fields that the
 * filter has equal, then come the `grouped` fields in any order, so that their equal values lie together; it
 * also has all other fields of the filter, and the `sorted` ones. Of several, the one with the narrowest range.
 */
export function coveringIndex(
  shape: TableShape,
  filter: Filter,
  grouped: readonly string[] = [],
  sorted: readonly string[] = [],
): CoveringIndex | null {
  const isEqual = new Set(filter.flatMap(({ op, field }) => (op === 'eq' ? [field] : [])));
  const asked = [...filter.map(({ field }) => field), ...sorted];
  const covering = shape.sqlIndexes.flatMap(({ name, fields, by, beside }) => {
    const columns = [...fields, ...by];
    const end = columns.findIndex((field) => !isEqual.has(field));
    const next = columns.slice(end, end + grouped.length);
    const serves =
      end >= 0 &&
      grouped.every((field) => next.includes(field)) &&
      asked.every((field) => columns.includes(field) || beside.includes(field));
    return serves ? [{ name, equal: end, grouped: next }] : [];
  });
  return covering.sort((one, other) => other.equal - one.equal)[0] ?? null;
}

export interface CoveringIndex {
  readonly name: string;
  /** How many of its first columns the filter has equal. */
  readonly equal: number;
  /** In the order of the index. */
  readonly grouped: readonly string[];
}

export function countOf(db: Sql, { text, parameters }: Fragment): number {
  const [counted] = db.all<{ rows: number }>(`SELECT count(*) AS rows FROM (${text})`, parameters);
  return counted?.rows ?? 0;
}

/** About how many rows there are, never too few; exact if nothing was deleted. */
export function sizeOf(db: Sql, shape: TableShape): number {
  return (
    db.all<{ rows: number }>(`SELECT coalesce(max(row), 0) AS rows FROM ${shape.table}`)[0]?.rows ??
    0
  );
}
