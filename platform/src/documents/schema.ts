import { type Sql, textIn, valueIn } from '../sqlite/index.js';
import { createCounts } from './counts.js';
import type { CollectionSpec } from './port.js';
import {
  bigramsTable,
  column,
  lettersColumn,
  multikeyTable,
  type SqlIndex,
  type TableShape,
  toShape,
  unionOfIndexes,
  vocabularyTable,
  withoutLateIndexes,
  wordsTable,
} from './shape.js';

/** 64 MB: writes touch pages of all indexes at random, and the default of 2 MB reads them again and again. */
const largeCache = 'PRAGMA cache_size = -65536;';

/**
 * A batch of goods touches thousands of pages, so at the default of 1,000 nearly every commit would copy them
 * all from the WAL into the file. Among 8,000 (64 MB) most are the same pages again.
 */
const rareCheckpoints = 'PRAGMA wal_autocheckpoint = 8000;';

/** The table of collections and their specs. No collection has its name, as none contains `$`. */
export const schema = `${largeCache} ${rareCheckpoints}
  CREATE TABLE IF NOT EXISTS "$collections" (name TEXT PRIMARY KEY, spec TEXT NOT NULL);`;

/**
 * The format of words: 2 added a vocabulary, 3 added letters to the rows and indexes of words fields. Words of older
 * formats are rebuilt.
 */
const format = 3;

interface StoredSpec extends CollectionSpec {
  readonly format?: number;
  /** Nobody reads the collection yet, and it has no late indexes. */
  readonly loading?: true;
}

/** What a name or a spec is, for the message about a damaged one. */
const A_COLLECTION = 'a collection';

export const isCurrent = (spec: StoredSpec): boolean => spec.format === format;

export function readSpec(db: Sql, name: string): StoredSpec | null {
  const [row] = db.all<{ bytes: Uint8Array }>(
    'SELECT CAST(spec AS BLOB) AS bytes FROM "$collections" WHERE name = ?',
    [name],
  );
  return row ? valueIn(db, textIn(db, row.bytes, A_COLLECTION), A_COLLECTION) : null;
}

export function collectionNames(db: Sql): readonly string[] {
  const text = 'SELECT CAST(name AS BLOB) AS bytes FROM "$collections" ORDER BY name';
  return db.all<{ bytes: Uint8Array }>(text).map(({ bytes }) => textIn(db, bytes, A_COLLECTION));
}

/** Whether everything that the spec declares exists already; during a load, except late indexes. */
export function isEnsured(db: Sql, { name, indexes }: CollectionSpec, loading: boolean): boolean {
  const known = readSpec(db, name);
  return (
    known !== null &&
    isCurrent(known) &&
    unionOfIndexes(known.indexes, indexes).length === known.indexes.length &&
    (loading || known.loading !== true)
  );
}

export function writeSpec(db: Sql, spec: CollectionSpec, loading: boolean): void {
  db.run('INSERT OR REPLACE INTO "$collections" (name, spec) VALUES (?, ?)', [
    spec.name,
    JSON.stringify({ ...spec, format, ...(loading && { loading }) } satisfies StoredSpec),
  ]);
  // `createShapeLookup` notices a change by the schema. An index that is only declared to serve both orders changes none.
  db.exec('CREATE TABLE "$changed" (x); DROP TABLE "$changed"');
}

/**
 * Looks up a collection's current shape; null: there is no such collection. Shapes are cached, and read again
 * when any process has changed the schema.
 */
export function createShapeLookup(db: Sql): (name: string) => TableShape | null {
  const known = new Map<string, TableShape>();
  let version = -1;
  return (name) => {
    const [now] = db.all<{ schema_version: number }>('PRAGMA schema_version');
    if (now?.schema_version !== version) known.clear();
    version = now?.schema_version ?? -1;
    const shape = known.get(name);
    if (shape) return shape;
    const spec = readSpec(db, name);
    if (!spec) return null;
    const whole = toShape(spec, isCurrent(spec));
    const read = spec.loading === true ? withoutLateIndexes(whole) : whole;
    known.set(name, read);
    return read;
  };
}

/** Creates what `shape` has and `before` lacks, except indexes, which are faster to build on existing rows. */
export function makeTables(db: Sql, shape: TableShape, before: TableShape | null): void {
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
  createCounts(db, shape, before);
}

const wordsIn = (shape: TableShape, { fields, by, beside }: SqlIndex): readonly string[] =>
  shape.words.filter((field) => [...fields, ...by, ...beside].includes(field));

/** Creates up to `most` of the missing indexes; true: some are still missing. */
export function makeIndexes(db: Sql, shape: TableShape, most = Infinity): boolean {
  const rows = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'index'");
  const made = new Set(rows.map(({ name }) => `"${name}"`));
  const missing = shape.sqlIndexes.filter(({ name }) => !made.has(name));
  for (const index of missing.slice(0, most)) {
    const { name, fields, by, beside, order } = index;
    const columns = [
      ...fields.map(column),
      ...by.map((field) => `${column(field)} ${order.toUpperCase()}`),
      'id',
      ...beside.map(column),
      // So that words are tested without reading the row.
      ...wordsIn(shape, index)
        .filter((field) => shape.letters.includes(field))
        .map(lettersColumn),
    ];
    const kind = name === shape.sqlIndexes[0]?.name ? 'UNIQUE INDEX' : 'INDEX';
    db.exec(`CREATE ${kind} ${name} ON ${shape.table} (${columns.join(', ')})`);
  }
  return missing.length > most;
}

export function dropTables(db: Sql, shape: TableShape): void {
  const side = [
    ...shape.multikey.map((field) => multikeyTable(shape.name, field)),
    ...shape.words.flatMap((field) => wordsTables(shape, field)),
    ...shape.counted.map(({ table }) => table),
  ];
  for (const table of [...side, shape.documents, shape.table]) {
    db.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}

/** The side tables of a words field, also those of earlier formats. */
function wordsTables({ name }: TableShape, field: string): readonly string[] {
  return [wordsTable, vocabularyTable, bigramsTable].map((tableOf) => tableOf(name, field));
}

/** Drops the words of an earlier format, so that they are rebuilt; returns the shape without them. */
export function withoutWords(db: Sql, shape: TableShape): TableShape {
  for (const table of shape.words.flatMap((field) => wordsTables(shape, field))) {
    db.exec(`DROP TABLE IF EXISTS ${table}`);
  }
  for (const index of shape.sqlIndexes)
    if (wordsIn(shape, index).length > 0) db.exec(`DROP INDEX IF EXISTS ${index.name}`);
  return { ...shape, words: [], letters: [] };
}
