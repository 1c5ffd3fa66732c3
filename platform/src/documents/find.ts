import type { Sql } from '../sqlite/index.js';
import {
  allOf,
  anyOf,
  checkFilter,
  checkLimit,
  conditionSql,
  type Fragment,
  filterSql,
  sql,
} from './conditions.js';
import { keptCount } from './counts.js';
import { orderBy, pageOf, parseCursor, rangesAfter } from './cursor.js';
import { type Document, type Filter, type Page, type Query, UnservedQuery } from './port.js';
import { documentIn, idIn, jsonBytes, jsonIn } from './rows.js';
import {
  column,
  lettersColumn,
  type SqlIndex,
  type TableShape,
  type Walk,
  walkIndex,
} from './shape.js';
import {
  countOf,
  coveringIndex,
  type Narrowed,
  narrowest,
  narrowShare,
  rowsOf,
  servedBy,
  sizeOf,
} from './sources.js';

/** A walk of up to this many rows is never given up. */
const minWalkRows = 1_000;

/** How far a walk goes before it is given up. A lookup takes as long as 20 to 30 index entries. */
interface WalkLimits {
  /** Entries of the index. */
  readonly entries: number;
  /** Rows that must be looked up, because the index lacks a field of the filter. */
  readonly lookups: number;
}

/** Before all rows are read instead. */
const longestWalk = (size: number): WalkLimits => ({
  entries: Math.max(minWalkRows, Math.ceil(size / 16)),
  lookups: Math.max(minWalkRows, Math.ceil(size / 50)),
});

interface FoundRow {
  readonly id: string;
  /** Null: the row's document is lost, which no commit causes, but a bad disk or a manual change can. */
  readonly json: string | null;
}

type Whole = FoundRow & { readonly json: string };
const isWhole = (found: FoundRow): found is Whole => found.json !== null;

/** A checked query, with the index that has its order. */
interface PreparedQuery {
  readonly shape: TableShape;
  readonly filter: Filter;
  readonly index: Walk;
  /** What comes after the cursor, as ranges of the index. */
  readonly after: readonly Fragment[];
  readonly where: Fragment;
  readonly wanted: number;
}

function prepare(shape: TableShape, query: Query): PreparedQuery {
  const { filter = [], sort = [], limit } = query;
  checkFilter(shape, filter);
  checkLimit(limit);
  const index = walkIndex(shape, filter, sort);
  if (!index) throw new UnservedQuery(shape.name, 'no index serves this order');
  return {
    shape,
    filter,
    index,
    after: rangesAfter(index, parseCursor(query)),
    where: filterSql(shape, filter),
    // One more tells whether there is a next page.
    wanted: limit === undefined ? Number.MAX_SAFE_INTEGER : limit + 1,
  };
}

/**
 * Finds one page. There are three ways, with the same result: a narrow source, sorted afterwards; a walk along
 * the sorted index, testing each row; a scan of all rows. If h of n rows match, a walk to `wanted` of them
 * tests wanted × n / h rows, each at about twice the cost of one of the source's h rows. So the source is
 * cheaper up to h = √(2 × wanted × n), and a walk where there is none such tests half as many rows as that. One that
 * finds far less than expected (conditions that exclude each other, goods that are elsewhere in this order) is given up.
 *
 * A row without a document is left out and reported to `missed`; rows after it fill up the page.
 * @throws UnservedQuery, InvalidCursor, InvalidDocument as `Documents.find`.
 */
export function findPage<D extends Document>(
  db: Sql,
  shape: TableShape,
  query: Query,
  missed: (id: string) => void,
): Page<D> {
  const prepared = prepare(shape, query);
  for (let more = 0; ; ) {
    const wanted = Math.min(prepared.wanted + more, Number.MAX_SAFE_INTEGER);
    const found = findRows(db, { ...prepared, wanted }, query);
    const whole = found.filter(isWhole);
    if (whole.length >= prepared.wanted || found.length < wanted) {
      for (const { id, json } of found) if (json === null) missed(id);
      return pageOf(query, whole, ({ json }) => documentIn<D>(db, json));
    }
    more = 2 * (found.length - whole.length);
  }
}

/** The rows of a page, by the cheapest of the three ways. */
function findRows(db: Sql, prepared: PreparedQuery, query: Query): readonly FoundRow[] {
  const { shape, filter } = prepared;
  const size = sizeOf(db, shape);
  const even = Math.min(Math.sqrt(2 * Math.min(prepared.wanted, size) * size), size);
  const few = mayBeFew(db, prepared, even) ? narrowest(db, shape, filter, even) : null;
  if (few !== null) {
    const worthwhile = walkInsteadOf(few, prepared, size);
    return (
      (worthwhile && walkAlongIndex(db, prepared, size, worthwhile)) ??
      sortMatching(db, prepared, few)
    );
  }
  if (query.limit === undefined)
    return walkAlongIndex(db, prepared, size) ?? sortMatching(db, prepared, null);
  const longest = longestWalk(size);
  const short = Math.max(minWalkRows, Math.ceil(2 * even));
  // Where the longest would hardly go further, it is the only one.
  const isOnlyOne = longest.entries < 4 * short;
  const first = isOnlyOne ? longest : { entries: short, lookups: Math.min(short, longest.lookups) };
  const found = walkAlongIndex(db, prepared, size, first);
  if (found !== null) return found;
  const narrow = narrowest(db, shape, filter, Math.max(even, size * narrowShare));
  if (narrow !== null) return sortMatching(db, prepared, narrow);
  const further = isOnlyOne ? null : walkAlongIndex(db, prepared, size, longest);
  return further ?? sortMatching(db, prepared, null);
}

/** False where a look for a source of so few rows would be in vain, or a walk passes only rows that match. */
function mayBeFew(db: Sql, { shape, filter, index }: PreparedQuery, rows: number): boolean {
  if (servedBy(index, filter).length === filter.length) return false;
  return (keptCount(db, shape, filter) ?? 0) <= rows;
}

/** To read and sort one row takes at least as long as to pass this many entries of an index. */
const entriesOfOneRow = 10;

/**
 * The limits of a walk that is tried before a few rows are sorted. Null: it is not worthwhile, as it would look rows up,
 * would be as long, or the matching rows are not scattered in its order: names with a word lie together.
 */
function walkInsteadOf(
  { rows }: Narrowed,
  { shape, filter, index, wanted }: PreparedQuery,
  size: number,
): WalkLimits | null {
  if (splitByIndex(shape, index, filter).lookedUp.length > 0) return null;
  if (filter.some(({ field }) => index.by.includes(field))) return null;
  const entries = Math.max(minWalkRows, rows * entriesOfOneRow);
  const expected = (wanted * size) / rows;
  return entries < 2 * expected ? null : { entries, lookups: 0 };
}

/** The columns and conditions that an index holds, and the conditions for which a row must be looked up. */
function splitByIndex(shape: TableShape, index: SqlIndex, filter: Filter) {
  const own = [...index.fields, ...index.by, ...index.beside];
  const isCovered = ({ field, op }: Filter[number]) => own.includes(field) && op !== 'contains';
  return {
    columns: [
      ...shape.columns.filter((field) => own.includes(field)).map(column),
      ...shape.letters.filter((field) => own.includes(field)).map(lettersColumn),
    ],
    covered: filterSql(shape, filter.filter(isCovered)),
    lookedUp: filter.filter((condition) => !isCovered(condition)),
  };
}

/** Walks along the index; null: it went as far as the limits, and did not fill the page. */
function walkAlongIndex(
  db: Sql,
  { shape, filter, index, after, wanted }: PreparedQuery,
  size: number,
  limits?: WalkLimits,
): readonly FoundRow[] | null {
  const { entries: most, lookups } = limits ?? { entries: size, lookups: size };
  // The limits count rows of one range; conditions that form no range are tested outside of it.
  const range = allOf(servedBy(index, filter).map((part) => conditionSql(shape, part)));
  const { columns, covered, lookedUp } = splitByIndex(shape, index, filter);
  const others = filterSql(shape, lookedUp);
  const found: FoundRow[] = [];
  for (const stretch of after) {
    const inside = allOf([range, stretch]);
    const along = sql(
      `FROM ${shape.table} INDEXED BY ${index.name} WHERE ${inside.text}`,
      ...inside.parameters,
    );
    const entries = sql(
      `SELECT ${['row', 'id', ...columns].join(', ')} ${along.text} ORDER BY ${orderBy(index)} LIMIT ?`,
      ...along.parameters,
      most,
    );
    const left = wanted - found.length;
    // Aliased as the table, because the conditions use its name.
    const likely = sql(
      `SELECT row, id FROM (${entries.text}) AS ${shape.table} WHERE ${covered.text} LIMIT ?`,
      ...entries.parameters,
      ...covered.parameters,
      lookedUp.length === 0 ? left : lookups,
    );
    const rows = sql(
      `SELECT likely.row, likely.id FROM (${likely.text}) AS likely ` +
        `CROSS JOIN ${shape.table} ON ${shape.table}.row = likely.row WHERE ${others.text} LIMIT ?`,
      ...likely.parameters,
      ...others.parameters,
      left,
    );
    found.push(...withDocuments(db, shape, lookedUp.length === 0 ? likely : rows));
    if (found.length >= wanted) return found;
    // Such a walk has reached the end of the range.
    if (limits === undefined || size <= minWalkRows) continue;
    const passed = sql(`SELECT 1 ${along.text} LIMIT ?`, ...along.parameters, most);
    if (countOf(db, passed) >= most) return null;
    if (lookedUp.length > 0 && countOf(db, likely) >= lookups) return null;
  }
  return found;
}

function sortMatching(
  db: Sql,
  { shape, filter, index, after, where, wanted }: PreparedQuery,
  source: Narrowed | null,
): readonly FoundRow[] {
  const from = rowsOf(shape, source ?? coveringIndex(shape, filter, [], index.by));
  const all = allOf([anyOf(after), where]);
  const rows = sql(
    `SELECT row, id ${from.text} AND ${all.text} ORDER BY ${orderBy(index)} LIMIT ?`,
    ...from.parameters,
    ...all.parameters,
    wanted,
  );
  return withDocuments(db, shape, rows);
}

/** Reads the documents of rows. Materialized, so that only the page's documents are read, in the order of its rows. */
function withDocuments(db: Sql, shape: TableShape, { text, parameters }: Fragment): FoundRow[] {
  const rows = db.all<{ id: Uint8Array; json: Uint8Array | null }>(
    `WITH page AS MATERIALIZED (${text}) SELECT CAST(id AS BLOB) AS id, ` +
      `(SELECT ${jsonBytes} FROM ${shape.documents} d WHERE d.row = page.row) AS json FROM page`,
    parameters,
  );
  return rows.map(({ id, json }) => ({ id: idIn(db, id), json: json && jsonIn(db, json) }));
}
