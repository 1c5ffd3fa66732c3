import type { Sql } from '../sqlite/index.js';
import {
  allOf,
  candidateRows,
  conditionSql,
  type Fragment,
  type Source,
  sql,
} from './conditions.js';
import type { CollectionSpec, Filter } from './port.js';
import {
  bigramsTable,
  column,
  lettersColumn,
  multikeyTable,
  type Shape,
  type SqlIndex,
  shapeOf,
  vocabularyTable,
  wordsTable,
} from './shape.js';

/** Pages of all indexes are written to at random; the default of 2 MB reads them again and again. */
const largeCache = 'PRAGMA cache_size = -65536;';

/**
 * A batch of goods touches thousands of those pages, so at the default of 1,000 nearly every commit
 * would carry them all from the WAL into the file; of 8,000 (64 MB) most are the same ones again.
 */
const rareCheckpoints = 'PRAGMA wal_autocheckpoint = 8000;';

/** Collections and what they declare. `$` is in no collection's name. */
export const schema = `${largeCache} ${rareCheckpoints}
  CREATE TABLE IF NOT EXISTS "$collections" (name TEXT PRIMARY KEY, spec TEXT NOT NULL);`;

/**
 * How words are laid out: 2 since they have a vocabulary, 3 since rows and the indexes of such a field have its
 * letters. Older ones are made anew.
 */
const format = 3;

interface StoredSpec extends CollectionSpec {
  readonly format?: number;
}

export const isCurrent = (spec: StoredSpec): boolean => spec.format === format;

export function readSpec(db: Sql, name: string): StoredSpec | null {
  const [row] = db.all<{ spec: string }>('SELECT spec FROM "$collections" WHERE name = ?', [name]);
  return row ? (JSON.parse(row.spec) as StoredSpec) : null;
}

export function writeSpec(db: Sql, spec: CollectionSpec): void {
  db.run('INSERT OR REPLACE INTO "$collections" (name, spec) VALUES (?, ?)', [
    spec.name,
    JSON.stringify({ ...spec, format } satisfies StoredSpec),
  ]);
}

/**
 * The shapes of the collections as they are now, read again whenever any process has changed one.
 */
export function shapes(db: Sql): (name: string) => Shape | null {
  const known = new Map<string, Shape>();
  let version = -1;
  return (name) => {
    const [now] = db.all<{ schema_version: number }>('PRAGMA schema_version');
    if (now?.schema_version !== version) known.clear();
    version = now?.schema_version ?? -1;
    const shape = known.get(name);
    if (shape) return shape;
    const spec = readSpec(db, name);
    if (!spec) return null;
    const read = shapeOf(spec, isCurrent(spec));
    known.set(name, read);
    return read;
  };
}

/** Makes what `shape` has and `before` has not, but for indexes: those are made quicker of what is there. */
export function makeTables(db: Sql, shape: Shape, before: Shape | null): void {
  if (!before) {
    const values = [...shape.columns.map(column), ...shape.letters.map(lettersColumn)];
    const columns = ['row INTEGER PRIMARY KEY', 'id TEXT NOT NULL', ...values];
    db.exec(`CREATE TABLE ${shape.table} (${columns.join(', ')})`);
    db.exec(`CREATE TABLE ${shape.documents} (row INTEGER PRIMARY KEY, json TEXT NOT NULL)`);
  } else {
    const added = [
      ...shape.columns.filter((name) => !before.columns.includes(name)).map(column),
      ...shape.letters.filter((name) => !before.letters.includes(name)).map(lettersColumn),
    ];
    for (const name of added) db.exec(`ALTER TABLE ${shape.table} ADD COLUMN ${name}`);
  }
  for (const field of shape.multikey.filter((name) => !before?.multikey.includes(name))) {
    const table = multikeyTable(shape.name, field);
    const byRow = `"${shape.name}$row$${field}"`;
    db.exec(`CREATE TABLE ${table} (value, row INTEGER, PRIMARY KEY (value, row)) WITHOUT ROWID`);
    db.exec(`CREATE INDEX ${byRow} ON ${table} (row)`);
  }
  for (const field of shape.words.filter((name) => !before?.words.includes(name))) {
    db.exec(
      `CREATE VIRTUAL TABLE ${wordsTable(shape.name, field)} ` +
        `USING fts5(tokens, content='', contentless_delete=1, detail='none', tokenize='ascii')`,
    );
    const vocabulary = vocabularyTable(shape.name, field);
    db.exec(`CREATE TABLE ${vocabulary} (word TEXT PRIMARY KEY) WITHOUT ROWID`);
  }
}

const wordsIn = (shape: Shape, { fields, by }: SqlIndex): readonly string[] =>
  shape.words.filter((field) => fields.includes(field) || by.includes(field));

export function makeIndexes(db: Sql, shape: Shape): void {
  for (const index of shape.sqlIndexes) {
    const { name, fields, by, order } = index;
    const columns = [
      ...fields.map(column),
      ...by.map((field) => `${column(field)} ${order.toUpperCase()}`),
      'id',
      // So that words are looked for without touching a row.
      ...wordsIn(shape, index)
        .filter((field) => shape.letters.includes(field))
        .map(lettersColumn),
    ];
    const kind = name === shape.sqlIndexes[0]?.name ? 'UNIQUE INDEX' : 'INDEX';
    db.exec(`CREATE ${kind} IF NOT EXISTS ${name} ON ${shape.table} (${columns.join(', ')})`);
  }
}

export function dropTables(db: Sql, shape: Shape): void {
  const side = [
    ...shape.multikey.map((field) => multikeyTable(shape.name, field)),
    ...shape.words.flatMap((field) => wordsTables(shape, field)),
  ];
  for (const table of [...side, shape.documents, shape.table]) {
    db.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}

/** What a words field has beside its column, also what it had in an earlier format. */
function wordsTables({ name }: Shape, field: string): readonly string[] {
  return [wordsTable, vocabularyTable, bigramsTable].map((tableOf) => tableOf(name, field));
}

/** Takes the words of an earlier format away, so that they are made anew. */
export function withoutWords(db: Sql, shape: Shape): Shape {
  for (const table of shape.words.flatMap((field) => wordsTables(shape, field))) {
    db.exec(`DROP TABLE IF EXISTS ${table}`);
  }
  for (const index of shape.sqlIndexes)
    if (wordsIn(shape, index).length > 0) db.exec(`DROP INDEX IF EXISTS ${index.name}`);
  return { ...shape, words: [], letters: [] };
}

/**
 * What makes one range of an index: equal conditions on the fields it begins with, then any on the
 * next field.
 */
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

/** Sources of more than this share of the rows are no quicker than reading all of them. */
export const narrowShare = 1 / 20;

/** Every way to narrow this filter that the declared indexes offer. */
export function sourcesOf(db: Sql, shape: Shape, filter: Filter): readonly Source[] {
  const byIndex = new Map<string, Source>();
  for (const index of shape.sqlIndexes) {
    const served = servedBy(index, filter);
    const key = served.map((condition) => filter.indexOf(condition)).join();
    if (served.length === 0 || byIndex.has(key)) continue;
    const where = allOf(served.map((condition) => conditionSql(shape, condition)));
    const text = `SELECT row FROM ${shape.table} INDEXED BY ${index.name} WHERE ${where.text}`;
    byIndex.set(key, { ...sql(text, ...where.parameters), weight: 1 });
  }
  const fromSideTables = filter.flatMap((condition) => candidateRows(db, shape, condition) ?? []);
  return [...byIndex.values(), ...fromSideTables];
}

/**
 * The narrowest source of at most `bound` rows, or null when all are broader; of one whose rows are dearer to find,
 * fewer, so that finding out costs as little.
 */
export function narrowest(
  db: Sql,
  sources: readonly Source[],
  bound: number,
): (Source & { readonly rows: number }) | null {
  let best: (Source & { readonly rows: number }) | null = null;
  let fewest = Math.floor(bound) + 1;
  for (const source of sources) {
    const { text, parameters, weight } = source;
    const most = Math.min(fewest, Math.floor(bound / weight) + 1);
    const rows = countOf(db, sql(`${text} LIMIT ?`, ...parameters, most));
    if (rows < most) {
      best = { ...source, rows };
      fewest = rows;
    }
  }
  return best;
}

/**
 * `FROM` and `WHERE` that read a source's rows, or all rows, in the order they lie in: far quicker than in the order of
 * an index, unless that has all that is looked at.
 */
export function rowsOf(shape: Shape, source: Source | CoveringIndex | null): Fragment {
  if (source !== null && 'name' in source)
    return sql(`FROM ${shape.table} INDEXED BY ${source.name} WHERE 1`);
  const all = `FROM ${shape.table} NOT INDEXED WHERE`;
  return source ? sql(`${all} row IN (${source.text})`, ...source.parameters) : sql(`${all} 1`);
}

/**
 * An index that has, from its first column on, what the filter has equal, right behind it the `grouped` fields in any
 * order, and in which everything else that the filter asks for can be tested and the `sorted` fields read: along it no
 * row is touched, and equal values of the grouped fields lie together. Null: there is none. Of several the one whose
 * range is narrowest.
 */
export function coveringIndex(
  shape: Shape,
  filter: Filter,
  grouped: readonly string[] = [],
  sorted: readonly string[] = [],
): CoveringIndex | null {
  const isEqual = new Set(filter.flatMap(({ op, field }) => (op === 'eq' ? [field] : [])));
  const asked = [...filter.map(({ field }) => field), ...sorted];
  const covering = shape.sqlIndexes.flatMap(({ name, fields, by }) => {
    const columns = [...fields, ...by];
    const end = columns.findIndex((field) => !isEqual.has(field));
    const next = columns.slice(end, end + grouped.length);
    const serves =
      end >= 0 &&
      grouped.every((field) => next.includes(field)) &&
      asked.every((field) => columns.includes(field));
    return serves ? [{ name, equal: end, grouped: next }] : [];
  });
  return covering.sort((one, other) => other.equal - one.equal)[0] ?? null;
}

export interface CoveringIndex {
  readonly name: string;
  /** How many of its columns, from the first on, the filter has equal. */
  readonly equal: number;
  /** As they lie in it. */
  readonly grouped: readonly string[];
}

export function countOf(db: Sql, { text, parameters }: Fragment): number {
  const [counted] = db.all<{ rows: number }>(`SELECT count(*) AS rows FROM (${text})`, parameters);
  return counted?.rows ?? 0;
}

/** About how many rows there are; exact where nothing was deleted. */
export function sizeOf(db: Sql, shape: Shape): number {
  return (
    db.all<{ rows: number }>(`SELECT coalesce(max(row), 0) AS rows FROM ${shape.table}`)[0]?.rows ??
    0
  );
}

/**
 * The index that walks the rows in the order asked for, with the most equal fields before it; its
 * `order` is the way to walk it.
 */
export function walkIndex(
  shape: Shape,
  filter: Filter,
  sort: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[],
): SqlIndex | null {
  const equal = new Set(filter.flatMap(({ field, op }) => (op === 'eq' ? [field] : [])));
  const way = sort[0]?.order ?? 'asc';
  const serves = ({ fields, by, order, bothWays }: SqlIndex) =>
    fields.every((field) => equal.has(field)) &&
    by.length === sort.length &&
    (bothWays || order === way) &&
    sort.every((part, at) => part.field === by[at] && part.order === way);
  const serving = shape.sqlIndexes.filter(serves);
  const [best] = serving.sort((one, other) => other.fields.length - one.fields.length);
  return best ? { ...best, order: way } : null;
}
