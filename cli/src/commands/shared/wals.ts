import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databases, truncateWal } from '@oja/platform';
import type { AppContext } from '../../runtime/context.js';

/** Empties the write-ahead logs, which still hold deleted data; returns the databases where a reader prevented it. */
export async function truncateWals({ config }: AppContext): Promise<readonly string[]> {
  const blocked: string[] = [];
  for (const name of databases) {
    const path = join(config.dataDir, name);
    if (existsSync(path) && !(await truncateWal(path))) blocked.push(name);
  }
  return blocked;
}
