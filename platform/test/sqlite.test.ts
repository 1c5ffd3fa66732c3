import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  copyDatabase,
  notifyWatchers,
  openSql,
  StoreUnavailable,
  startWriter,
  WriteRefused,
  watch,
  whyStopped,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startChild } from './contracts/children.js';
import { temporaryFolder } from './contracts/folders.js';

const notes = new URL('./sqlite/notes.mjs', import.meta.url);
const { schema } = await import(notes.href);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'notes');
});
afterEach(() => folder.remove());

const start = (options = {}) =>
  startWriter(notes, { schema, file, synchronous: 'FULL', ...options });

function textsIn(path: string): string[] {
  const sql = openSql(path, { readonly: true, synchronous: 'FULL' });
  const texts = sql.all<{ text: string }>('SELECT text FROM notes ORDER BY id');
  sql.close();
  return texts.map(({ text }) => text);
}

describe('A SQL connection', () => {
  it('answers every forbidden parameter with an error, and its process lives', async () => {
    const child = startChild('../../sqlite/binder.mjs');
    const lines: string[] = [];
    for await (const line of child.lines) lines.push(line);
    await child.finish();
    expect(lines.at(-1)).toBe('alive: 1');
    const kinds = lines.slice(0, -1);
    expect(kinds).toHaveLength(15);
    for (const line of kinds) expect(line).toMatch(/: ForbiddenParameter$/);
  });

  it('waits for the disk at each commit', () => {
    const full = 2;
    const sql = openSql(file, { synchronous: 'FULL' });
    expect(sql.get('PRAGMA synchronous')).toEqual({ synchronous: full });
    expect(sql.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    sql.close();
  });

  it('keeps integers, fractions, text, bytes and null as what they are', () => {
    const sql = openSql(file, { synchronous: 'FULL' });
    const values = [7, -(2 ** 53 - 1), 1.5, 'Ọjà', Buffer.from([0, 1]), null];
    const rows = values.map((value) => sql.get('SELECT ? AS v, typeof(?) AS t', [value, value]));
    expect(rows).toEqual([
      { v: 7, t: 'integer' },
      { v: -(2 ** 53 - 1), t: 'integer' },
      { v: 1.5, t: 'real' },
      { v: 'Ọjà', t: 'text' },
      { v: Buffer.from([0, 1]), t: 'blob' },
      { v: null, t: 'null' },
    ]);
    sql.close();
  });

  it('serves more texts than it keeps prepared', () => {
    const sql = openSql(file, { synchronous: 'FULL' });
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 600; n += 1) expect(sql.get(`SELECT ${n} AS n`)).toEqual({ n });
    }
    sql.close();
  });

  it('reads only, when asked to, and only what is there', () => {
    expect(() => openSql(file, { readonly: true, synchronous: 'FULL' })).toThrow(
      'There is no file',
    );
    openSql(file, { synchronous: 'FULL' }).close();
    const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
    expect(() => sql.exec('CREATE TABLE t (x)')).toThrow('readonly');
    sql.close();
  });

  it('copies only what is there', () => {
    expect(() => copyDatabase(file, `${file}-copy`)).toThrow('There is no file');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('copies over no other file', () => {
    const other = openSql(`${file}-copy`, { synchronous: 'FULL' });
    other.exec('CREATE TABLE kept (x)');
    other.close();
    openSql(file, { synchronous: 'FULL' }).close();
    expect(() => copyDatabase(file, `${file}-copy`)).toThrow('already exists');
  });

  it('names the file where a name in its schema is another one than it was', () => {
    const sql = openSql(file, { synchronous: 'FULL' });
    sql.exec('CREATE TABLE t (x); CREATE INDEX by_x ON t ("x")');
    sql.exec(
      `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '"x"', '"y"') WHERE name = 'by_x'`,
    );
    sql.close();
    expect(() => copyDatabase(file, `${file}-copy`)).toThrow(/ is damaged \(no such column: y\)/);
  });

  it('undoes a transaction that throws', () => {
    const sql = openSql(file, { synchronous: 'FULL' });
    sql.exec('CREATE TABLE t (x)');
    const failing = () =>
      sql.transaction(() => {
        sql.run('INSERT INTO t VALUES (1)');
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(sql.inTransaction()).toBe(false);
    expect(sql.transaction(() => sql.all('SELECT * FROM t'))).toEqual([]);
    sql.close();
  });
});

describe('A writer thread', () => {
  it('undoes a request that fails and commits the others of its group', async () => {
    const writer = await start();
    const results = await Promise.allSettled([
      writer.write('note', { text: 'a' }),
      writer.write('noteAndFail', { text: 'b' }),
      writer.write('note', { text: true }),
      writer.write('unknown', {}),
      writer.write('note', { text: () => 'no thread takes a function' }),
      writer.write('note', { text: 'c' }),
    ]);
    expect(results.map((r) => (r.status === 'fulfilled' ? r.value : r.reason.name))).toEqual([
      1,
      ...Array(4).fill(WriteRefused.name),
      2,
    ]);
    expect(textsIn(file)).toEqual(['a', 'c']);
    await writer.close();
  });

  it('waits for the disk where anything of its group has to outlive a power cut', async () => {
    const [notForDisk, forDisk] = [1, 2];
    const writer = await start();
    const passing = () => writer.write<number>('waiting', {}, { durable: false });
    const lasting = () => writer.write<number>('waiting', {});
    expect(await passing()).toBe(notForDisk);
    expect(await Promise.all([passing(), lasting(), passing()])).toEqual(Array(3).fill(forDisk));
    expect(await passing()).toBe(notForDisk);
    expect(await lasting()).toBe(forDisk);
    await writer.close();
    const quick = await start({ synchronous: 'NORMAL' });
    expect(await quick.write('waiting', {})).toBe(notForDisk);
    await quick.close();
  });

  it('waits for another process that holds the lock', async () => {
    const writer = await start();
    const child = startChild('../../sqlite/holder.mjs', file);
    expect(await child.nextLine()).toBe('held');
    const waiting = Promise.all([
      writer.write('note', { text: 'a' }),
      writer.write('note', { text: 'b' }),
    ]);
    expect(textsIn(file)).toEqual([]);
    await child.killHard();
    expect(await waiting).toEqual([1, 2]);
    await writer.close();
  });

  it('takes nothing while the disk is full, and goes on by itself once there is room', async () => {
    const writer = await start({ maxPages: 40 });
    await writer.write('note', { text: 'a' });
    await writer.write('note', { text: 'x'.repeat(110_000) });
    const results = await Promise.allSettled([
      writer.write('note', { text: 'b' }),
      writer.write('note', { text: 'x'.repeat(100_000) }),
      writer.write('note', { text: 'c' }),
    ]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'NoRoom' } });
    }
    // A write that would fit is refused, too: a market that takes some orders and loses others helps nobody.
    await expect(writer.write('note', { text: 'd' })).rejects.toThrow(/no more writes: .*full/);
    expect(whyStopped(file)).toMatch(/full/);
    expect(textsIn(file)).toHaveLength(2);

    const other = openSql(file, { synchronous: 'FULL' });
    other.run('DELETE FROM notes WHERE length(text) > 1');
    other.close();
    await vi.waitUntil(() => whyStopped(file) === null, { timeout: 20_000 });
    expect(await writer.write('note', { text: 'e' })).toBe(2);
    expect(textsIn(file)).toEqual(['a', 'e']);
    await writer.close();
    expect(readdirSync(folder.path).filter((name) => name.includes('room'))).toEqual([]);
  });

  it('takes nothing either where the WAL found no room, and goes on by itself as well', async (test) => {
    const ran = spawnSync(
      'unshare',
      [
        ...['--user', '--map-root-user', '--mount', 'sh', '-c'],
        'mount -t tmpfs -o size=16m none "$0" && echo mounted && "$@"',
        ...[folder.path, process.execPath, join(import.meta.dirname, 'sqlite/crowded.mjs')],
        folder.path,
      ],
      { encoding: 'utf8' },
    );
    const [mounted, ...lines] = (ran.stdout ?? '').trim().split('\n');
    if (mounted !== 'mounted') return test.skip('this machine mounts no small disk');
    expect(lines).toEqual([
      'emptied by another process: NoRoom, permanent: false; takes writes',
      'emptied: NoRoom, permanent: false; takes no writes',
      'written: 2; takes writes',
      'emptied: true; takes writes',
    ]);
  });

  it('answers everything that was asked for before it was closed, and nothing after', async () => {
    const writer = await start();
    const writes = ['a', 'b', 'c'].map((text) => writer.write('note', { text }));
    const closed = writer.close();
    await expect(writer.write('note', { text: 'd' })).rejects.toThrow(StoreUnavailable);
    expect(await Promise.all(writes)).toEqual([1, 2, 3]);
    await closed;
    await writer.close();
  });

  it('leaves all that was written in the file itself, also while others read it', async () => {
    const writer = await start();
    await writer.write('note', { text: 'one' });
    const reader = openSql(file, { readonly: true, synchronous: 'FULL' });
    onTestFinished(() => reader.close());
    expect(reader.get('SELECT text FROM notes')).toEqual({ text: 'one' });
    await writer.write('note', { text: 'two' });
    await writer.close();
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    expect(textsIn(file)).toEqual(['one', 'two']);
  });

  it('writes to several files of the same name, each as if alone', async () => {
    const otherFile = join(folder.path, 'other');
    const [one, other] = await Promise.all([
      start({ thread: 'shared' }),
      start({ thread: 'shared', file: otherFile }),
    ]);
    const results = await Promise.allSettled([
      one.write('note', { text: 'a' }),
      other.write('note', { text: () => 'no thread takes a function' }),
      other.write('note', { text: 'b' }),
      one.write('noteAndFail', { text: 'c' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    await one.close();
    await expect(one.write('note', { text: 'd' })).rejects.toThrow(StoreUnavailable);
    expect(await other.write('note', { text: 'e' })).toBe(2);
    const again = await start({ thread: 'shared' });
    expect(await again.write('note', { text: 'f' })).toBe(2);
    await Promise.all([again.close(), other.close()]);
    expect(textsIn(file)).toEqual(['a', 'f']);
    expect(textsIn(otherFile)).toEqual(['b', 'e']);
  });

  it('that dies ends the writers of all its files, and another takes its place', async () => {
    const shared = { thread: 'mortal' };
    const one = await start(shared);
    const other = await start({ ...shared, file: join(folder.path, 'other') });
    const writes = [one.write('endThread', {}), other.write('note', { text: 'a' })];
    for (const write of writes) await expect(write).rejects.toThrow(/has ended: exit code/);
    expect(whyStopped(file)).toMatch(/exit code/);
    await Promise.all([one.close(), other.close()]);
    const again = await start(shared);
    expect(await again.write('note', { text: 'b' })).toBe(1);
    await again.close();
  });

  it('says why it cannot start', async () => {
    await expect(start({ file: folder.path })).rejects.toThrow(StoreUnavailable);
  });
});

describe('Watching a file', () => {
  it('notices the commits of others, and those it is told of at once', async () => {
    const writer = await start();
    let told = 0;
    const noticed = new Promise<void>((resolve) => {
      const stop = watch(file, () => {
        told += 1;
        stop();
        resolve();
      });
    });
    await writer.write('note', { text: 'a' });
    await noticed;
    expect(told).toBe(1);
    const stop = watch(file, () => {
      told += 1;
    });
    notifyWatchers(file);
    await new Promise(process.nextTick);
    expect(told).toBe(2);
    stop();
    stop();
    notifyWatchers(file);
    await new Promise(process.nextTick);
    expect(told).toBe(2);
    await writer.close();
  });

  it('rests while nobody commits, and notices the next commit of another process at once', async () => {
    const writer = await start();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.useRealTimers();
    });
    const polls = vi.spyOn(globalThis, 'setInterval');
    const pace = () => polls.mock.lastCall?.[1];
    let told = 0;
    const stop = watch(file, () => {
      told += 1;
    });
    expect(pace()).toBe(10);
    vi.advanceTimersByTime(2_000);
    expect(pace()).toBe(1_000);
    // The timers stand still, so it is no poll that ends the rest.
    await writer.write('note', { text: 'a' });
    await vi.waitFor(() => expect(pace()).toBe(10));
    vi.advanceTimersByTime(10);
    expect(told).toBe(1);
    stop();
    await writer.close();
  });

  it('tells once of what was answered together', async () => {
    const writer = await start();
    let told = 0;
    const stop = watch(file, () => {
      told += 1;
    });
    for (let times = 0; times < 3; times += 1) notifyWatchers(file);
    await new Promise(process.nextTick);
    expect(told).toBe(1);
    stop();
    await writer.close();
  });
});
