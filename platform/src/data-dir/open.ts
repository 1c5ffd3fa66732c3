import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { SECRETS_FILE } from '../config/secrets.js';
import { checkCompletely, type JsonColumns } from '../sqlite/files.js';
import {
  holderOf,
  LOCK,
  LOCK_WAIT_MS,
  lockFile,
  makeFolder,
  probeLock,
  replaceFile,
  takeLock,
  writeOnce,
} from './lock.js';

/** Files and folders below the data folder. */
export const files = {
  log: 'log.db',
  documents: 'documents.db',
  state: 'state.db',
  jobs: 'jobs.db',
  keys: 'keys.db',
  mail: 'mail',
  pictures: 'pictures',
  logs: 'logs',
} as const;

/** The SQLite databases among `files`. */
export const databases: readonly string[] = [
  files.log,
  files.documents,
  files.state,
  files.jobs,
  files.keys,
];

/** Holds one locked file for each service that runs on the data folder. */
const FOLDER = 'running';

/** Marks a folder as Oja's and records its format. */
export const MARKER_FILE = 'oja-data.json';
export const DATA_FORMAT = 1;
const marked = z.object({
  kind: z.literal('oja data folder'),
  format: z.number(),
  /** Databases created here that cannot be rebuilt; absent before the first one. */
  files: z.array(z.string()).default([]),
});
type Marked = z.infer<typeof marked>;

const textOf = (marker: Pick<Marked, 'kind' | 'format'> & Partial<Marked>) =>
  `${JSON.stringify(marker)}\n`;
const MARKER_TEXT = textOf({ kind: 'oja data folder', format: DATA_FORMAT });

/** A folder's marker; null when its text cannot be parsed. @throws when the file is missing. */
function markerOf(path: string): Marked | null {
  try {
    return marked.parse(JSON.parse(readFileSync(join(path, MARKER_FILE), 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Why a folder with a marker cannot be opened; null when it can. */
function objectionOfMarker(path: string): string | null {
  const marker = markerOf(path);
  if (marker === null)
    return `${join(path, MARKER_FILE)} cannot be read: put it back from a backup, or write ${MARKER_TEXT.trim()} into it if the files beside it are Oja's.`;
  if (marker.format !== DATA_FORMAT)
    return `The data folder ${path} is of format ${marker.format}, and this release knows format ${DATA_FORMAT}: run the release that made it, or ${otherPlace}.`;
  return null;
}

/** Whether there is no database: SQLite takes a file of zero bytes for a new one. */
const isEmpty = (file: string): boolean => !existsSync(file) || statSync(file).size === 0;

/** The named databases that were created in the folder but are now missing or empty. */
export function lostFiles(path: string, names: readonly string[]): readonly string[] {
  if (!existsSync(join(path, MARKER_FILE))) return [];
  const made = markerOf(path)?.files ?? [];
  return names.filter((name) => made.includes(name) && isEmpty(join(path, name)));
}

/** Records that these databases were created here: if one is lost, the folder is not mistaken for a new one. */
export function rememberFiles(path: string, names: readonly string[]): void {
  const marker = markerOf(path);
  if (marker === null || names.every((name) => marker.files.includes(name))) return;
  const all = [...new Set([...marker.files, ...names])].sort();
  const file = join(path, MARKER_FILE);
  replaceFile(file, textOf({ ...marker, files: all }), OWN_FILE, `${file}.${process.pid}`);
}

/** Marks a folder whose files a restore is replacing. */
export const RESTORING = 'restoring.json';

/** Prefix of folders with files on their way into or out of a backup; locked while a process works on them. */
export const STAGED = 'staged-';

export interface DataDir {
  /** Absolute. */
  readonly path: string;
  /** The folder or entries of it that other users can read, and whose permissions we may not change. */
  readonly readableByOthers: readonly string[];
  /** Releases this process's lock or announcement, if any; the operating system does so when the process dies. */
  release(): void;
}

export type DataDirResult =
  | { readonly ok: true; readonly dataDir: DataDir }
  /** One sentence that tells the operator what to do. */
  | { readonly ok: false; readonly message: string };

const refused = (message: string): DataDirResult => ({ ok: false, message });

const otherPlace = 'set DATA_DIR to another one';

/** The nearest existing folder on the path, in which a missing one would be created. */
export function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The system's codes for a disk, or a user's share of it, without room. */
const FULL: readonly string[] = ['ENOSPC', 'EDQUOT'];

/** Modes for the owner only, and the mask of everybody else. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const OTHERS = 0o077;

/**
 * Makes all files that this process creates from now on private to its owner, SQLite's and uploads included.
 * Worker threads share the umask and may not set it.
 */
function makeForOwnerOnly(): void {
  if (isMainThread) process.umask(OTHERS);
}

/**
 * Removes other users' permissions on the folder and its direct entries, past which nobody gets deeper.
 * Returns the paths whose permissions could not be changed, because they belong to another user.
 */
function restrictToOwner(folder: string): readonly string[] {
  const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  return paths.filter((path) => {
    try {
      const found = statSync(path);
      if ((found.mode & OTHERS) === 0) return false;
      chmodSync(path, found.isDirectory() ? OWN_FOLDER : OWN_FILE);
      return false;
    } catch {
      // Deleted since it was listed, or another user's.
      return existsSync(path);
    }
  });
}

/** Whether an entry of the data folder is Oja's: one of its files, what SQLite keeps beside one, or one of its folders. */
const isKnown = (name: string): boolean =>
  [...Object.values(files), MARKER_FILE, SECRETS_FILE, LOCK, FOLDER].some(
    (known) => name === known || name.startsWith(`${known}-`),
  );

/** Whether this user may do with a file or folder of the data folder what a market does. */
function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EACCES');
  }
}

/**
 * Why this user cannot open the market in the folder, although they may look into it: a restore or a first start of
 * another user left files there that are theirs alone. Null when no file is in the way.
 */
export function objectionToFiles(path: string): string | null {
  if (!existsSync(path)) return null;
  const theirs = readdirSync(path).find((name) => isKnown(name) && !mayUse(join(path, name)));
  if (theirs === undefined) return null;
  return `You may not read and write ${join(path, theirs)}: run Oja as the user whom it belongs to, or give everything in ${path} to one user (chown -R).`;
}

/** Why the folder cannot be used; null when it can. Writes nothing. */
function objection(path: string, restoring: boolean): string | null {
  const existing = nearestExisting(path);
  if (!statSync(existing).isDirectory()) return `${existing} is not a folder: ${otherPlace}.`;
  if (!mayWrite(existing)) {
    return `The data folder ${path} cannot be written: give yourself the right to, or ${otherPlace}.`;
  }
  if (!restoring && existsSync(join(path, RESTORING))) return unfinishedRestore(path);
  if (existing !== path) return null;
  // A restore puts other files into the place of these.
  const theirs = restoring ? null : objectionToFiles(path);
  if (theirs !== null) return theirs;
  if (existsSync(join(path, MARKER_FILE))) return objectionOfMarker(path);
  // A killed first start leaves a draft of the marker; an operator who moves a demo puts its secrets here.
  const isOurs = (name: string) =>
    name.startsWith(MARKER_FILE) || name.startsWith(STAGED) || name === SECRETS_FILE;
  const names = readdirSync(path);
  if (names.every(isOurs)) return null;
  if (names.includes(files.log))
    return `The folder ${path} holds ${files.log} but no ${MARKER_FILE}: put that back, or write ${MARKER_TEXT.trim()} into it if these are Oja's files.`;
  return `The folder ${path} holds files that are not Oja's: ${otherPlace}.`;
}

/** Why a market cannot be opened in the folder, as one sentence; null when it can. Writes nothing. */
export const objectionTo = (folder: string): string | null => objection(resolve(folder), false);

/** The message for a folder whose lock another process holds; names that process. */
export function alreadyRunning(path: string): string {
  const pid = holderOf(path);
  const which = pid === null ? '' : ` (process ${pid})`;
  return `A market runs on the folder ${path} already${which}: stop it first, or ${otherPlace}.`;
}
const unfinishedRestore = (path: string) =>
  `A restore into ${path} was begun and not finished: run the same oja restore again.`;

/**
 * Announces the service first and then looks for a restore. A restore marks the folder first and then looks for
 * services, so at least one of the two notices the other.
 */
function shared(opened: Omit<DataDir, 'release'>, service: string | undefined): DataDirResult {
  const { path } = opened;
  if (service === undefined) return { ok: true, dataDir: { ...opened, release() {} } };
  const release = announceService(path, service);
  if (!existsSync(join(path, RESTORING))) return { ok: true, dataDir: { ...opened, release } };
  release();
  return refused(unfinishedRestore(path));
}

/**
 * Opens the data folder; creates and marks it when it is missing or empty. A folder that cannot be used is
 * refused before anything is written. `exclusive`: for the process that runs everything; a second one is
 * refused, while services and the CLI share the folder. `service`: what this process runs there, announced
 * to other processes. `restoring`: for a restore, which replaces the folder's files. @throws NoRoom, or the system's
 * error, when the disk is full: the folder is the right one.
 */
export function openDataDir(
  folder: string,
  options: {
    readonly exclusive: boolean;
    readonly restoring?: boolean;
    readonly service?: string;
  },
): DataDirResult {
  const path = resolve(folder);
  try {
    const against = objection(path, options.restoring === true);
    if (against !== null) return refused(against);
    makeForOwnerOnly();
    makeFolder(path);
    const readableByOthers = restrictToOwner(path);
    const marker = join(path, MARKER_FILE);
    if (!existsSync(marker)) writeOnce(marker, MARKER_TEXT, OWN_FILE);
    if (!options.exclusive) return shared({ path, readableByOthers }, options.service);
    const release = takeLock(path);
    if (release === null) return refused(alreadyRunning(path));
    // The process that held the lock until now may have been a restore that was not finished.
    if (options.restoring !== true && existsSync(join(path, RESTORING))) {
      release();
      return refused(unfinishedRestore(path));
    }
    return { ok: true, dataDir: { path, readableByOthers, release } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (typeof code !== 'string' || FULL.includes(code)) throw error;
    return refused(`The data folder ${path} cannot be used (${code}): ${otherPlace}.`);
  }
}

const databaseSuffixes = ['', '-wal', '-shm'];
const NAMED = /^([a-z-]+)\.(\d+)(?:\.\d+)?\.lock$/;
/** Lock files of this process. Their names do not tell: a process in another container may have the same id. */
const own = new Set<string>();

export interface RunningService {
  readonly service: string;
  readonly pid: number;
}

function remove(file: string): void {
  for (const side of databaseSuffixes)
    try {
      rmSync(`${file}${side}`, { force: true });
    } catch {
      // Some systems cannot delete open files. The file that stays is not locked, so nobody counts it.
    }
}

/** Locks a file that announces this process; leaves none where there is no room. @throws NoRoom */
function announced(file: string): (() => void) | null {
  try {
    return lockFile(file, LOCK_WAIT_MS);
  } catch (error) {
    remove(file);
    throw error;
  }
}

/** Announces that this process runs the service on the folder, until it dies or calls the returned function. */
function announceService(folder: string, service: string): () => void {
  const at = resolve(folder, FOLDER);
  makeFolder(at);
  for (let others = 0; ; ) {
    const number = others === 0 ? '' : `.${others}`;
    const file = join(at, `${service}.${process.pid}${number}.lock`);
    const release = announced(file);
    if (release === null) others += 1;
    // Another process may have removed it between its creation and its locking.
    else if (!existsSync(file)) release();
    else {
      own.add(file);
      return () => {
        remove(file);
        release();
        own.delete(file);
      };
    }
  }
}

/** The services that other processes run on the folder. Removes what dead processes left behind. */
export function runningServices(folder: string): readonly RunningService[] {
  const at = resolve(folder, FOLDER);
  if (!existsSync(at)) return [];
  return readdirSync(at).flatMap((name) => {
    const [, service, pid] = NAMED.exec(name) ?? [];
    const file = join(at, name);
    if (service === undefined || own.has(file)) return [];
    const release = probeLock(file);
    if (release === null) return [{ service, pid: Number(pid) }];
    remove(file);
    release();
    return [];
  });
}

interface Content {
  readonly json: readonly JsonColumns[];
  /** Whether its content is rebuilt where it is lost, so that its many indexes need not be compared with their tables. */
  readonly isRebuiltIfLost: boolean;
}

const contents: Readonly<Record<string, Content>> = {
  [files.log]: {
    json: [{ tables: 'events', columns: ['data', 'metadata'] }],
    isRebuiltIfLost: false,
  },
  [files.state]: { json: [{ tables: 'entries', columns: ['value'] }], isRebuiltIfLost: false },
  [files.keys]: { json: [], isRebuiltIfLost: false },
  [files.documents]: {
    json: [{ tables: '*$documents', columns: ['json'] }],
    isRebuiltIfLost: true,
  },
  [files.jobs]: { json: [{ tables: 'jobs', columns: ['data'] }], isRebuiltIfLost: true },
};

/** Whether a database is rebuilt by itself, from the log or by the sweeps, where it is lost. */
export const isRebuiltIfLost = (name: string): boolean => contents[name]?.isRebuiltIfLost === true;

/**
 * Checks all of one database in a folder for damage, while others may write to it. `isCopy`: it is a finished copy,
 * beside which nothing is made. @throws DamagedFile
 */
export function checkDatabase(
  folder: string,
  name: string,
  { isCopy = false }: { readonly isCopy?: boolean } = {},
): void {
  checkCompletely(join(folder, name), {
    json: contents[name]?.json ?? [],
    indexes: !isRebuiltIfLost(name),
    isCopy,
  });
}
