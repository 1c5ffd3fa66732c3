import { StoreUnavailable } from '../eventstore/port.js';
import { beginPatiently } from './group.js';
import type { WriterSettings } from './protocol.js';
import { DamagedFile, messageOf, openSql, type Sql } from './sql.js';

/** A lock is asked for again and again rather than slept on: SQLite's own sleeps grow to 100 ms. */
export const writerTimeoutMs = 10;

export interface PreparedFile {
  /** Once its writer has it open too, or nobody needs it any more; again is nothing. */
  close(): void;
}

/**
 * Opens a file on the calling thread, makes what its schema lacks, and keeps it open, since a reader alone may not make
 * the files beside it that it needs.
 *
 * @throws StoreUnavailable when the file cannot be opened or is not ours.
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
    layOut(sql, file, schema);
  } catch (error) {
    close();
    throw new StoreUnavailable(unusableBecause(file, error), true);
  }
  return { close };
}

/** Runs the schema. @throws DamagedFile where it is another database; what SQLite throws. */
export function layOut(sql: Sql, file: string, schema: string): void {
  beginPatiently(sql);
  refuseForeign(sql, file, schema);
  sql.exec(schema);
  sql.exec('COMMIT');
}

export function unusableBecause(file: string, error: unknown): string {
  const said = messageOf(error);
  return error instanceof DamagedFile ? said : `${file}: ${said}`;
}

/** @throws DamagedFile for a database that has tables, and none of those that the schema makes. */
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
