import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { files } from '@oja/platform';

/** The log first: what is copied after it can at most know of more than the log, never of less. */
export const marketDatabases = [files.log, files.state, files.jobs, files.documents] as const;
/** Apart from the market's own. */
export const keyDatabases = [files.keys] as const;
/** A demo's; elsewhere the operator keeps them. */
export const SECRETS = 'secrets.json';

/** Pictures as their paths below the data folder. */
export function picturesIn(dataDir: string): readonly string[] {
  const folder = join(dataDir, files.pictures);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dataDir.length + 1));
}
