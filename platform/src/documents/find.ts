import type { Parameter, Sql } from '../sqlite/index.js';
import { cursorAfter, orderBy, placeOf, stretches } from './cursor.js';
import {
  type Condition,
  type Document,
  type Filter,
  InvalidDocument,
  type Page,
  type Query,
  type Scalar,
  type Stored,
  UnservedQuery,
} from './port.js';
import { keepableText, toColumn } from './scalars.js';
import {
  countOf,
  narrowest,
  narrowShare,
  rowsOf,
  type Source,
  servedBy,
  sizeOf,
  sourcesOf,
  walkIndex,
} from './schema.js';
import { column, multikeyTable, type Shape, type SqlIndex, wordsTable } from './shape.js';
import { matchOf } from './words.js';

/** A piece of SQL with what is bound in it. Values never stand in the text. */
export interface Fragment {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

export function sql(text: string, ...parameters: readonly Parameter[]): Fragment {
  return { text, parameters };
}

function joined(fragments: readonly Fragment[], operator: string, none: string): Fragment {
  if (fragments.length === 0) return sql(none);
  return {
    text: fragments.map(({ text }) => `(${text})`).join(operator),
    parameters: fragments.flatMap(({ parameters }) => parameters),
  };
}

export const allOf = (fragments: readonly Fragment[]) => joined(fragments, ' AND ', '1');
const anyOf = (fragments: readonly Fragment[]) => joined(fragments, ' OR ', '0');

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
type Comparison = keyof typeof comparisons;

/** @throws UnservedQuery when no index of the right kind names the field. */
export function checkFilter(shape: Shape, filter: Filter): void {
  for (const { field, op } of filter) {
    const served =
      op === 'contains' ? shape.multikey : op === 'words' ? shape.words : shape.columns;
    if (!served.includes(field)) {
      throw new UnservedQuery(shape.name, `no index serves '${op}' on '${field}'`);
    }
  }
}

/** The condition on a row of the collection's table; checked before. */
export function conditionSql(shape: Shape, condition: Condition): Fragment {
  const name = column(condition.field);
  switch (condition.op) {
    case 'eq':
      return equal(name, condition.value);
    case 'ne':
      return sql(`${name} IS NOT ?`, toColumn(condition.value));
    case 'in':
      return isOneOf(name, condition.values);
    case 'contains':
      return containing(shape, condition.field, condition.value);
    case 'words':
      // The longest first: a row that lacks it is not asked for the others.
      return allOf(
        [...condition.words]
          .sort((one, other) => other.length - one.length)
          .map((word) => sql(`instr(${name}, ?) > 0`, keepableText(word))),
      );
    default:
      return compared(name, condition.op, condition.value);
  }
}

/** `IS ?` uses an index less well than `=`. */
function equal(name: string, value: Scalar): Fragment {
  return value === null ? sql(`${name} IS NULL`) : sql(`${name} = ?`, toColumn(value));
}

/** Values compare with their own kind only: 5 is neither more nor less than 'a'. */
function compared(name: string, op: Comparison, value: Scalar): Fragment {
  if (value === null) return op.endsWith('e') ? sql(`${name} IS NULL`) : sql('0');
  const own = sql(`${name} ${comparisons[op]} ?`, toColumn(value));
  const up = op.startsWith('g');
  switch (typeof value) {
    case 'number':
      return up ? allOf([own, sql(`${name} < ''`)]) : own;
    case 'string':
      return allOf([own, sql(up ? `${name} < x''` : `${name} >= ''`)]);
    case 'boolean':
      return up ? own : allOf([own, sql(`${name} >= x''`)]);
  }
}

/** Filled up to a power of two, so that lists of many lengths share few statements. */
function isOneOf(name: string, values: readonly Scalar[]): Fragment {
  const bound = values.filter((value) => value !== null).map(toColumn);
  const last = bound.at(-1);
  const isNull = values.includes(null) ? [sql(`${name} IS NULL`)] : [];
  if (last === undefined) return anyOf(isNull);
  const size = 2 ** Math.ceil(Math.log2(bound.length));
  const padded: readonly Parameter[] = [
    ...bound,
    ...Array<Parameter>(size - bound.length).fill(last),
  ];
  const marks = Array(size).fill('?').join(', ');
  const listed = sql(`${name} IN (${marks})`, ...padded);
  return isNull.length === 0 ? listed : anyOf([listed, ...isNull]);
}

function containing(shape: Shape, field: string, value: Scalar): Fragment {
  const list = multikeyTable(shape.name, field);
  return sql(
    `EXISTS (SELECT 1 FROM ${list} l WHERE l.value = ? AND l.row = ${shape.table}.row)`,
    toColumn(value),
  );
}

/** The rows that can match, from a side table, where the condition has one to ask. */
export function candidateRows(db: Sql, shape: Shape, condition: Condition): Fragment | null {
  if (condition.op === 'contains') {
    const list = multikeyTable(shape.name, condition.field);
    return sql(`SELECT row FROM ${list} WHERE value = ?`, toColumn(condition.value));
  }
  if (condition.op !== 'words') return null;
  const match = matchOf(db, shape, condition.field, condition.words);
  if (match === null) return null;
  const table = wordsTable(shape.name, condition.field);
  return sql(`SELECT rowid AS row FROM ${table} WHERE ${table} MATCH ?`, match);
}

/** Rows; a walk this short is never worth giving up. */
const leastWalk = 1_000;

interface Found {
  readonly id: string;
  readonly json: string;
}

/** A query, checked, with the index that has its order. */
interface Prepared {
  readonly shape: Shape;
  readonly filter: Filter;
  readonly index: SqlIndex;
  /** What comes after the cursor. */
  readonly after: readonly Fragment[];
  readonly where: Fragment;
  readonly wanted: number;
}

function prepare(shape: Shape, query: Query): Prepared {
  const { filter = [], sort = [], limit } = query;
  checkFilter(shape, filter);
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1)) {
    throw new InvalidDocument(`A page cannot have ${limit} items`);
  }
  const index = walkIndex(shape, filter, sort);
  if (!index) throw new UnservedQuery(shape.name, 'no index serves this order');
  return {
    shape,
    filter,
    index,
    after: stretches(index, placeOf(query)),
    where: allOf(filter.map((condition) => conditionSql(shape, condition))),
    // One more tells whether there is a next page.
    wanted: limit === undefined ? Number.MAX_SAFE_INTEGER : limit + 1,
  };
}

/**
 * One page. There are three ways to it, with the same answer: a narrow source, sorted afterwards; a
 * walk along the sorted index, each row tested; reading all rows. Where h of n rows match, a walk to
 * `wanted` of them tests wanted × n / h rows, each at about twice the price of one of the source's h:
 * the source is the cheaper way up to h = √(2 × wanted × n). A walk that finds much less than it
 * should (conditions that exclude each other) is given up.
 */
export function findPage<D extends Document>(db: Sql, shape: Shape, query: Query): Page<D> {
  const prepared = prepare(shape, query);
  const sources = sourcesOf(db, shape, prepared.filter);
  const size = sizeOf(db, shape);
  const even = Math.sqrt(2 * Math.min(prepared.wanted, size) * size);
  const source = narrowest(db, sources, Math.min(even, size));
  const isAll = query.limit === undefined;
  const found =
    (source && sorted(db, prepared, source)) ??
    walk(db, prepared, isAll ? size : Math.max(leastWalk, Math.ceil(2 * even)), size) ??
    sorted(db, prepared, narrowest(db, sources, size * narrowShare));
  return pageOf<D>(query, found);
}

/** Null: it went as far as `budget` rows, and not far enough. */
function walk(
  db: Sql,
  { shape, filter, index, after, where, wanted }: Prepared,
  budget: number,
  size: number,
): readonly Found[] | null {
  // The budget counts rows of one range; what is not a range is tested outside of it.
  const range = allOf(servedBy(index, filter).map((part) => conditionSql(shape, part)));
  const own = [...index.fields, ...index.by];
  const tested = new Set([...filter.map(({ field }) => field), ...own]);
  const columns = shape.columns.filter((field) => tested.has(field)).map(column);
  const found: Found[] = [];
  for (const stretch of after) {
    const inside = allOf([range, stretch]);
    const walked = sql(
      `SELECT ${['row', 'id', ...columns].join(', ')} FROM ${shape.table} INDEXED BY ${index.name} WHERE ${inside.text} ` +
        `ORDER BY ${orderBy(index)} LIMIT ?`,
      ...inside.parameters,
      budget,
    );
    // Named like the table, whose name the conditions use.
    const rows = sql(
      `SELECT row, id FROM (${walked.text}) AS ${shape.table} WHERE ${where.text} LIMIT ?`,
      ...walked.parameters,
      ...where.parameters,
      wanted - found.length,
    );
    found.push(...withDocuments(db, shape, rows));
    if (found.length >= wanted) return found;
    if (size > budget && countOf(db, walked) >= budget) return null;
  }
  return found;
}

function sorted(
  db: Sql,
  { shape, index, after, where, wanted }: Prepared,
  source: Source | null,
): readonly Found[] {
  const from = rowsOf(shape, source);
  const all = allOf([anyOf(after), where]);
  const rows = sql(
    `SELECT row, id ${from.text} AND ${all.text} ORDER BY ${orderBy(index)} LIMIT ?`,
    ...from.parameters,
    ...all.parameters,
    wanted,
  );
  return withDocuments(db, shape, rows);
}

/** Materialized, so that only the page's documents are read, in the order of its rows. */
function withDocuments(db: Sql, shape: Shape, { text, parameters }: Fragment): Found[] {
  return db.all<Found>(
    `WITH page AS MATERIALIZED (${text}) SELECT id, ` +
      `(SELECT json FROM ${shape.documents} d WHERE d.row = page.row) AS json FROM page`,
    parameters,
  );
}

function pageOf<D extends Document>(query: Query, found: readonly Found[]): Page<D> {
  const shown = query.limit === undefined ? found : found.slice(0, query.limit);
  const items = shown.map(({ id, json }): Stored<D> => ({ id, document: JSON.parse(json) as D }));
  const last = items.at(-1);
  const isMore = last !== undefined && found.length > shown.length;
  return { items, next: isMore ? cursorAfter(query, last.id, last.document) : null };
}
