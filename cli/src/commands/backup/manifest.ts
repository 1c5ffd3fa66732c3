import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Config, files, parseJson, SECRETS_FILE } from '@oja/platform';
import { z } from 'zod';
import { type Exit, usageExit } from '../../terminal/exit.js';
import { fileBytes } from '../shared/disk-space.js';

/**
 * In copy order. Read models come before the log that they follow, so that in the copy none is ahead of it. State,
 * which cannot be rebuilt, and jobs come after the log: they may know more than the log, never less.
 */
export const marketDatabases = [files.documents, files.log, files.state, files.jobs] as const;
/** Those of a market with these settings. Queues in Redis need no copy: what they were to do is owed. */
export const marketDatabasesOf = ({ redisUrl }: Pick<Config, 'redisUrl'>) =>
  marketDatabases.filter((name) => name !== files.jobs || redisUrl === null);
/** Copied to a separate place. */
export const keyDatabases = [files.keys] as const;
/** The secrets file of a demo; outside a demo the operator keeps the secrets. */
export const SECRETS = SECRETS_FILE;

const picture = new RegExp(
  `^${files.pictures}/(?:[a-z0-9]+/)?[a-z0-9][a-z0-9-]{0,79}(?:\\.(?:jpg|png|webp)){1,2}$`,
);

/** Whether a name is exactly a path that a picture has, relative to the data folder. */
export const isPicture = (name: string): boolean => picture.test(name);

/** The files that each part of a backup may hold; a restore writes no other file that a manifest names. */
const isOfPart = {
  market: (name: string) => marketDatabases.some((own) => own === name) || isPicture(name),
  keys: (name: string) => keyDatabases.some((own) => own === name) || name === SECRETS,
} as const;

/** Paths of all pictures, relative to the data folder. */
export function picturesIn(dataDir: string): readonly string[] {
  const folder = join(dataDir, files.pictures);
  if (!existsSync(folder)) return [];
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(dataDir, join(parentPath, name)))
      // Leaves out temporary files of pictures that are still being written.
      .filter(isPicture)
  );
}

/** Bytes that a copy of the market's files takes, without what their write-ahead logs hold. */
export function bytesOfMarket(dataDir: string): number {
  const names = [...marketDatabases, ...keyDatabases, ...picturesIn(dataDir)];
  return names.reduce((sum, name) => sum + fileBytes(join(dataDir, name)), 0);
}

export const MANIFEST = 'oja-backup.json';

const about = {
  /** The keys are a separate part: either part alone reveals nothing. */
  part: z.enum(['market', 'keys']),
  /** Both parts of a backup have the same id. */
  id: z.uuid(),
  at: z.iso.datetime(),
  logId: z.string(),
};

const manifest = z.object({
  kind: z.literal('oja-backup'),
  format: z.literal(1),
  ...about,
  /** Head of the copied log; null when the log was empty. */
  head: z.string().nullable(),
  /** Head of the market's log once the keys were copied, after the log; absent in the market's part and in old backups. */
  headAfter: z.string().nullable().optional(),
  /** How the stored files are encrypted, each with `.age` added to its name; absent: not encrypted. */
  encryption: z.literal('age').optional(),
  files: z.array(
    z.object({
      name: z.string(),
      /** Size and digest of the file before encryption. */
      bytes: z.number().int(),
      sha256: z.string(),
      /** Size after encryption, when the file is encrypted. */
      stored: z.number().int().optional(),
    }),
  ),
});
export type Manifest = z.infer<typeof manifest>;
export type FileEntry = Manifest['files'][number];

/** Bytes of all files of these parts, before encryption. */
export const bytesOf = (parts: readonly Manifest[]): number =>
  parts.flatMap((part) => part.files).reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Written before the first file of a backup, so that the remains of a killed one name their market. In a folder it
 * is removed once the backup is whole; only as long as it is there may the folder be emptied.
 */
export const BEGUN = 'oja-backup-begun.json';
const begun = z.object({ kind: z.literal('oja-backup-begun'), ...about });
export type Begun = z.infer<typeof begun>;

/** Null when the text is not a manifest, or is damaged. */
export const manifestOf = (text: string): Manifest | null =>
  manifest.safeParse(parseJson(text)).data ?? null;
export const begunOf = (text: string): Begun | null =>
  begun.safeParse(parseJson(text)).data ?? null;

export const textOf = (value: Manifest | Begun): string => `${JSON.stringify(value, null, 2)}\n`;

/** The name under which the backup stores a file of its manifest. */
export const storedName = ({ encryption }: Manifest, { name }: FileEntry): string =>
  encryption === undefined ? name : `${name}.${encryption}`;
export const storedBytes = ({ bytes, stored = bytes }: FileEntry): number => stored;

/** Whether a path in a backup is one that a release of ours writes; other files there are not ours to delete. */
export const isBackupFile = (path: string): boolean => {
  const name = path.replace(/\.age$/, '');
  return name === BEGUN || isOfPart.market(name) || isOfPart.keys(name);
};

/** The error for a backup that is incomplete or changed. */
export const incompleteBackupExit = (where: string, part: Manifest['part'], why: string): Exit =>
  usageExit(
    `${where} is not a complete backup of ${part === 'keys' ? 'the keys' : 'a market'}: ${why}; nothing was changed.`,
  );

/** A parsed manifest that names only files a backup of its part may hold. @throws Exit 2 for anything else. */
export function requireManifest(
  where: string,
  part: Manifest['part'],
  text: string | null,
): Manifest {
  const no = (why: string) => incompleteBackupExit(where, part, why);
  if (text === null) throw no(`${MANIFEST} is missing`);
  const found = manifestOf(text);
  if (found === null) throw no(`${MANIFEST} cannot be read`);
  if (found.part !== part) throw no(`${MANIFEST} is that of another part`);
  // Checked before any file is touched: a manifest comes from outside and is not trusted.
  const strange = found.files.find(({ name }) => !isOfPart[part](name));
  if (strange !== undefined)
    throw no(`${MANIFEST} names ${strange.name}, which does not belong to it`);
  return found;
}

/** Called with the number of bytes that were just read. @throws the reason to stop. */
export type OnBytes = (bytes: number) => void;

/** The entry of an unencrypted file: its size in bytes and its SHA-256 in hex. */
export async function fileEntry(
  folder: string,
  name: string,
  onBytes: OnBytes,
): Promise<FileEntry> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of createReadStream(join(folder, name))) {
    hash.update(part);
    bytes += part.length;
    onBytes(part.length);
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

/** @throws Exit 2 when the two parts are not of the same backup. */
export function refuseOtherKeys(
  market: { readonly where: string; readonly manifest: Manifest },
  keys: { readonly where: string; readonly manifest: Manifest },
): void {
  if (market.manifest.id !== keys.manifest.id)
    throw usageExit(
      `${keys.where} holds the keys of another backup than ${market.where}; nothing was changed.`,
    );
}

/** The manifest in a folder, before any file is looked at. @throws Exit 2 when there is none of this part. */
export function readManifestIn(folder: string, part: Manifest['part']): Manifest {
  const path = join(folder, MANIFEST);
  return requireManifest(folder, part, existsSync(path) ? readFileSync(path, 'utf8') : null);
}
