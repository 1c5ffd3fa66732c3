import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBusy } from '../sqlite/failures.js';
import { openSql } from '../sqlite/sql.js';

const LOCK = 'start.lock';

/**
 * Takes the folder's one lock; null when another process has it. It is SQLite's lock on a file, kept by
 * the operating system: a process that dies in whatever way no longer holds it, so there are no stale
 * ones, and no process id that has been given to another is mistaken for its holder.
 */
export function takeLock(folder: string): (() => void) | null {
  const sql = openSql(join(folder, LOCK), { synchronous: 'NORMAL', busyTimeoutMs: 0 });
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

/** Whether a process holds the folder's lock. Takes and gives it back for an instant where none does. */
export function isLocked(folder: string): boolean {
  if (!existsSync(join(folder, LOCK))) return false;
  const release = takeLock(folder);
  release?.();
  return release === null;
}
