import {
  chmodSync,
  type Dirent,
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { files, isFull, makeFolder, writeOnce } from '@oja/platform';
import { type Exit, failedExit, systemCodeOf, usageExit } from '../../terminal/exit.js';
import { freeBytesIn, requireDiskSpace } from '../shared/disk-space.js';
import {
  BEGUN,
  type Begun,
  begunOf,
  isBackupFile,
  MANIFEST,
  manifestOf,
  textOf,
} from './manifest.js';
import { refuseNoFolder } from './storage.js';

/** @throws Exit 1 when the disk is full. */
export function exitIfDiskFull(to: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isFull(error) && systemCodeOf(error) !== 'ENOSPC') throw error;
    const where = `There is no room left for ${to}`;
    throw failedExit(`${where}: make some, and run the same oja backup again.`);
  }
}

/** @throws Exit 2 when the operating system refuses to create the folder. */
function makeFolderOrExit(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    const code = systemCodeOf(error);
    const why = code === null ? '' : ` (${code})`;
    throw usageExit(`${folder} cannot be made${why}: name another folder.`);
  }
}

/** The mark of an unfinished backup in a folder; null when there is none. */
function readMark(folder: string): Begun | null {
  const path = join(folder, BEGUN);
  return existsSync(path) ? begunOf(readFileSync(path, 'utf8')) : null;
}

export const takenOver = (folder: string): Exit =>
  failedExit(
    `Another oja backup writes to ${folder} at this moment: let it end, or name another folder.`,
  );

/** @throws Exit 1 when another backup has begun in the folder since this one, whose mark had this id. */
export function refuseTakenOver(folder: string, id: string): void {
  if (readMark(folder)?.id !== id) throw takenOver(folder);
}

/**
 * Whether another backup has begun in the folder since this one, whose mark had this id, or has ended there, as far as
 * can be seen: a disk that fails shows neither.
 */
export function isTakenOver(folder: string, id: string): boolean {
  try {
    const mark = readMark(folder);
    if (mark !== null) return mark.id !== id;
    const sealed = manifestOf(readFileSync(join(folder, MANIFEST), 'utf8'));
    return sealed !== null && sealed.id !== id;
  } catch {
    return false;
  }
}

/** What a kill leaves of a mark on its way to disk. */
const isDraftOf = (file: string, name: string): boolean =>
  name.startsWith(`${file}.`) && name.endsWith('.tmp');

const isSealed = (folder: string): boolean => existsSync(join(folder, MANIFEST));

/**
 * Whether a backup was killed between sealing its keys and sealing the market's part. The mark beside the sealed keys does
 * not tell by itself: marks are removed after both parts are sealed, so a kill may leave that of a finished backup.
 */
function isHalfSealed([market, keys]: Targets): boolean {
  const [begun, begunKeys] = [readMark(market.folder), readMark(keys.folder)];
  const isOnePair = begun !== null && begun.id === begunKeys?.id;
  return isOnePair && isSealed(keys.folder) && !isSealed(market.folder);
}

/**
 * Changes nothing. A folder is used when it is new or empty, or when the mark of an unfinished backup of the same
 * part and market is there: the names of files alone do not say that they are ours to delete. `mayBeSealed`: the part is
 * whole, and its backup is not. @throws Exit 2 when it holds a backup or anything else.
 */
function refuseUsed(
  { folder, part }: Target,
  { logId }: Pick<Begun, 'logId'>,
  mayBeSealed: boolean,
): void {
  refuseNoFolder(folder);
  if (!existsSync(folder)) return;
  const refused = (holds: string) => usageExit(`${folder} holds ${holds}: name another folder.`);
  if (isSealed(folder) && !mayBeSealed) throw refused('a backup already');
  const begun = readMark(folder);
  const strange =
    begun === null
      ? readdirSync(folder).find((name) => !isDraftOf(BEGUN, name))
      : findForeignPath(folder);
  if (strange !== undefined) throw refused(`something else (${strange})`);
  if (begun === null) return;
  if (begun.logId !== logId) throw refused('an unfinished backup of another market');
  if (begun.part !== part) throw refused('the other part of an unfinished backup');
}

/** Looks at both folders. Returns whether they are half sealed. @throws as `refuseUsed` */
function refuseUsedOf(targets: Targets, begun: Pick<Begun, 'logId'>): boolean {
  const halfSealed = isHalfSealed(targets);
  for (const target of targets) refuseUsed(target, begun, halfSealed);
  return halfSealed;
}

/** The path of something that no unfinished backup leaves; undefined when there is none. */
function findForeignPath(folder: string): string | undefined {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const strange = entries.find((entry) => {
    const path = pathIn(folder, entry);
    return entry.isDirectory()
      ? path.split(sep)[0] !== files.pictures
      : !isBackupRemnant(entry, path);
  });
  return strange && pathIn(folder, strange);
}

const pathIn = (folder: string, { parentPath, name }: Dirent) =>
  relative(folder, join(parentPath, name));

/** A copy, a side file that SQLite keeps beside one, or a manifest or its draft. */
const isBackupRemnant = (entry: Dirent, path: string): boolean =>
  entry.isFile() &&
  (isBackupFile(path.replace(/-(wal|shm|journal)$/, '')) ||
    path === MANIFEST ||
    [MANIFEST, BEGUN].some((file) => isDraftOf(file, path)));

/** Bytes of an unfinished backup, which make room when they are removed. */
function sizeOfRemnants(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Empties a folder of an unfinished backup, its mark last, and marks it. @throws Exit 1 when the disk is full. */
function clearAndMark(folder: string, begun: Omit<Begun, 'kind'>): void {
  chmodSync(folder, 0o700);
  const mark = join(folder, BEGUN);
  const isMarked = existsSync(mark);
  const remains = readdirSync(folder).filter((name) =>
    isMarked ? name !== BEGUN : isDraftOf(BEGUN, name),
  );
  for (const name of remains) rmSync(join(folder, name), { recursive: true });
  rmSync(mark, { force: true });
  exitIfDiskFull(mark, () =>
    writeOnce(mark, textOf({ kind: 'oja-backup-begun', ...begun }), 0o600),
  );
}

/** A folder and those above it that do not exist yet, the deepest first. */
function missingFrom(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.push(at);
  return missing;
}

/** Removes folders that were made for a backup that is refused after all, unless something lies in them. */
function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length))
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** A folder that a part of a new backup is made in. */
interface Target {
  readonly folder: string;
  readonly part: Begun['part'];
}

/** The part of the market comes first. */
type Targets = readonly [market: Target, keys: Target];

/**
 * Makes the folders ready, each new or emptied of the remains of a killed backup, and marked as begun. Nothing is
 * removed before both folders, the room, and with `check` what is to be copied were looked at. `needed`: the bytes that
 * the market's part takes.
 * @throws Exit 2 when a folder cannot be used; 1 when there is no room; what `check` throws.
 */
export async function prepareTargets(
  targets: Targets,
  begun: Omit<Begun, 'kind' | 'part'>,
  needed: number,
  check: () => Promise<void>,
): Promise<void> {
  refuseUsedOf(targets, begun);
  const missing = targets.flatMap(({ folder }) => missingFrom(folder));
  try {
    for (const { folder } of targets) makeFolderOrExit(folder);
    const [{ folder }] = targets;
    const free = (await freeBytesIn(folder)) + sizeOfRemnants(folder);
    requireDiskSpace({ folder, needed, free }, 'The backup');
    await check();
    // Another backup may have come to its end meanwhile: what it sealed stays.
    const halfSealed = refuseUsedOf(targets, begun);
    // First, so that a kill from here on leaves two unfinished parts.
    if (halfSealed)
      for (const target of targets) rmSync(join(target.folder, MANIFEST), { force: true });
    for (const target of targets) clearAndMark(target.folder, { part: target.part, ...begun });
  } catch (error) {
    removeEmptyFolders(missing);
    throw error;
  }
}
