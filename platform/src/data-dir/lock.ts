import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBusy } from '../sqlite/failures.js';
import { openSql } from '../sqlite/sql.js';

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
