import { type Sql, textIn, valueIn } from '../sqlite/index.js';
import { type Fragment, filterSql, sql } from './conditions.js';
import type { Document, Filter, Scalar } from './port.js';
import { asIndexed, columnAsJson } from './scalars.js';
import { type Counted, column, indexedValue, type TableShape } from './shape.js';

/**
 * How many documents have each combination of some fields' values, updated with each write. A filter on these fields
 * alone is counted by adding up some hundreds of these numbers, however many documents there are.
 */

/** A document's values in the counted fields, in their order. @throws InvalidDocument for a value that is no scalar. */
export function countedValues(
  shape: TableShape,
  { fields }: Counted,
  document: Document,
): readonly Scalar[] {
  return fields.map((field) => asIndexed(indexedValue(shape, document, field)));
}

/** The key of a combination. It begins with the key of its first values, and no other combination does. */
const keyOf = (values: readonly Scalar[]): string =>
  values.map((value) => `${JSON.stringify(value)},`).join('');

/** Sorts after the first character of any JSON value. */
const end = '~';

/** The range of keys that can match, `to` excluded: those that begin with the values that the filter has equal. */
export function rangeOf({ fields }: Counted, filter: Filter): readonly [from: string, to: string] {
  const values: Scalar[] = [];
  for (const field of fields) {
    const equal = filter.find((one) => one.field === field && one.op === 'eq');
    if (equal?.op !== 'eq') break;
    values.push(asIndexed(equal.value));
  }
  const first = keyOf(values);
  return [first, `${first}${end}`];
}

/**
 * The counts that cover all fields of the filter and of `grouped`; null: there are none. Of several, those of
 * which the least has to be read.
 */
export function countedBy(
  { counted }: TableShape,
  filter: Filter,
  grouped: readonly string[] = [],
): Counted | null {
  const isAsked = [...filter.map(({ field }) => field), ...grouped];
  const isPlain = filter.every(({ op }) => op !== 'words' && op !== 'contains');
  const isEqual = new Set(filter.flatMap(({ op, field }) => (op === 'eq' ? [field] : [])));
  const equalOf = ({ fields }: Counted) => {
    const first = fields.findIndex((field) => !isEqual.has(field) || grouped.includes(field));
    return first < 0 ? fields.length : first;
  };
  const serving = counted.filter(
    ({ fields }) => isPlain && isAsked.every((field) => fields.includes(field)),
  );
  const [best = null] = serving.sort(
    (one, other) => equalOf(other) - equalOf(one) || one.fields.length - other.fields.length,
  );
  return best;
}

/** A combination, and by how much its count changes. */
interface Tallied {
  readonly key: string;
  readonly values: readonly Scalar[];
  readonly rows: number;
}

/** What some writes change in the counts; a document that leaves a combination and returns to it changes nothing. */
export interface Tally {
  add(counted: Counted, values: readonly Scalar[], rows: 1 | -1): void;
  changes(): Iterable<readonly [Counted, readonly Tallied[]]>;
}

export function createTally(): Tally {
  const all = new Map<Counted, Map<string, Tallied>>();
  return {
    add(counted, values, rows) {
      const own = all.get(counted) ?? new Map<string, Tallied>();
      all.set(counted, own);
      const key = keyOf(values);
      own.set(key, { key, values, rows: (own.get(key)?.rows ?? 0) + rows });
    },
    *changes() {
      for (const [counted, own] of all)
        yield [counted, [...own.values()].filter(({ rows }) => rows !== 0)];
    },
  };
}

/** Tallies the change of a document; null stands for a missing one. */
export function tallyDocuments(
  tally: Tally,
  shape: TableShape,
  before: Document | null,
  after: Document | null,
): void {
  for (const counted of shape.counted) {
    if (before !== null) tally.add(counted, countedValues(shape, counted, before), -1);
    if (after !== null) tally.add(counted, countedValues(shape, counted, after), 1);
  }
}

/** Values of an index, from a JSON list that was read as bytes. @throws DamagedFile */
export const scalarsIn = <T = Scalar>(db: Sql, bytes: Uint8Array): readonly T[] =>
  valueIn<readonly T[]>(db, textIn(db, bytes, 'an index'), 'an index');

/** Tallies the removal of a row whose document is lost, by its columns. */
export function tallyRowGone(db: Sql, tally: Tally, shape: TableShape, row: number): void {
  for (const counted of shape.counted) {
    const values = `json_array(${counted.fields.map(column).map(columnAsJson).join(', ')})`;
    const text = `SELECT CAST(${values} AS BLOB) AS held FROM ${shape.table} WHERE row = ?`;
    const [found] = db.all<{ held: Uint8Array }>(text, [row]);
    if (found) tally.add(counted, scalarsIn(db, found.held), -1);
  }
}

/** Creates the tables of counts that `before` lacks, empty; an earlier release may have left an old one. */
export function createCounts(db: Sql, shape: TableShape, before: TableShape | null): void {
  for (const { table, fields } of missingCounts(shape, before)) {
    db.exec(`DROP TABLE IF EXISTS ${table}`);
    const columns = ['key TEXT PRIMARY KEY', ...fields.map(column), 'rows INTEGER NOT NULL'];
    db.exec(`CREATE TABLE ${table} (${columns.join(', ')}) WITHOUT ROWID`);
  }
}

export const missingCounts = (shape: TableShape, before: TableShape | null): readonly Counted[] =>
  shape.counted.filter(({ table }) => !before?.counted.some((known) => known.table === table));

/** The combinations whose count differs from the rows, at one moment, as JSON lists of their values. */
export function findMiscounted(
  db: Sql,
  { table }: TableShape,
  counted: Counted,
): readonly string[] {
  const columns = counted.fields.map(column);
  const names = columns.join(', ');
  const text =
    `SELECT CAST(json_array(${columns.map(columnAsJson).join(', ')}) AS BLOB) AS held FROM (` +
    `SELECT ${names}, rows FROM ${counted.table} ` +
    `UNION ALL SELECT ${names}, -count(*) FROM ${table} GROUP BY ${names}` +
    `) GROUP BY ${names} HAVING sum(rows) <> 0`;
  return db.all<{ held: Uint8Array }>(text, []).map(({ held }) => textIn(db, held, 'an index'));
}

/** SQL for a value of a JSON text, as a column stores it. */
const fromJson = (place: string): string =>
  `CASE json_type(value, '${place}') WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
  `ELSE json_extract(value, '${place}') END`;

/** Adds a tally to the tables of counts; combinations without a document are removed. */
export function writeTally(db: Sql, tally: Tally): void {
  for (const [{ table, fields }, changes] of tally.changes()) {
    if (changes.length === 0) continue;
    const places = fields.map((_, at) => fromJson(`$[2][${at}]`));
    db.run(
      `INSERT INTO ${table} (key, ${fields.map(column).join(', ')}, rows) ` +
        `SELECT json_extract(value, '$[0]'), ${places.join(', ')}, json_extract(value, '$[1]') ` +
        'FROM json_each(?) WHERE true ON CONFLICT (key) DO UPDATE SET rows = rows + excluded.rows',
      [JSON.stringify(changes.map(({ key, rows, values }) => [key, rows, values]))],
    );
    const fewer = changes.filter(({ rows }) => rows < 0).map(({ key }) => key);
    if (fewer.length === 0) continue;
    db.run(`DELETE FROM ${table} WHERE key IN (SELECT value FROM json_each(?)) AND rows <= 0`, [
      JSON.stringify(fewer),
    ]);
  }
}

/** How many documents match, by the counts kept at each write; null: there are none for this filter. */
export function keptCount(db: Sql, shape: TableShape, filter: Filter): number | null {
  const counted = countedBy(shape, filter);
  if (counted === null) return null;
  const { text, parameters } = countsOf(shape, counted, filter);
  const [sum] = db.all<{ rows: number | null }>(`SELECT sum(rows) AS rows ${text}`, parameters);
  return sum?.rows ?? 0;
}

/** `FROM` and `WHERE` of the combinations that match. */
export function countsOf(shape: TableShape, counted: Counted, filter: Filter): Fragment {
  const where = filterSql(shape, filter);
  return sql(
    `FROM ${counted.table} WHERE key >= ? AND key < ? AND ${where.text}`,
    ...rangeOf(counted, filter),
    ...where.parameters,
  );
}
