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

/** What a copy of a market's files takes, without what WALs hold of them. */
export function bytesOfMarket(dataDir: string): number {
  const names = [...marketDatabases, ...keyDatabases, ...picturesIn(dataDir)];
  const paths = names.map((name) => join(dataDir, name)).filter(existsSync);
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}

export const MANIFEST = 'oja-backup.json';

const about = {
  /** The keys lie apart: whoever has one of the two can read nothing. */
  part: z.enum(['market', 'keys']),
  /** The same in both parts of a backup. */
  id: z.uuid(),
  at: z.iso.datetime(),
  logId: z.string(),
};

const manifest = z.object({
  kind: z.literal('oja-backup'),
  format: z.literal(1),
  ...about,
  /** Of the copied log. */
  head: z.string().nullable(),
  /** How its files lie there, each with `.age` after its name; absent: as they are. */
  encryption: z.literal('age').optional(),
  files: z.array(
    z.object({
      name: z.string(),
      /** Of the file as it was copied, and its digest. */
      bytes: z.number().int(),
      sha256: z.string(),
      /** As it lies there, where it is encrypted. */
      stored: z.number().int().optional(),
    }),
  ),
});
export type Manifest = z.infer<typeof manifest>;
export type FileEntry = Manifest['files'][number];

/** Written before the first file of what is sent, so that what a kill leaves is known as whose it is. */
export const BEGUN = 'oja-backup-begun.json';
const begun = z.object({ kind: z.literal('oja-backup-begun'), ...about });
export type Begun = z.infer<typeof begun>;

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Null where the text is none: nobody's, or damaged. */
export const manifestOf = (text: string): Manifest | null => parsed(manifest, text);
export const begunOf = (text: string): Begun | null => parsed(begun, text);

export const textOf = (value: Manifest | Begun): string => `${JSON.stringify(value, null, 2)}\n`;

/** The name of a manifest's file where the backup lies. */
export const storedName = ({ encryption }: Manifest, { name }: FileEntry): string =>
  encryption === undefined ? name : `${name}.${encryption}`;
export const storedBytes = ({ bytes, stored = bytes }: FileEntry): number => stored;

/** Whether a path below a backup is one that some release of ours wrote there; what else lies there is not ours to delete. */
export const isBackupFile = (path: string): boolean => {
  const name = path.replace(/\.age$/, '');
  return name === BEGUN || isOfPart.market(name) || isOfPart.keys(name);
};

/** What is told of a backup that is not one. */
export const notWhole = (where: string, part: Manifest['part'], why: string): Exit =>
  new Exit(
    exitCodes.usage,
    `${where} is no whole backup of ${part === 'keys' ? 'the keys' : 'a market'}: ${why}; nothing was changed.`,
  );

/** A manifest whose every name may be written. @throws Exit 2 for anything else. */
export function trustedManifest(
  where: string,
  part: Manifest['part'],
  text: string | null,
): Manifest {
  const no = (why: string) => notWhole(where, part, why);
  if (text === null) throw no(`${MANIFEST} is missing`);
  const found = manifestOf(text);
  if (found === null) throw no(`${MANIFEST} cannot be read`);
  if (found.part !== part) throw no(`${MANIFEST} says something else`);
  // Before any is looked at: a manifest comes from wherever the backup lay.
  const strange = found.files.find(({ name }) => !isOfPart[part](name));
  if (strange !== undefined) throw no(`${MANIFEST} names ${strange.name}, which is no file of it`);
  return found;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}

export async function fileEntry(folder: string, name: string): Promise<FileEntry> {
  const path = join(folder, name);
  return { name, bytes: statSync(path).size, sha256: await sha256Of(path) };
}

/** @throws Exit 2 where two parts are not of one backup. */
export function refuseOtherKeys(
  market: { readonly where: string; readonly manifest: Manifest },
  keys: { readonly where: string; readonly manifest: Manifest },
): void {
  if (market.manifest.id !== keys.manifest.id)
    throw new Exit(
      exitCodes.usage,
      `${keys.where} holds the keys of another backup than ${market.where}; nothing was changed.`,
    );
}

/** A whole backup's manifest, every file checked. @throws Exit 2 for anything else; nothing is written. */
export async function checkedManifest(folder: string, part: Manifest['part']): Promise<Manifest> {
  const no = (why: string) => notWhole(folder, part, why);
  const path = join(folder, MANIFEST);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : null;
  const found = trustedManifest(folder, part, text);
  for (const { name, sha256 } of found.files) {
    if (!existsSync(join(folder, name))) throw no(`${name} is missing`);
    if (!lstatSync(join(folder, name)).isFile()) throw no(`${name} is no file`);
    if ((await fileEntry(folder, name)).sha256 !== sha256) throw no(`${name} was changed`);
  }
  return found;
}
