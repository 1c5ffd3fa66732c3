import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { files, SECRETS_FILE } from '@oja/platform';
import { z } from 'zod';
import { Exit, exitCodes } from '../../terminal/exit.js';

/**
 * In the order in which they are copied. Read models before the log, which they follow: none is ahead of it then.
 * What cannot be made again after it: it can at most know of more than the log, never of less.
 */
export const marketDatabases = [files.documents, files.log, files.state, files.jobs] as const;
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
const isOfPart = {
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

export const MANIFEST = 'oja-backup.json';

const manifest = z.object({
  kind: z.literal('oja-backup'),
  format: z.literal(1),
  /** The keys lie apart: whoever has one of the two can read nothing. */
  part: z.enum(['market', 'keys']),
  /** The same in both parts of a backup. */
  id: z.uuid(),
  at: z.string(),
  logId: z.string(),
  /** Of the copied log. */
  head: z.string().nullable(),
  files: z.array(z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifest>;

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}

export async function fileEntry(folder: string, name: string): Promise<Manifest['files'][number]> {
  const path = join(folder, name);
  return { name, bytes: statSync(path).size, sha256: await sha256Of(path) };
}

/** A whole backup's manifest, every file checked. @throws Exit 2 for anything else; nothing is written. */
export async function checkedManifest(folder: string, part: Manifest['part']): Promise<Manifest> {
  const no = (why: string) =>
    new Exit(
      exitCodes.usage,
      `${folder} is no whole backup of ${part === 'keys' ? 'the keys' : 'a market'}: ${why}; nothing was changed.`,
    );
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) throw no(`${MANIFEST} is missing`);
  let value: unknown = null;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw no(`${MANIFEST} cannot be read`);
  }
  const parsed = manifest.safeParse(value);
  if (!parsed.success || parsed.data.part !== part) throw no(`${MANIFEST} says something else`);
  for (const { name, sha256 } of parsed.data.files) {
    // Before it is looked at: a manifest comes from wherever the backup lay.
    if (!isOfPart[part](name)) throw no(`${MANIFEST} names ${name}, which is no file of it`);
    if (!existsSync(join(folder, name))) throw no(`${name} is missing`);
    if (!lstatSync(join(folder, name)).isFile()) throw no(`${name} is no file`);
    if ((await fileEntry(folder, name)).sha256 !== sha256) throw no(`${name} was changed`);
  }
  return parsed.data;
}
