import type { Sql } from '../sqlite/index.js';
import {
  allOf,
  anyOf,
  checkFilter,
  conditionSql,
  type Fragment,
  filterSql,
  sql,
} from './conditions.js';
import { cursorAfter, orderBy, placeOf, stretches } from './cursor.js';
import {
  type Document,
  type Filter,
  InvalidDocument,
  type Page,
  type Query,
  type Stored,
  UnservedQuery,
} from './port.js';
import { jsonBytes, jsonIn } from './rows.js';
import { column, lettersColumn, type Shape, type SqlIndex, walkIndex } from './shape.js';
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

/** Rows; a walk this short is never worth giving up. */
const leastWalk = 1_000;
/**
 * How far a walk goes before all rows are read instead, as shares of them: along the index alone, and where the index
 * lacks something that is asked for and each row has to be looked up, which takes as long as 20 to 30 entries.
 */
const walkedShare = 1 / 16;
const lookedUpShare = 1 / 50;

interface Found {
  readonly id: string;
  /** Null: the row's document is gone, which no commit does, but hands and bad disks do. */
  readonly json: string | null;
}

type Whole = Found & { readonly json: string };
const isWhole = (found: Found): found is Whole => found.json !== null;

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
    where: filterSql(shape, filter),
    // One more tells whether there is a next page.
    wanted: limit === undefined ? Number.MAX_SAFE_INTEGER : limit + 1,
  };
}

/**
 * One page. There are three ways to it, with the same answer: a narrow source, sorted afterwards; a
 * walk along the sorted index, each row tested; reading all rows. Where h of n rows match, a walk to
 * `wanted` of them tests wanted × n / h rows, each at about twice the price of one of the source's h:
 * the source is the cheaper way up to h = √(2 × wanted × n). A walk that finds much less than it
 * should (conditions that exclude each other, goods that lie elsewhere in this order) is given up.
 *
 * A row without a document is left out and told to `missed`; the page is filled up with those that come after it.
 */
export function findPage<D extends Document>(
  db: Sql,
  shape: Shape,
  query: Query,
  missed: (id: string) => void,
): Page<D> {
  const prepared = prepare(shape, query);
  for (let more = 0; ; ) {
    const wanted = Math.min(prepared.wanted + more, Number.MAX_SAFE_INTEGER);
    const found = rowsFound(db, { ...prepared, wanted }, query);
    const whole = found.filter(isWhole);
    if (whole.length >= prepared.wanted || found.length < wanted) {
      for (const { id, json } of found) if (json === null) missed(id);
      return pageOf<D>(query, whole);
    }
    more = 2 * (found.length - whole.length);
  }
}

/** The rows themselves, by the cheapest of the three ways. */
function rowsFound(db: Sql, prepared: Prepared, query: Query): readonly Found[] {
  const { shape } = prepared;
  const size = sizeOf(db, shape);
  const even = Math.sqrt(2 * Math.min(prepared.wanted, size) * size);
  const bound = Math.max(even, size * narrowShare);
  const source = narrowest(db, shape, prepared.filter, Math.min(bound, size));
  return (
    (source && source.rows <= even ? sorted(db, prepared, source) : null) ??
    walk(db, prepared, size, query.limit === undefined) ??
    sorted(db, prepared, source)
  );
}

/** What an index tells of a row without looking it up. */
function parted(shape: Shape, index: SqlIndex, filter: Filter) {
  const own = [...index.fields, ...index.by, ...index.beside];
  const isHeld = ({ field, op }: Filter[number]) => own.includes(field) && op !== 'contains';
  return {
    columns: [
      ...shape.columns.filter((field) => own.includes(field)).map(column),
      ...shape.letters.filter((field) => own.includes(field)).map(lettersColumn),
    ],
    held: filterSql(shape, filter.filter(isHeld)),
    lookedUp: filter.filter((condition) => !isHeld(condition)),
  };
}

/** Null: it went as far as is worth it, and not far enough. */
function walk(
  db: Sql,
  { shape, filter, index, after, wanted }: Prepared,
  size: number,
  isAll: boolean,
): readonly Found[] | null {
  const most = (share: number) => (isAll ? size : Math.max(leastWalk, Math.ceil(size * share)));
  // The limits count rows of one range; what is not a range is tested outside of it.
  const range = allOf(servedBy(index, filter).map((part) => conditionSql(shape, part)));
  const { columns, held, lookedUp } = parted(shape, index, filter);
  const others = filterSql(shape, lookedUp);
  const found: Found[] = [];
  for (const stretch of after) {
    const inside = allOf([range, stretch]);
    const along = sql(
      `FROM ${shape.table} INDEXED BY ${index.name} WHERE ${inside.text}`,
      ...inside.parameters,
    );
    const entries = sql(
      `SELECT ${['row', 'id', ...columns].join(', ')} ${along.text} ORDER BY ${orderBy(index)} LIMIT ?`,
      ...along.parameters,
      most(walkedShare),
    );
    const left = wanted - found.length;
    // Named like the table, whose name the conditions use.
    const likely = sql(
      `SELECT row, id FROM (${entries.text}) AS ${shape.table} WHERE ${held.text} LIMIT ?`,
      ...entries.parameters,
      ...held.parameters,
      lookedUp.length === 0 ? left : most(lookedUpShare),
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
    // A small collection was gone through to its end.
    if (isAll || size <= leastWalk) continue;
    const passed = sql(`SELECT 1 ${along.text} LIMIT ?`, ...along.parameters, most(walkedShare));
    if (countOf(db, passed) >= most(walkedShare)) return null;
    if (lookedUp.length > 0 && countOf(db, likely) >= most(lookedUpShare)) return null;
  }
  return found;
}

function sorted(
  db: Sql,
  { shape, filter, index, after, where, wanted }: Prepared,
  source: Narrowed | null,
): readonly Found[] {
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

/** Materialized, so that only the page's documents are read, in the order of its rows. */
function withDocuments(db: Sql, shape: Shape, { text, parameters }: Fragment): Found[] {
  const rows = db.all<{ id: string; json: Uint8Array | null }>(
    `WITH page AS MATERIALIZED (${text}) SELECT id, ` +
      `(SELECT ${jsonBytes} FROM ${shape.documents} d WHERE d.row = page.row) AS json FROM page`,
    parameters,
  );
  return rows.map(({ id, json }) => ({ id, json: json && jsonIn(db, json) }));
}

function pageOf<D extends Document>(query: Query, found: readonly Whole[]): Page<D> {
  const shown = query.limit === undefined ? found : found.slice(0, query.limit);
  const items = shown.map(({ id, json }): Stored<D> => ({ id, document: JSON.parse(json) as D }));
  const last = items.at(-1);
  const isMore = last !== undefined && found.length > shown.length;
  return { items, next: isMore ? cursorAfter(query, last.id, last.document) : null };
}
