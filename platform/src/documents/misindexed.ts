import { yieldToEventLoop } from '../clock.js';
import { type Sql, textIn } from '../sqlite/index.js';
import { findMiscounted, scalarsIn } from './counts.js';
import type { Misindexed, Scalar } from './port.js';
import { documentIn, idIn, jsonIn } from './rows.js';
import { asIndexed, columnAsJson, scalarsOf } from './scalars.js';
import {
  column,
  indexedValue,
  lettersColumn,
  multikeyTable,
  type TableShape,
  vocabularyTable,
  wordsTable,
} from './shape.js';
import { letterBits, tokensOf } from './words.js';

interface Row {
  readonly row: number;
  readonly id: Uint8Array;
  /** Null: the document is lost, so everything in the row is wrong. */
  readonly json: Uint8Array | null;
  /** JSON lists. `held`: the columns, then the letters; `lists`: the list of each multikey field. */
  readonly held: Uint8Array;
  readonly lists: Uint8Array;
}

/** Rows in one snapshot; between two snapshots other work of the process runs. */
const PAGE = 500;

/** A text by which two sets of values can be compared. */
const sorted = (values: Iterable<Scalar>): string =>
  JSON.stringify([...new Set(values)].map((value) => JSON.stringify(value)).sort());

/** By row, the words by which the index finds it at one moment, in the form of `joinTokens`. */
type IndexedWords = ReadonlyMap<number, string>;

const joinTokens = (tokens: Iterable<string>): string => [...new Set(tokens)].sort().join(' ');

/** Reads the words of all rows at once: asking for each row by itself takes a hundred times as long. */
function readIndexedWords(db: Sql, shape: TableShape, field: string): IndexedWords {
  const table = wordsTable(shape.name, field);
  const list = 'temp."$instances"';
  // The temporary table belongs to the connection and not to the file, so a read-only connection may create it.
  db.exec('PRAGMA query_only = OFF');
  try {
    db.exec(`CREATE VIRTUAL TABLE ${list} USING fts5vocab(main, ${table}, 'instance')`);
    const rows = db.all<{ row: number; tokens: Uint8Array }>(
      `SELECT doc AS row, CAST(group_concat(term, ' ') AS BLOB) AS tokens FROM ${list} GROUP BY doc`,
    );
    return new Map(
      rows.map(({ row, tokens }) => [row, joinTokens(textIn(db, tokens, 'an index').split(' '))]),
    );
  } finally {
    // Also when the words are damaged: the connection goes on, and the next check makes the table again.
    db.exec(`DROP TABLE IF EXISTS ${list}`);
    db.exec('PRAGMA query_only = ON');
  }
}

/** Whether a row's words are all known and find the row. Extra rows do no harm: every search tests what it finds. */
function hasIndexedWords(
  db: Sql,
  shape: TableShape,
  field: string,
  {
    row,
    text,
    indexed,
  }: { readonly row: number; readonly text: string; readonly indexed?: IndexedWords },
): boolean {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return true;
  const vocabulary = vocabularyTable(shape.name, field);
  const unknown = db.all(
    `SELECT 1 FROM json_each(?) WHERE value NOT IN (SELECT word FROM ${vocabulary})`,
    [JSON.stringify(tokens)],
  );
  if (unknown.length > 0) return false;
  if (indexed?.get(row) === joinTokens(tokens)) return true;
  // The row may have changed since `indexed` was read, so ask again in this snapshot.
  const table = wordsTable(shape.name, field);
  const match = tokens.map((token) => `"${token}"`).join(' AND ');
  return (
    db.all(`SELECT 1 FROM ${table} WHERE ${table} MATCH ? AND rowid = ?`, [match, row]).length > 0
  );
}

function fieldsOf(
  db: Sql,
  shape: TableShape,
  { row, json, held, lists }: Row,
  known: ReadonlyMap<string, IndexedWords>,
): readonly string[] {
  if (json === null) return [...shape.columns, ...shape.multikey];
  const document = documentIn(db, jsonIn(db, json));
  const values = scalarsIn(db, held);
  const listed = scalarsIn<readonly Scalar[]>(db, lists);
  const { columns, letters, multikey } = shape;
  const wrong = columns.filter((field, i) => {
    const value = asIndexed(indexedValue(shape, document, field));
    if (values[i] !== value) return true;
    if (!letters.includes(field) || typeof value !== 'string') return false;
    const own = values[columns.length + letters.indexOf(field)];
    if (own !== letterBits(value)) return true;
    const indexed = known.get(field);
    return !hasIndexedWords(db, shape, field, { row, text: value, ...(indexed && { indexed }) });
  });
  const wrongLists = multikey.filter(
    (field, i) => sorted(listed[i] ?? []) !== sorted(scalarsOf(document, field).map(asIndexed)),
  );
  return [...wrong, ...wrongLists];
}

/**
 * Rows whose columns, lists or words differ from their document, checked page by page, each in one snapshot. If there
 * are none, and no `ids`, the counts that differ from the columns.
 */
export async function findMisindexed(
  db: Sql,
  shape: TableShape,
  snapshot: <T>(work: () => T) => T,
  ids?: readonly string[],
): Promise<readonly Misindexed[]> {
  const values = [...shape.columns.map(column), ...shape.letters.map(lettersColumn)];
  const lists = shape.multikey.map((field) => {
    const own = `SELECT json_group_array(${columnAsJson('value')}) FROM ${multikeyTable(shape.name, field)}`;
    return `json((${own} WHERE row = t.row))`;
  });
  const wanted = ids === undefined ? '' : 'AND t.id IN (SELECT value FROM json_each(?))';
  const text =
    `SELECT t.row, CAST(t.id AS BLOB) AS id, CAST(d.json AS BLOB) AS json, CAST(json_array(${values.map(columnAsJson).join(', ')}) AS BLOB) AS held, ` +
    `CAST(json_array(${lists.join(', ')}) AS BLOB) AS lists FROM ${shape.table} t ` +
    `LEFT JOIN ${shape.documents} d ON d.row = t.row WHERE t.row > ? ${wanted} ORDER BY t.row LIMIT ${PAGE}`;
  const known = new Map<string, IndexedWords>();
  if (ids === undefined)
    for (const field of shape.letters) known.set(field, readIndexedWords(db, shape, field));
  const found: Misindexed[] = [];
  for (let after = 0; ; ) {
    const rows = snapshot(() => {
      const read = db.all<Row>(text, [after, ...(ids === undefined ? [] : [JSON.stringify(ids)])]);
      for (const row of read) {
        const fields = fieldsOf(db, shape, row, known);
        if (fields.length > 0) found.push({ id: idIn(db, row.id), fields });
      }
      return read;
    });
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.row ?? 0;
    await yieldToEventLoop();
  }
  if (ids !== undefined || found.length > 0) return found;
  for (const counted of shape.counted) {
    const wrong = snapshot(() => findMiscounted(db, shape, counted));
    found.push(...wrong.map((id) => ({ id, fields: counted.fields })));
    await yieldToEventLoop();
  }
  return found;
}
