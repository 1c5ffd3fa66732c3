import { damageIn, openSql, type Sql } from './sql.js';

/** So large a file is still looked at whole, which takes a tenth of a second. In bytes. */
const wholeBytes = 32 * 1024 * 1024;
/** So many pages are looked at of a larger one, as far apart as they can be. */
const sampledPages = 256;
/** The page that begins so many bytes after the beginning is never written: locks lie there. */
const lockByte = 2 ** 30;

/**
 * Looks whether a database is damaged, in a time that does not grow with it: a small file is looked at whole, of a larger
 * one so many pages that no stretch of more than a 256th of it is passed over. What is missed is met by who reads it.
 *
 * @throws DamagedFile
 */
export function lookForDamage(file: string, { whole = wholeBytes } = {}): void {
  const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
  try {
    const [pages, size] = [numberOf(sql, 'page_count'), numberOf(sql, 'page_size')];
    const said = pages * size <= whole ? checked(sql) : sampled(sql, pages, lockByte / size + 1);
    if (said !== null) throw damageIn(file, said);
  } finally {
    sql.close();
  }
}

const numberOf = (sql: Sql, pragma: string): number =>
  sql.get<Record<string, number>>(`PRAGMA ${pragma}`)?.[pragma] ?? 0;

/** SQLite's own look at every page, without comparing indexes to what they are of; null: it is sound. */
function checked(sql: Sql): string | null {
  const [first] = sql.all<{ quick_check: string }>('PRAGMA quick_check(1)');
  return first === undefined || first.quick_check === 'ok'
    ? null
    : first.quick_check.replaceAll(/\s+/g, ' ');
}

/** The first page that cannot be one, of all but the `unwritten`; null: there is none. */
function sampled(sql: Sql, pages: number, unwritten: number): string | null {
  const mayBeFree = numberOf(sql, 'freelist_count') > 0;
  for (let n = 1; n <= sampledPages; n += 1) {
    const number = Math.ceil((pages * n) / sampledPages);
    // The first was read when the file was opened.
    if (number === 1 || number === unwritten) continue;
    const [page] = sql.all<{ data: Uint8Array }>('SELECT data FROM sqlite_dbpage WHERE pgno = ?', [
      number,
    ]);
    if (page === undefined || !isPage(Buffer.from(page.data), pages, mayBeFree))
      return `page ${number} is none`;
  }
  return null;
}

/** How the pages of trees begin, by how many bytes their head has. */
const heads: ReadonlyMap<number, number> = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
]);

/**
 * Whether it is a page of a tree, goes on with what had no room in one, or is free. What goes on begins with the number
 * of the page that follows, 0 at the end.
 */
function isPage(page: Buffer, pages: number, mayBeFree: boolean): boolean {
  const head = heads.get(page.readUInt8(0));
  if (head !== undefined) {
    const cells = page.readUInt16BE(3);
    const begin = page.readUInt16BE(5) || 65_536;
    if (head + 2 * cells <= begin && begin <= page.length) return true;
  }
  if (page.readUInt32BE(0) > pages) return false;
  return mayBeFree || page.some((byte) => byte !== 0);
}
