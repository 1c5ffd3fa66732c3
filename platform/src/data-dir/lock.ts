import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { NoRoom } from '../eventstore/port.js';
import { isBusy, openSql, type Sql } from '../sqlite/sql.js';

export const LOCK = 'start.lock';

/** How long to wait for a lock that is to be kept: a process that only probes holds it for an instant. */
export const LOCK_WAIT_MS = 2_000;
/** How long a probe waits for another probe. It waits this long for a holder, too. */
const PROBE_MS = 50;

/**
 * Locks a file, which is created if missing, and returns the function that unlocks it; null when another
 * process holds the lock. It is a lock of SQLite, kept by the operating system, so it ends with its holder
 * however that dies: no lock is ever stale, and no reused process id is mistaken for the holder.
 * `waitMs`: how long to wait, on the calling thread, for a process that takes the lock only to look. @throws NoRoom when
 * the disk is full.
 */
export function lockFile(file: string, waitMs: number): (() => void) | null {
  let sql: Sql | null = null;
  try {
    // Opening it can meet the lock too: a new file is switched to WAL, for which it must be free.
    sql = openSql(file, { synchronous: 'NORMAL', busyTimeoutMs: waitMs });
    sql.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    sql?.close();
    if (isBusy(error)) return null;
    throw error;
  }
  const locked = sql;
  return () => {
    if (locked.inTransaction()) locked.exec('ROLLBACK');
    locked.close();
  };
}

/**
 * The same for a process that only looks. Without room on the disk nothing is locked, and the answer is that nobody
 * holds the lock: a holder has the shared memory beside the file, which there is no room to make.
 */
export function probeLock(file: string): (() => void) | null {
  try {
    return lockFile(file, PROBE_MS);
  } catch (error) {
    if (error instanceof NoRoom) return () => undefined;
    throw error;
  }
}

/** Where the holder of the folder's lock writes its process id, to be read only while the lock is held. */
const HOLDER = `${LOCK}.pid`;

/** Takes the folder's lock, held by the process that runs everything; null when another process has it. */
export function takeLock(folder: string): (() => void) | null {
  const release = lockFile(join(folder, LOCK), LOCK_WAIT_MS);
  if (release === null) return null;
  const holder = join(folder, HOLDER);
  try {
    writeFileSync(holder, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // A full disk: then nobody learns which process it is, and the lock holds all the same.
  }
  return () => {
    rmSync(holder, { force: true });
    release();
  };
}

/** The id of the process that holds the folder's lock; null when it has not written it. Call it only while one holds it. */
export function holderOf(folder: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(folder, HOLDER), 'utf8'), 10) || null;
  } catch {
    return null;
  }
}

/** Whether a process holds the folder's lock. If none does, this call holds it for an instant. */
export function isLocked(folder: string): boolean {
  const file = join(folder, LOCK);
  if (!existsSync(file)) return false;
  const release = probeLock(file);
  release?.();
  return release === null;
}

/**
 * Creates a file with its whole content, or leaves an existing one alone. Nobody ever reads half a file, and
 * of two writers at once one wins. Returns whether the file was created.
 * @throws when the folder cannot be written.
 */
export function writeOnce(path: string, content: string | Buffer, mode: number): boolean {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = openSync(draft, 'wx', mode);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(draft, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Replaces a file's whole content: a reader gets all of the old or all of the new content, even after a power
 * cut. `draft`: a temporary path that no other writer uses meanwhile. @throws when the folder cannot be written.
 */
export function replaceFile(
  path: string,
  content: string,
  mode: number,
  draft = `${path}.draft`,
): void {
  writeFileSync(draft, content, { mode, flush: true });
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** Flushes a folder: until then the name of a new file in it can be lost in a power cut. */
function syncFolder(path: string): void {
  // Windows flushes no folder (EPERM).
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** `mkdir -p`. Node's own loops for ever where the system answers a plain mkdir with ENOENT (`/proc`). */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(path)) throw error;
  }
}
