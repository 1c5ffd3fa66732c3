import { existsSync } from 'node:fs';
import { openSql } from '../sqlite/sql.js';

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
