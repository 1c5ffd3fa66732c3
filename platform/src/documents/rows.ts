import { checkedParameters, type Parameter, type Sql, textIn, valueIn } from '../sqlite/index.js';
import {
  createTally,
  missingCounts,
  type Tally,
  tallyDocuments,
  tallyRowGone,
  writeTally,
} from './counts.js';
import type { Document } from './port.js';
import { canonicalJson, scalarOf, scalarsOf, storableText, textOf, toColumn } from './scalars.js';
import {
  column,
  indexedValue,
  lettersColumn,
  multikeyTable,
  type TableShape,
  wordsTable,
} from './shape.js';
import { addWords, letterBits, tokensOf } from './words.js';

/** Reads `json` as bytes, for `jsonIn`. */
export const jsonBytes = 'CAST(json AS BLOB)';

const A_DOCUMENT = 'a document';

/** A document's text. @throws DamagedFile for bytes that are not UTF-8. */
export const jsonIn = (db: Sql, bytes: Uint8Array): string => textIn(db, bytes, A_DOCUMENT);

/** The document of a text. @throws DamagedFile for a text that is no JSON. */
export const documentIn = <D extends Document = Document>(db: Sql, json: string): D =>
  valueIn<D>(db, json, A_DOCUMENT);

/** The id of a row, which was read as bytes. @throws DamagedFile */
export const idIn = (db: Sql, bytes: Uint8Array): string => textIn(db, bytes, 'an id');

interface Row {
  readonly row: number;
  readonly json: Uint8Array;
}

/** `json` is null when the row's document is lost: no commit causes that, but a bad disk or a manual change can. */
interface StoredRow {
  readonly row: number;
  readonly json: string | null;
}

export function readRow(db: Sql, shape: TableShape, id: string): StoredRow | null {
  const [kept] = db.all<{ row: number; json: Uint8Array | null }>(textsOf(shape).read, [id]);
  if (kept === undefined) return null;
  return { row: kept.row, json: kept.json && jsonIn(db, kept.json) };
}

/** The SQL that runs row by row. Building the texts each time would cost as much as running some of them. */
interface Texts {
  readonly read: string;
  /** Gives the row the next number; does nothing when the id exists already. */
  readonly insert: string;
  readonly insertDocument: string;
  readonly updateDocument: string;
  readonly update: string;
}

const texts = new WeakMap<TableShape, Texts>();

function textsOf(shape: TableShape): Texts {
  const known = texts.get(shape);
  if (known) return known;
  const { table, documents } = shape;
  const columns = [...shape.columns.map(column), ...shape.letters.map(lettersColumn)];
  const names = ['id', ...columns];
  const made: Texts = {
    read: `SELECT t.row, ${jsonBytes} AS json FROM ${table} t LEFT JOIN ${documents} d ON d.row = t.row WHERE t.id = ?`,
    insert:
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ` +
      'ON CONFLICT (id) DO NOTHING',
    insertDocument: `INSERT INTO ${documents} (row, json) VALUES (?, ?)`,
    updateDocument: `UPDATE ${documents} SET json = ? WHERE row = ?`,
    update: `UPDATE ${table} SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE row = ?`,
  };
  texts.set(shape, made);
  return made;
}

/** The existing documents of these ids, as JSON by id, read in one statement. */
export function readRows(
  db: Sql,
  shape: TableShape,
  ids: readonly string[],
): ReadonlyMap<string, string> {
  const text =
    `SELECT CAST(t.id AS BLOB) AS id, CAST(d.json AS BLOB) AS json FROM json_each(?) wanted JOIN ${shape.table} t ON t.id = wanted.value ` +
    `JOIN ${shape.documents} d ON d.row = t.row`;
  const asked = [JSON.stringify(checkedParameters(ids))];
  const rows = db.all<{ id: Uint8Array; json: Uint8Array }>(text, asked);
  return new Map(rows.map(({ id, json }) => [idIn(db, id), jsonIn(db, json)]));
}

/** Puts a document; `json` is canonical. Writes side tables only where it differs; adds the change to `tally`. */
export function putRow(db: Sql, shape: TableShape, id: string, json: string, tally: Tally): void {
  const isIndexed = shape.columns.length + shape.multikey.length > 0;
  const document: Document = isIndexed ? JSON.parse(json) : {};
  const values = valuesOf(shape, document);
  const { insert, insertDocument, updateDocument } = textsOf(shape);
  const row = db.insert(insert, [id, ...values]);
  if (row !== null) {
    db.run(insertDocument, [row, json]);
    writeSideTables(db, shape, row, {}, document);
    tallyDocuments(tally, shape, null, document);
    return;
  }
  const old = readRow(db, shape, id);
  if (old === null || old.json === json) return;
  if (old.json === null) {
    deleteRow(db, shape, id, tally);
    putRow(db, shape, id, json, tally);
    return;
  }
  db.run(updateDocument, [json, old.row]);
  const before: Document = isIndexed ? documentIn(db, old.json) : {};
  if (shape.columns.some((field) => !same(before, document, field))) {
    setColumns(db, shape, old.row, values);
  }
  writeSideTables(db, shape, old.row, before, document);
  tallyDocuments(tally, shape, before, document);
}

export function deleteRow(db: Sql, shape: TableShape, id: string, tally: Tally): void {
  const old = readRow(db, shape, id);
  if (!old) return;
  if (old.json === null) tallyRowGone(db, tally, shape, old.row);
  else if (shape.counted.length > 0) tallyDocuments(tally, shape, documentIn(db, old.json), null);
  // Whatever the document holds: an entry left behind would belong to the next row with this number.
  for (const field of shape.multikey)
    db.run(`DELETE FROM ${multikeyTable(shape.name, field)} WHERE row = ?`, [old.row]);
  for (const field of shape.words)
    db.run(`DELETE FROM ${wordsTable(shape.name, field)} WHERE rowid = ?`, [old.row]);
  db.run(`DELETE FROM ${shape.documents} WHERE row = ?`, [old.row]);
  db.run(`DELETE FROM ${shape.table} WHERE row = ?`, [old.row]);
}

/** Fills what `shape` has and `before` lacks, from the existing documents. */
export function fillRows(db: Sql, shape: TableShape, before: TableShape): void {
  const missing = (of: (shape: TableShape) => readonly string[]) =>
    of(shape).filter((field) => !of(before).includes(field));
  const added: TableShape = {
    ...shape,
    columns: missing(({ columns }) => columns),
    letters: missing(({ letters }) => letters),
    multikey: missing(({ multikey }) => multikey),
    words: missing(({ words }) => words),
    counted: missingCounts(shape, before),
  };
  const { columns, letters, multikey, words, counted } = added;
  if ([columns, letters, multikey, words, counted].every(({ length }) => length === 0)) return;
  const tally = createTally();
  const next = `SELECT row, ${jsonBytes} AS json FROM ${shape.documents} WHERE row > ? ORDER BY row LIMIT 500`;
  let rows = db.all<Row>(next, [0]);
  while (rows.length > 0) {
    for (const { row, json } of rows) {
      const document = documentIn(db, jsonIn(db, json));
      // Existing columns and their indexes stay as they are: writing them again would cost as much as a new row.
      setColumns(db, added, row, valuesOf(added, document));
      writeSideTables(db, added, row, {}, document);
      // Only the whole shape knows whether a field holds text.
      tallyDocuments(tally, { ...shape, counted: added.counted }, null, document);
    }
    rows = db.all<Row>(next, [rows.at(-1)?.row ?? 0]);
  }
  writeTally(db, tally);
}

/** The values of a row's columns, then of its letters. */
const valuesOf = (shape: TableShape, document: Document): readonly Parameter[] => [
  ...shape.columns.map((field) => toColumn(indexedValue(shape, document, field))),
  ...shape.letters.map((field) => {
    const text = textOf(document, field);
    return text === null ? null : letterBits(storableText(text));
  }),
];

function same(one: Document, other: Document, field: string): boolean {
  return scalarOf(one, field) === scalarOf(other, field);
}

function setColumns(db: Sql, shape: TableShape, row: number, values: readonly Parameter[]): void {
  if (values.length > 0) db.run(textsOf(shape).update, [...values, row]);
}

/** Writes a row's lists and words where `after` differs from `before`. */
function writeSideTables(
  db: Sql,
  shape: TableShape,
  row: number,
  before: Document,
  after: Document,
): void {
  for (const field of shape.multikey) {
    const old = scalarsOf(before, field);
    const values = scalarsOf(after, field);
    if (canonicalJson(old) === canonicalJson(values)) continue;
    const table = multikeyTable(shape.name, field);
    if (old.length > 0) db.run(`DELETE FROM ${table} WHERE row = ?`, [row]);
    for (const value of values) {
      db.run(`INSERT OR IGNORE INTO ${table} (value, row) VALUES (?, ?)`, [toColumn(value), row]);
    }
  }
  for (const field of shape.words) {
    const old = textOf(before, field);
    const text = textOf(after, field);
    if (old === text) continue;
    const table = wordsTable(shape.name, field);
    if (old !== null) db.run(`DELETE FROM ${table} WHERE rowid = ?`, [row]);
    if (text !== null) {
      const tokens = tokensOf(text);
      addWords(db, shape, field, tokens);
      db.run(`INSERT INTO ${table} (rowid, tokens) VALUES (?, ?)`, [row, tokens.join(' ')]);
    }
  }
}
