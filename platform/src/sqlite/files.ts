import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isBusy, openSql } from './sql.js';

const RETRY_MS = 10;
/** How long a reader may be in the way of a WAL that is emptied, in milliseconds. */
const READERS_MS = 10_000;

/**
 * Copies a consistent snapshot of a database while others write to it; deleted data is not copied. `from` must
 * exist, `to` must not. @throws when a file cannot be read or written.
 */
export function copyDatabase(from: string, to: string): void {
  // Opening it would make an empty one.
  if (!existsSync(from)) throw new Error(`There is no file ${from}`);
  const sql = openSql(from, { synchronous: 'FULL' });
  try {
    sql.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    sql.close();
  }
}

/**
 * Moves everything from a database's WAL into its file and empties the WAL, which until then still holds
 * deleted data. Retries while a reader is in the way. Returns whether it succeeded in time.
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
        if (!isBusy(error)) throw error;
      }
      if (performance.now() > until) return false;
      await wait(RETRY_MS);
    }
  } finally {
    sql.close();
  }
}
