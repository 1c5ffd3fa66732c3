import type { Sql } from '../sqlite/sql.js';

/** Runs in the writer thread of the state file. */
export const schema = `
  CREATE TABLE IF NOT EXISTS entries (
    space TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    expiresAt INTEGER,
    PRIMARY KEY (space, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expiresAt) WHERE expiresAt IS NOT NULL;
  CREATE TABLE IF NOT EXISTS versions (last INTEGER NOT NULL) STRICT;
  INSERT INTO versions (last) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM versions);
`;

export interface PutRequest {
  readonly space: string;
  readonly key: string;
  readonly value: string;
  readonly now: number;
  readonly condition: 'absent' | number | null;
  readonly expiresAt: number | null;
}

export interface DeleteRequest {
  readonly space: string;
  readonly key: string;
  readonly version: number | null;
}

/** One counter for the whole file, so that a deleted and recreated entry never gets an old version. */
function nextVersion(sql: Sql): number {
  return sql.get<{ last: number }>('UPDATE versions SET last = last + 1 RETURNING last')?.last ?? 1;
}

function put(sql: Sql, request: PutRequest): number | null {
  const { space, key, condition, now } = request;
  if (condition !== null) {
    const stored = sql.get<{ version: number }>(
      `SELECT version FROM entries
       WHERE space = ? AND key = ? AND (expiresAt IS NULL OR expiresAt > ?)`,
      [space, key, now],
    );
    const holds = condition === 'absent' ? !stored : stored?.version === condition;
    if (!holds) return null;
  }
  const version = nextVersion(sql);
  sql.run(
    `INSERT INTO entries (space, key, value, version, expiresAt) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (space, key) DO UPDATE
       SET value = excluded.value, version = excluded.version, expiresAt = excluded.expiresAt`,
    [space, key, request.value, version, request.expiresAt],
  );
  return version;
}

function remove(sql: Sql, { space, key, version }: DeleteRequest): boolean {
  const deleted =
    version === null
      ? sql.run('DELETE FROM entries WHERE space = ? AND key = ?', [space, key])
      : sql.run('DELETE FROM entries WHERE space = ? AND key = ? AND version = ?', [
          space,
          key,
          version,
        ]);
  return deleted > 0;
}

export interface SweepRequest {
  readonly now: number;
  /** The largest number of entries: other writes wait for this one. */
  readonly limit: number;
}

function sweep(sql: Sql, { now, limit }: SweepRequest): number {
  return sql.run(
    `DELETE FROM entries WHERE (space, key) IN
       (SELECT space, key FROM entries WHERE expiresAt <= ? LIMIT ?)`,
    [now, limit],
  );
}

export const operations = { put, remove, sweep };
