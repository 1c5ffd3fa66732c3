import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  copyDatabase,
  createEmbeddedEventStore,
  files,
  isFull,
  makeFolder,
  type Position,
  writeOnce,
} from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { Exit, exitCodes, systemCodeOf } from '../../terminal/exit.js';
import { freeIn, refuseWithoutRoom } from '../shared/room.js';
import {
  bytesOfMarket,
  fileEntry,
  keyDatabases,
  MANIFEST,
  type Manifest,
  marketDatabases,
  picturesIn,
  SECRETS,
  textOf,
} from './manifest.js';
import { refuseNoFolder } from './storage.js';

export type BackedUp = Omit<Answer<'backup'>, 'encrypted' | 'removed'>;

const OURS: readonly string[] = [...marketDatabases, ...keyDatabases, files.pictures, SECRETS];

/** @throws Exit 2 when the operating system refuses to create the folder. */
function makeOrExit(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    const code = systemCodeOf(error);
    const why = code === null ? '' : ` (${code})`;
    throw new Exit(exitCodes.usage, `${folder} cannot be made${why}: name another folder.`);
  }
}

/**
 * Makes the folder ready: new, or emptied of the remains of a killed backup.
 * @throws Exit 2 when it holds a backup or anything else.
 */
function prepare(folder: string): void {
  if (!existsSync(folder)) {
    makeOrExit(folder);
    return;
  }
  refuseNoFolder(folder);
  const names = readdirSync(folder);
  if (names.includes(MANIFEST))
    throw new Exit(exitCodes.usage, `${folder} holds a backup already: name another folder.`);
  const strange = names.find((name) => !OURS.some((ours) => name.startsWith(ours)));
  if (strange !== undefined)
    throw new Exit(
      exitCodes.usage,
      `${folder} holds something else (${strange}): name another folder.`,
    );
  // Only after the checks: a folder that is refused keeps its permissions.
  chmodSync(folder, 0o700);
  for (const name of names) rmSync(join(folder, name), { recursive: true });
}

/** @throws Exit 2 when the keys would lie in the same place as the data that they open. */
export function refuseTogether(market: string, keys: string): void {
  if (market === keys)
    throw new Exit(
      exitCodes.usage,
      'The keys must be kept in another place than the rest of the backup: name another place for them.',
    );
}

/** @throws Exit 1 when the disk is full. */
function copyOrExit(from: string, to: string): void {
  try {
    copyDatabase(from, to);
  } catch (error) {
    if (!isFull(error)) throw error;
    const where = `There is no room left for ${to}`;
    throw new Exit(exitCodes.failed, `${where}: make some, and run the same oja backup again.`);
  }
}

/** The head of the copied log. Opening the copy makes side files (-wal, -shm), which are removed again. */
async function headOf(file: string): Promise<Position | null> {
  const log = await createEmbeddedEventStore({ file });
  const head = await log.head();
  await log.close();
  for (const side of ['-wal', '-shm']) rmSync(`${file}${side}`, { force: true });
  return head;
}

async function seal(
  folder: string,
  names: readonly string[],
  about: Omit<Manifest, 'files' | 'kind' | 'format'>,
): Promise<Manifest> {
  const entries = [];
  for (const name of names) entries.push(await fileEntry(folder, name));
  const manifest: Manifest = { kind: 'oja-backup', format: 1, ...about, files: entries };
  // Written last and atomically: only the manifest makes these files a backup.
  writeOnce(join(folder, MANIFEST), textOf(manifest), 0o600);
  return manifest;
}

/**
 * Copies a market's files, each as it is at one moment, while the market may run. Letters and logs are left
 * out, because an erasure could not reach copies of them.
 * @throws Exit 2 for a folder that cannot be used; 1 when there is no room or the secrets change meanwhile.
 */
export async function backUp(
  { config, logId, clock }: AppContext,
  into: string,
  keysInto: string,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<BackedUp> {
  const [folder, keysFolder] = [resolve(into), resolve(keysInto)];
  refuseTogether(folder, keysFolder);
  for (const each of [folder, keysFolder]) prepare(each);
  const { dataDir } = config;
  const room = { folder, needed: bytesOfMarket(dataDir), free: await freeIn(folder) };
  refuseWithoutRoom(room, 'The backup');
  const pictures = picturesIn(dataDir);
  const total = marketDatabases.length + keyDatabases.length + pictures.length;
  // The backup's time is taken before copying: the copy holds at least everything up to then.
  const at = new Date(clock.now()).toISOString();
  let done = 0;
  const tick = () => {
    done += 1;
    onProgress(done, total);
    signal.throwIfAborted();
  };
  for (const name of marketDatabases) {
    copyOrExit(join(dataDir, name), join(folder, name));
    tick();
  }
  const secretsFile = join(dataDir, SECRETS);
  const secretsBefore = existsSync(secretsFile) ? readFileSync(secretsFile, 'utf8') : null;
  for (const name of keyDatabases) {
    copyOrExit(join(dataDir, name), join(keysFolder, name));
    tick();
  }
  const secrets = secretsBefore === null ? [] : [SECRETS];
  for (const name of secrets) {
    copyFileSync(join(dataDir, name), join(keysFolder, name));
    if (readFileSync(join(keysFolder, name), 'utf8') !== secretsBefore)
      throw new Exit(
        exitCodes.failed,
        `The secrets were rotated during the backup, so they would not open the copied keys: run the same oja backup again.`,
      );
  }
  for (const name of pictures) {
    makeFolder(dirname(join(folder, name)));
    copyFileSync(join(dataDir, name), join(folder, name));
    tick();
  }
  const head = await headOf(join(folder, files.log));
  const about = { id: randomUUID(), at, logId, head };
  const keys = await seal(keysFolder, [...keyDatabases, ...secrets], { part: 'keys', ...about });
  const market = await seal(folder, [...marketDatabases, ...pictures], {
    part: 'market',
    ...about,
  });
  const all = [...market.files, ...keys.files];
  const bytes = all.reduce((sum, file) => sum + file.bytes, 0);
  return { folder, keysFolder, head, files: all.length, bytes };
}
