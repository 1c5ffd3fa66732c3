import { NoRoom, StoreUnavailable } from '../eventstore/port.js';
import { messageOf } from '../message-of.js';
import type { WriterSettings } from './protocol.js';
import { DamagedFile, isBusy, isFull, openSql, type Sql, unopenedError } from './sql.js';

/** A writer's busy timeout. It is short, and the lock is retried instead: SQLite's own sleeps grow to 100 ms. */
export const writerTimeoutMs = 10;

/** How long to wait for the lock: another process may hold it for a while (a checkpoint, a backup). */
export const lockTimeoutMs = 30_000;

/** Takes the write lock; retries for `lockTimeoutMs`. @throws the last error, when the file is still locked. */
export function beginWithRetry(sql: Sql): void {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      sql.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
  }
}

export interface PreparedFile {
  /** To be called once the writer has opened the file too, or nobody needs it. A second call does nothing. */
  close(): void;
}

/**
 * Opens a file on the calling thread, creates the tables that it lacks, and keeps it open, because a read-only
 * connection needs the files beside it and may not create them.
 *
 * @throws DamagedFile, also for another database; NoRoom when its disk is full; StoreUnavailable when the file cannot
 *   be opened otherwise.
 */
export function prepareFile(settings: WriterSettings, schema: string): PreparedFile {
  const { file } = settings;
  let sql: Sql | null = null;
  function close(): void {
    sql?.close();
    sql = null;
  }
  try {
    sql = openSql(file, { ...settings, busyTimeoutMs: writerTimeoutMs });
    applySchema(sql, file, schema);
  } catch (error) {
    close();
    if (isFull(error)) throw unopenedError(file);
    throw error instanceof DamagedFile || error instanceof NoRoom
      ? error
      : new StoreUnavailable('SQLite', unusableMessage(file, error), true);
  }
  return { close };
}

/** Runs the schema. @throws DamagedFile when the file is another database; any error of SQLite. */
export function applySchema(sql: Sql, file: string, schema: string): void {
  beginWithRetry(sql);
  refuseForeign(sql, file, schema);
  sql.exec(schema);
  sql.exec('COMMIT');
}

export function unusableMessage(file: string, error: unknown): string {
  const said = messageOf(error);
  return error instanceof DamagedFile ? said : `${file}: ${said}`;
}

/** @throws DamagedFile for a database that has tables, but none that the schema creates. */
function refuseForeign(sql: Sql, file: string, schema: string): void {
  const there = sql
    .all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .map(({ name }) => name);
  const ours = [...schema.matchAll(/CREATE TABLE IF NOT EXISTS "?([\w$]+)/g)].map(
    ([, name]) => name,
  );
  if (there.length > 0 && !there.some((name) => ours.includes(name)))
    throw new DamagedFile(file, 'SQLITE_NOTADB', `it is another database, with ${there[0]} in it`);
}
