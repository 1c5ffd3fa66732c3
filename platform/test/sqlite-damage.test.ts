import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  checkCompletely,
  checkForDamage,
  DamagedFile,
  openSql,
  startWriter,
  truncateWal,
  whyStopped,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './contracts/folders.js';

const notes = new URL('./sqlite/notes.mjs', import.meta.url);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'notes');
});
afterEach(() => folder.remove());

/** Overwrites pages of 4 KiB, starting at page `from`; pages are numbered from 1. */
function spoil(from: number, pages: number, by: string | number = 0xff): void {
  const descriptor = openSync(file, 'r+');
  const size = 4_096;
  writeSync(descriptor, Buffer.alloc(pages * size, by), 0, pages * size, (from - 1) * size);
  closeSync(descriptor);
}

describe('A look for damage', () => {
  /** Fills the file to at least `pages` pages, with indexes and overflow pages. Returns its page count. */
  async function fill(pages: number): Promise<number> {
    const sql = openSql(file, { synchronous: 'NORMAL' });
    sql.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT)');
    const count = () => sql.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
    for (let id = 1; count() < pages; id += 1) {
      const text = 'x'.repeat(id % 10 === 0 ? 9_000 : 300);
      sql.run('INSERT INTO rows VALUES (?, ?, ?)', [id, `the ${id}th of them`, text]);
    }
    const filled = count();
    sql.close();
    expect(await truncateWal(file)).toBe(true);
    return filled;
  }

  it('meets whichever page of a small file is none', async () => {
    const pages = await fill(60);
    checkForDamage(file);
    const sound = readFileSync(file);
    for (let page = 1; page <= pages; page += 1) {
      spoil(page, 1);
      expect(() => checkForDamage(file), `page ${page}`).toThrow(DamagedFile);
      writeFileSync(file, sound);
    }
    checkForDamage(file);
  });

  it.each([
    ['ones', 0xff],
    ['zeros', 0],
    ['a text', 'It was a dark and stormy night. '],
  ])('meets a 250th of a large file that became %s, wherever', async (_, by) => {
    const pages = await fill(2_000);
    const sampled = () => checkForDamage(file, { whole: 0 });
    sampled();
    const sound = readFileSync(file);
    const stretch = Math.ceil(pages / 250);
    for (let from = 2; from + stretch <= pages; from += 97) {
      spoil(from, stretch, by);
      expect(sampled, `pages from ${from} on`).toThrow(DamagedFile);
      writeFileSync(file, sound);
    }
    sampled();
  });

  it('takes what was freed and overwritten for sound', async () => {
    await fill(300);
    const sql = openSql(file, { synchronous: 'NORMAL', secureDelete: true });
    sql.run('DELETE FROM rows WHERE id > 10');
    sql.close();
    expect(await truncateWal(file)).toBe(true);
    checkForDamage(file);
    checkForDamage(file, { whole: 0 });
  });
});

describe('A complete check', () => {
  const json = [{ tables: 'rows*', columns: ['text'] }] as const;

  /** A file with an index, and with a JSON text that fills several pages. */
  async function fill(): Promise<void> {
    const sql = openSql(file, { synchronous: 'NORMAL' });
    sql.exec(
      'CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT, text TEXT); CREATE INDEX by_name ON rows (name);',
    );
    for (let id = 1; id <= 40; id += 1) {
      const text = JSON.stringify({
        about: (id % 2 === 0 ? 'x' : 'y').repeat(id === 20 ? 20_000 : 60),
      });
      sql.run('INSERT INTO rows VALUES (?, ?, ?)', [id, `the ${id}th of them`, text]);
    }
    sql.close();
    expect(await truncateWal(file)).toBe(true);
  }

  const check = (options: { readonly indexes: boolean; readonly isCopy?: boolean }) => () =>
    checkCompletely(file, { json, ...options });

  it('meets a text that is no JSON any more, though every page of it is in order', async () => {
    await fill();
    check({ indexes: false })();
    const at = readFileSync(file).indexOf('x'.repeat(4_000));
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(512), 0, 512, at + 1_000);
    closeSync(descriptor);
    checkForDamage(file);
    expect(check({ indexes: false })).toThrow(/notes is damaged \(a text of rows cannot be read\)/);
  });

  it('meets an index that differs from its table, if it is asked to', async () => {
    await fill();
    const sound = readFileSync(file);
    // The index has the last of the two.
    const at = sound.lastIndexOf('the 7th of them');
    sound.write('the 8th', at);
    writeFileSync(file, sound);
    check({ indexes: false })();
    expect(check({ indexes: true })).toThrow(DamagedFile);
  });

  it('sees a file as it is at one moment, also while tables are made and taken away', async () => {
    await fill();
    const rebuilding = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
      const sql = new (require('libsql'))(workerData, { timeout: 5000 });
      for (let n = 1; n <= 2_000; n += 1) {
        sql.exec("CREATE TABLE rows_" + n + " (text TEXT); INSERT INTO rows_" + n + " VALUES ('{}')");
        if (n > 20) sql.exec("DROP TABLE rows_" + (n - 20));
        if (n === 20) parentPort.postMessage('begun');
      }
      sql.close();`,
      { eval: true, workerData: file },
    );
    onTestFinished(async () => void (await rebuilding.terminate()));
    await once(rebuilding, 'message');
    for (let n = 0; n < 100; n += 1) check({ indexes: true })();
  });

  it('leaves nothing beside a copy, and needs no more than to read it', async () => {
    await fill();
    const folderOfCopy = join(folder.path, 'a 100% copy?#');
    mkdirSync(folderOfCopy);
    const copy = join(folderOfCopy, 'notes');
    writeFileSync(copy, readFileSync(file));
    checkCompletely(copy, { json, indexes: true, isCopy: true });
    expect(readdirSync(folderOfCopy)).toEqual(['notes']);
    truncateSync(copy, 9_000);
    expect(() => checkCompletely(copy, { json, indexes: true, isCopy: true })).toThrow(DamagedFile);
    expect(readdirSync(folderOfCopy)).toEqual(['notes']);
  });
});

describe('A file that is damaged', () => {
  it('is written no more by a process that has met it, until it is opened again', async () => {
    const { schema } = await import(notes.href);
    const start = () => startWriter(notes, { schema, file, synchronous: 'FULL' });
    const writer = await start();
    for (let n = 0; n < 40; n += 1) await writer.write('note', { text: 'x'.repeat(3_000) });
    expect(await writer.truncateWal(1_000)).toBe(true);
    const sound = readFileSync(file);
    spoil(10, 1);
    expect(whyStopped(file)).toBe(null);
    const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
    expect(() => sql.all('SELECT text FROM notes')).toThrow(DamagedFile);
    sql.close();
    expect(whyStopped(file)).toMatch(/notes is damaged \(/);
    await expect(writer.write('note', { text: 'a' })).rejects.toMatchObject({
      name: 'StoreUnavailable',
      permanent: true,
    });
    await writer.close();
    writeFileSync(file, sound);
    const again = await start();
    expect(whyStopped(file)).toBe(null);
    expect(await again.write('note', { text: 'a' })).toBe(41);
    await again.close();
  });
});
