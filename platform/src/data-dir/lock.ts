import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isBusy, openSql } from '../sqlite/sql.js';

const LOCK = 'start.lock';

/**
 * Takes the lock on a file; null when another process has it. It is SQLite's, kept by the operating
 * system: a process that dies in whatever way no longer holds it, so there are no stale ones, and no
 * process id that has been given to another is mistaken for its holder. `waitMs`: for one who only looks.
 */
export function lockFile(file: string, waitMs = 0): (() => void) | null {
  const sql = openSql(file, { synchronous: 'NORMAL', busyTimeoutMs: waitMs });
  try {
    sql.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    sql.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return () => {
    if (sql.inTransaction()) sql.exec('ROLLBACK');
    sql.close();
  };
}

/** Takes the folder's one lock, of who runs everything; null when another process has it. */
export const takeLock = (folder: string) => lockFile(join(folder, LOCK));

/** Whether a process holds the folder's lock. Takes and gives it back for an instant where none does. */
export function isLocked(folder: string): boolean {
  if (!existsSync(join(folder, LOCK))) return false;
  const release = takeLock(folder);
  release?.();
  return release === null;
}

/**
 * Makes a file with its whole content, or leaves the one that is there: nobody ever reads half of it,
 * and of two writers at once one wins. Whether it was made.
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
 * Replaces a file's whole content: whoever reads it, also after a power cut, reads all of the old or of the new
 * one. `draft`: where it is written first, one for each writer at a time. @throws when the folder cannot be written.
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

/** The file's name is on disk only when its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** `mkdir -p`. Node's own turns for ever where the system answers ENOENT to a plain mkdir (`/proc`). */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}
