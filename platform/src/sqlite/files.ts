import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { NoRoom } from '../eventstore/port.js';
import { damageIn, isBusy, isFull, openSql, type Sql, sqliteCode } from './sql.js';

const RETRY_MS = 10;
/** How long a reader may be in the way of a WAL that is emptied, in milliseconds. */
const READERS_MS = 10_000;

/**
 * Copies a consistent snapshot of a database while others write to it; deleted data is not copied. `from` must
 * exist, `to` must not. @throws DamagedFile, or when a file cannot be read or written.
 */
export function copyDatabase(from: string, to: string): void {
  // Opening it would make an empty one.
  if (!existsSync(from)) throw new Error(`There is no file ${from}`);
  const sql = openSql(from, { synchronous: 'FULL' });
  try {
    sql.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } catch (error) {
    // A copy makes every table and index again. Where their texts do not fit each other, SQLite blames the statement.
    const isSchema = error instanceof Error && sqliteCode(error) === 'SQLITE_ERROR';
    throw isSchema && !error.message.includes('already exists')
      ? damageIn(from, error.message)
      : error;
  } finally {
    sql.close();
  }
}

/**
 * Moves everything from a database's WAL into its file and empties the WAL, which until then still holds
 * deleted data. Retries while a reader is in the way. Returns whether it succeeded in time. @throws NoRoom
 */
export async function truncateWal(file: string): Promise<boolean> {
  const until = performance.now() + READERS_MS;
  const sql = openSql(file, { synchronous: 'FULL', busyTimeoutMs: 0 });
  try {
    for (;;) {
      try {
        const result = sql.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
        if (result?.busy === 0) return true;
      } catch (error) {
        if (isFull(error))
          throw new NoRoom(`The WAL of ${file} cannot be emptied, because its disk is full`);
        if (!isBusy(error)) throw error;
      }
      if (performance.now() > until) return false;
      await wait(RETRY_MS);
    }
  } finally {
    sql.close();
  }
}

/** In bytes: the largest file that is checked completely, which takes a tenth of a second. */
const wholeBytes = 32 * 1024 * 1024;
/** How many pages of a larger file are checked, evenly spaced. */
const sampledPages = 256;
/** The page at this byte offset is never written: SQLite locks the file there. */
const lockByte = 2 ** 30;

/**
 * Checks a database for damage, in a time that does not grow with its size. A file of up to `whole` bytes is checked
 * completely; of a larger one, so many pages that no stretch of more than a 256th of it is skipped. Damage that this
 * misses shows when it is read.
 *
 * @throws DamagedFile
 */
export function checkForDamage(file: string, { whole = wholeBytes } = {}): void {
  inspect(file, { isCopy: false }, (sql) => {
    const [pages, size] = [numberOf(sql, 'page_count'), numberOf(sql, 'page_size')];
    return pages * size <= whole
      ? runIntegrityCheck(sql)
      : checkSampledPages(sql, pages, lockByte / size + 1);
  });
}

/**
 * Looks at a database as it is at one moment: a read model that is rebuilt meanwhile takes its old tables away. `isCopy`
 * as for `checkCompletely`. `findDamage` says what is damaged; null: nothing. @throws DamagedFile
 */
function inspect(
  file: string,
  { isCopy }: { readonly isCopy: boolean },
  findDamage: (sql: Sql) => string | null,
): void {
  const sql = openSql(file, { readonly: true, immutable: isCopy, synchronous: 'FULL' });
  try {
    sql.exec('BEGIN');
    // The moment is that of the first read.
    sql.get('SELECT 1 FROM sqlite_master');
    const said = findDamage(sql);
    sql.exec('COMMIT');
    if (said !== null) throw damageIn(file, said);
  } finally {
    sql.close();
  }
}

const numberOf = (sql: Sql, pragma: string): number =>
  sql.get<Record<string, number>>(`PRAGMA ${pragma}`)?.[pragma] ?? 0;

/**
 * SQLite's own check of every page; null: the file is sound. `indexes`: each is compared with its table too, which takes
 * twice as long where there is one, and twenty times where there are fifty.
 */
function runIntegrityCheck(sql: Sql, indexes = false): string | null {
  const check = indexes ? 'integrity_check' : 'quick_check';
  const [first] = sql.all<Record<string, string>>(`PRAGMA ${check}(1)`);
  const said = first?.[check] ?? 'ok';
  return said === 'ok' ? null : said.replaceAll(/\s+/g, ' ');
}

/** Columns in which every value is JSON. `tables`: a pattern of GLOB. */
export interface JsonColumns {
  readonly tables: string;
  readonly columns: readonly string[];
}

/**
 * Checks every page of a database and every JSON text in it: a lost stretch of a long text is no damage to SQLite. It
 * sees the database as it is at one moment, while others write. A file of 1 GB takes three seconds, and five with its
 * indexes.
 *
 * `indexes`: whether each index is compared with its table. `isCopy`: nobody else has the file open; it is only read, and
 * nothing is made beside it.
 *
 * @throws DamagedFile
 */
export function checkCompletely(
  file: string,
  {
    json,
    indexes,
    isCopy = false,
  }: {
    readonly json: readonly JsonColumns[];
    readonly indexes: boolean;
    readonly isCopy?: boolean;
  },
): void {
  inspect(file, { isCopy }, (sql) => runIntegrityCheck(sql, indexes) ?? findInvalidJson(sql, json));
}

/** Names the first table with a value that should be JSON and is not; null: there is none. */
function findInvalidJson(sql: Sql, json: readonly JsonColumns[]): string | null {
  for (const { tables, columns } of json) {
    const found = sql.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ?",
      [tables],
    );
    const isWrong = columns.map((column) => `json_valid("${column}") IS NOT 1`).join(' OR ');
    for (const { name } of found)
      if (
        sql.get(`SELECT 1 FROM "${name.replaceAll('"', '""')}" WHERE ${isWrong} LIMIT 1`) !==
        undefined
      )
        return `a text of ${name} cannot be read`;
  }
  return null;
}

/** Names the first sampled page that is invalid; null: there is none. The page `unwritten` is skipped. */
function checkSampledPages(sql: Sql, pages: number, unwritten: number): string | null {
  const mayBeFree = numberOf(sql, 'freelist_count') > 0;
  for (let n = 1; n <= sampledPages; n += 1) {
    const number = Math.ceil((pages * n) / sampledPages);
    // Page 1 was read when the file was opened.
    if (number === 1 || number === unwritten) continue;
    const [page] = sql.all<{ data: Uint8Array }>('SELECT data FROM sqlite_dbpage WHERE pgno = ?', [
      number,
    ]);
    if (page === undefined || !isPage(Buffer.from(page.data), pages, mayBeFree))
      return `page ${number} is none`;
  }
  return null;
}

/** Header length in bytes of a B-tree page, by the first byte of the page. */
const pageHeaderBytes: ReadonlyMap<number, number> = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
]);

/**
 * Whether the page can be a B-tree, overflow or free page. An overflow page begins with the number of the next one, 0
 * at the end.
 */
function isPage(page: Buffer, pages: number, mayBeFree: boolean): boolean {
  const head = pageHeaderBytes.get(page.readUInt8(0));
  if (head !== undefined) {
    const cells = page.readUInt16BE(3);
    const begin = page.readUInt16BE(5) || 65_536;
    if (head + 2 * cells <= begin && begin <= page.length) return true;
  }
  if (page.readUInt32BE(0) > pages) return false;
  return mayBeFree || page.some((byte) => byte !== 0);
}
