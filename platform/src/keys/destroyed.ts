import { existsSync } from 'node:fs';
import { openSql } from '../sqlite/sql.js';
import { WrongMasterKey } from './errors.js';
import { createWrapping } from './wrapping.js';

/**
 * The subjects whose keys were destroyed in an embedded keys file, whatever its master key; none where
 * there is no file. Who replaces the file by an older copy must destroy them there too.
 */
export function destroyedIn(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const sql = openSql(file, { synchronous: 'FULL' });
  try {
    const made = sql.get("SELECT 1 FROM sqlite_master WHERE name = 'destroyed'") !== undefined;
    if (!made) return [];
    return sql
      .all<{ subject: string }>('SELECT subject FROM destroyed ORDER BY subject')
      .map(({ subject }) => subject);
  } finally {
    sql.close();
  }
}

/** Whether an embedded keys file, such as a backup's, opens with these master keys; it stays as it is. */
export function opensKeys(file: string, masterKey: Buffer, fallback: Buffer | null): boolean {
  const wrapping = createWrapping(masterKey, fallback);
  const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
  try {
    const tables = sql
      .all<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('probes', 'incoming')")
      .map(({ name }) => name);
    for (const table of tables)
      for (const { hex } of sql.all<{ hex: string }>(`SELECT hex(probe) AS hex FROM ${table}`))
        wrapping.verify(Buffer.from(hex, 'hex'));
    return true;
  } catch (error) {
    if (error instanceof WrongMasterKey) return false;
    throw error;
  } finally {
    sql.close();
  }
}
