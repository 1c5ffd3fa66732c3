import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type Clock,
  checkDatabase,
  copyDatabase,
  createEmbeddedEventStore,
  files,
  makeFolder,
  nowOf,
  type Position,
  writeOnce,
  yieldToEventLoop,
} from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { failedExit, systemCodeOf, usageExit } from '../../terminal/exit.js';
import { fileBytes } from '../shared/disk-space.js';
import {
  BEGUN,
  bytesOf,
  bytesOfMarket,
  fileEntry,
  keyDatabases,
  MANIFEST,
  type Manifest,
  marketDatabasesOf,
  type OnBytes,
  picturesIn,
  SECRETS,
  textOf,
} from './manifest.js';
import {
  exitIfDiskFull,
  isTakenOver,
  prepareTargets,
  refuseTakenOver,
  takenOver,
} from './target.js';

export type BackedUp = Omit<Answer<'backup'>, 'encrypted' | 'removed'>;

/** @throws Exit 2 when the keys would lie in the same place as the data that they open, or one inside the other. */
export function refuseTogether(market: string, keys: string): void {
  const isWithin = (inner: string, outer: string) => `${inner}/`.startsWith(`${outer}/`);
  if (isWithin(keys, market) || isWithin(market, keys))
    throw usageExit(
      'The keys must be kept in another place than the rest of the backup, and neither inside the other: name another place for them.',
    );
}

/** @throws DamagedFile; Exit 1 when the copy cannot be written. */
function copyOrExit(from: string, to: string): void {
  if (existsSync(to)) throw takenOver(dirname(to));
  try {
    exitIfDiskFull(to, () => copyDatabase(from, to));
  } catch (error) {
    if (!(error instanceof Error && systemCodeOf(error)?.startsWith('SQLITE_IOERR'))) throw error;
    throw failedExit(
      `${to} cannot be written (${error.message}): see whether its disk is in order, and run the same oja backup again.`,
    );
  }
}

/** Returns false when the market removed the picture meanwhile, which it does only with those that nobody uses. */
function copyPicture(from: string, to: string): boolean {
  makeFolder(dirname(to));
  try {
    exitIfDiskFull(to, () => copyFileSync(from, to));
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' && !existsSync(from)) return false;
    throw error;
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

async function writeManifest(
  folder: string,
  names: readonly string[],
  about: Omit<Manifest, 'files' | 'kind' | 'format'>,
  onBytes: OnBytes,
): Promise<Manifest> {
  const entries = [];
  for (const name of names) entries.push(await fileEntry(folder, name, onBytes));
  const manifest: Manifest = { kind: 'oja-backup', format: 1, ...about, files: entries };
  // Of two backups at once into one folder, the later one has cleared what the earlier one had copied.
  refuseTakenOver(folder, about.id);
  // Written last and atomically: only the manifest makes these files a backup.
  if (!writeOnce(join(folder, MANIFEST), textOf(manifest), 0o600)) throw takenOver(folder);
  return manifest;
}

/** What a backup needs to know of the market. */
interface Market {
  readonly config: Pick<AppContext['config'], 'dataDir' | 'redisUrl'>;
  readonly engines: Pick<AppContext['engines'], 'eventStore'>;
  readonly logId: string;
  readonly clock: Clock;
}

/** How often each file is read: to check, to copy and to sum it up. */
const PASSES = 3;

/** Counts the bytes of the market's files that were read, reports them, and stops at the signal. */
function createByteCounter(
  total: number,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
) {
  let read = 0;
  const add = (bytes: number) => {
    read += bytes / PASSES;
    // Copies may be smaller or larger than what was counted, and there may be more pictures by now.
    onProgress(Math.min(read, total), total);
    signal.throwIfAborted();
  };
  return {
    add,
    async addFile(path: string, passes = 1): Promise<void> {
      add(passes * fileBytes(path));
      // SQLite works without a pause, in which Ctrl-C is not heard.
      await yieldToEventLoop();
      signal.throwIfAborted();
    },
  };
}

/** The folders of a backup that are ready for it. */
interface Prepared {
  readonly folder: string;
  readonly keysFolder: string;
  readonly begun: Pick<Manifest, 'id' | 'at' | 'logId'>;
}

/** Copies the files into prepared folders, and makes them a backup. @throws as `backUp` */
async function copyAndSeal(
  { config, engines: { eventStore } }: Market,
  { folder, keysFolder, begun }: Prepared,
  count: ReturnType<typeof createByteCounter>,
): Promise<BackedUp> {
  const { dataDir } = config;
  const ofMarket = marketDatabasesOf(config);
  for (const name of ofMarket) {
    copyOrExit(join(dataDir, name), join(folder, name));
    await count.addFile(join(dataDir, name));
  }
  const secretsFile = join(dataDir, SECRETS);
  const secretsBefore = existsSync(secretsFile) ? readFileSync(secretsFile, 'utf8') : null;
  for (const name of keyDatabases) {
    copyOrExit(join(dataDir, name), join(keysFolder, name));
    await count.addFile(join(dataDir, name));
  }
  // Whoever has ordered since the log was copied has a key among them.
  const headAfter = await eventStore.head();
  const secrets = secretsBefore === null ? [] : [SECRETS];
  for (const name of secrets) {
    copyFileSync(join(dataDir, name), join(keysFolder, name));
    if (readFileSync(join(keysFolder, name), 'utf8') !== secretsBefore)
      throw failedExit(
        `The secrets were rotated during the backup, so they would not open the copied keys: run the same oja backup again.`,
      );
  }
  // Listed after the log was copied: a picture is written before the event that uses it.
  const pictures: string[] = [];
  for (const name of picturesIn(dataDir)) {
    if (copyPicture(join(dataDir, name), join(folder, name))) pictures.push(name);
    // Nothing checks a picture.
    await count.addFile(join(folder, name), PASSES - 1);
  }
  const head = await headOf(join(folder, files.log));
  const about = { ...begun, head };
  const keysAbout = { part: 'keys', ...about, headAfter } as const;
  const keys = await writeManifest(keysFolder, [...keyDatabases, ...secrets], keysAbout, count.add);
  const marketAbout = { part: 'market', ...about } as const;
  const market = await writeManifest(folder, [...ofMarket, ...pictures], marketAbout, count.add);
  // Another backup may have begun while the last of this one was written to disk.
  for (const each of [folder, keysFolder]) {
    if (!existsSync(join(each, MANIFEST))) throw takenOver(each);
    refuseTakenOver(each, begun.id);
  }
  // Not before: without its mark, what a kill leaves would be nobody's to remove.
  for (const each of [folder, keysFolder]) rmSync(join(each, BEGUN));
  const fileCount = market.files.length + keys.files.length;
  return { folder, keysFolder, head, files: fileCount, bytes: bytesOf([market, keys]) };
}

/**
 * Copies a market's files, each as it is at one moment, while the market may run. Letters and logs are left
 * out, because an erasure could not reach copies of them. `onProgress` is told of bytes.
 * @throws Exit 2 for a folder that cannot be used; 1 when there is no room or the secrets change meanwhile; DamagedFile,
 *   with nothing made.
 */
export async function backUp(
  market: Market,
  into: string,
  keysInto: string,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<BackedUp> {
  const { config, logId, clock } = market;
  const { dataDir } = config;
  const ofMarket = marketDatabasesOf(config);
  const [folder, keysFolder] = [resolve(into), resolve(keysInto)];
  refuseTogether(folder, keysFolder);
  // The backup's time is taken before copying: the copy holds at least everything up to then.
  const at = nowOf({ clock });
  const begun = { id: randomUUID(), at, logId };
  const folders = [
    { folder, part: 'market' },
    { folder: keysFolder, part: 'keys' },
  ] as const;
  const total = bytesOfMarket(dataDir);
  const count = createByteCounter(total, signal, onProgress);
  // The copies are not what must be checked: of a damaged file SQLite copies what it can read, mostly without a word.
  await prepareTargets(folders, begun, total, async () => {
    for (const name of [...ofMarket, ...keyDatabases]) {
      checkDatabase(dataDir, name);
      await count.addFile(join(dataDir, name));
    }
  });
  try {
    return await copyAndSeal(market, { folder, keysFolder, begun }, count);
  } catch (error) {
    // What another backup clears away looks here like a disk that fails.
    const taken = folders.find((each) => isTakenOver(each.folder, begun.id));
    throw taken === undefined || signal.aborted ? error : takenOver(taken.folder);
  }
}
