import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { files, SECRETS_FILE } from '@oja/platform';

/** The log first: what is copied after it can at most know of more than the log, never of less. */
export const marketDatabases = [files.log, files.state, files.jobs, files.documents] as const;
/** Apart from the market's own. */
export const keyDatabases = [files.keys] as const;
/** A demo's; elsewhere the operator keeps them. */
export const SECRETS = SECRETS_FILE;

const picture = new RegExp(
  `^${files.pictures}/(?:[a-z0-9]+/)?[a-z0-9][a-z0-9-]{0,79}(?:\\.(?:jpg|png|webp)){1,2}$`,
);

/** Whether it is the path of a picture below the data folder, and of nothing else. */
export const isPicture = (name: string): boolean => picture.test(name);

/** The files that each part of a backup may hold: whatever else a manifest names is not ours to write. */
export const isOfPart = {
  market: (name: string) => marketDatabases.some((own) => own === name) || isPicture(name),
  keys: (name: string) => keyDatabases.some((own) => own === name) || name === SECRETS,
} as const;

/** Pictures as their paths below the data folder. */
export function picturesIn(dataDir: string): readonly string[] {
  const folder = join(dataDir, files.pictures);
  if (!existsSync(folder)) return [];
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(dataDir.length + 1))
      // One that is being written is none yet.
      .filter(isPicture)
  );
}
