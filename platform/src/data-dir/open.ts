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
import { lockFile, makeFolder, replaceFile, takeLock, writeOnce } from './lock.js';

/** Where the embedded engines keep their files, below the data folder. */
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

/** The databases among them. */
export const databases: readonly string[] = [
  files.log,
  files.documents,
  files.state,
  files.jobs,
  files.keys,
];

/** Its presence says that a folder is ours, and of which form. */
const MARKER = 'oja-data.json';
export const DATA_FORMAT = 1;
const marked = z.object({
  kind: z.literal('oja data folder'),
  format: z.number(),
  /** Databases that were made here and cannot be made again; absent before the first one. */
  files: z.array(z.string()).default([]),
});
type Marked = z.infer<typeof marked>;

const textOf = (marker: Pick<Marked, 'kind' | 'format'> & Partial<Marked>) =>
  `${JSON.stringify(marker)}\n`;
const MARKER_TEXT = textOf({ kind: 'oja data folder', format: DATA_FORMAT });

/** What the marker of a folder says; null where it cannot be read. @throws where it is not there. */
function markerOf(path: string): Marked | null {
  try {
    return marked.parse(JSON.parse(readFileSync(join(path, MARKER), 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Why a folder with a marker is not opened; null: nothing speaks against it. */
function objectionOfMarker(path: string): string | null {
  const marker = markerOf(path);
  if (marker === null)
    return `${join(path, MARKER)} cannot be read: put it back from a backup, or write ${MARKER_TEXT.trim()} into it if the files beside it are Oja's.`;
  if (marker.format !== DATA_FORMAT)
    return `The data folder ${path} is of format ${marker.format}, and this release knows format ${DATA_FORMAT}: run the release that made it, or ${otherPlace}.`;
  return null;
}

/** SQLite takes a file without a byte for a new database. */
const isEmpty = (file: string): boolean => !existsSync(file) || statSync(file).size === 0;

/** Those of the named databases that were made in the folder and are no longer there, or empty. */
export function lostFiles(path: string, names: readonly string[]): readonly string[] {
  if (!existsSync(join(path, MARKER))) return [];
  const made = markerOf(path)?.files ?? [];
  return names.filter((name) => made.includes(name) && isEmpty(join(path, name)));
}

/** Notes that these databases were made here: should one be lost, the folder is not taken for a new one. */
export function rememberFiles(path: string, names: readonly string[]): void {
  const marker = markerOf(path);
  if (marker === null || names.every((name) => marker.files.includes(name))) return;
  const all = [...new Set([...marker.files, ...names])].sort();
  const file = join(path, MARKER);
  replaceFile(file, textOf({ ...marker, files: all }), OWN_FILE, `${file}.${process.pid}`);
}

/** Lies in a folder whose files are being replaced by those of a backup. */
export const RESTORING = 'restoring.json';

/** Folders that begin so hold what is on its way into or out of a backup, locked while somebody works on it. */
export const STAGED = 'staged-';

export interface DataDir {
  /** Absolute. */
  readonly path: string;
  /** What others of this machine may read and we may not close to them: the folder, or entries of it. */
  readonly wider: readonly string[];
  /** Gives the lock back, if this process holds it; the operating system does so when it dies. */
  release(): void;
}

export type DataDirResult =
  | { readonly ok: true; readonly dataDir: DataDir }
  /** One sentence that says what to do. */
  | { readonly ok: false; readonly message: string };

const refused = (message: string): DataDirResult => ({ ok: false, message });

const otherPlace = 'set DATA_DIR to another one';

/** The nearest part of the path that is there: where a missing folder would be made. */
function nearestExisting(path: string): string {
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

/** What the owner alone may do. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const OTHERS = 0o077;

/**
 * From here on whatever this process makes is its owner's alone, whatever the umask was: SQLite's files
 * and the uploads included. Threads share it and may not set it.
 */
function makeForOwnerOnly(): void {
  if (isMainThread) process.umask(OTHERS);
}

/**
 * Takes from others what they may do with the folder and with what lies directly in it; deeper down
 * nobody comes past these. Answers what could not be closed, since it belongs to somebody else.
 */
function closeToOthers(folder: string): readonly string[] {
  const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  return paths.filter((path) => {
    try {
      const found = statSync(path);
      if ((found.mode & OTHERS) === 0) return false;
      chmodSync(path, found.isDirectory() ? OWN_FOLDER : OWN_FILE);
      return false;
    } catch {
      // Gone since it was listed, or not ours to change.
      return existsSync(path);
    }
  });
}

/** What keeps us from using the folder; null: nothing. Writes nothing. */
function objection(path: string, restoring: boolean): string | null {
  const existing = nearestExisting(path);
  if (!statSync(existing).isDirectory()) return `${existing} is not a folder: ${otherPlace}.`;
  if (!mayWrite(existing)) {
    return `The data folder ${path} cannot be written: give yourself the right to, or ${otherPlace}.`;
  }
  if (!restoring && existsSync(join(path, RESTORING))) return unfinished(path);
  if (existing !== path) return null;
  if (existsSync(join(path, MARKER))) return objectionOfMarker(path);
  // A draft of the marker is left where the very first start was killed; a demo's secrets are put there
  // by who moves one.
  const isOurs = (name: string) =>
    name.startsWith(MARKER) || name.startsWith(STAGED) || name === SECRETS_FILE;
  const names = readdirSync(path);
  if (names.every(isOurs)) return null;
  if (names.includes(files.log))
    return `The folder ${path} holds ${files.log} but no ${MARKER}: put that back, or write ${MARKER_TEXT.trim()} into it if these are Oja's files.`;
  return `The folder ${path} holds files that are not Oja's: ${otherPlace}.`;
}

/** Why nothing can be opened in the folder; null: nothing speaks against it. Writes nothing. */
export const objectionTo = (folder: string): string | null => objection(resolve(folder), false);

/** Told of a folder whose lock another process has. */
export const anotherRuns = (path: string) =>
  `Another market runs on the folder ${path}: stop that one, or ${otherPlace}.`;
const unfinished = (path: string) =>
  `A restore into ${path} was begun and not finished: run the same oja restore again.`;

/** Said first and looked at then, as a restore does it the other way round: one of both notices. */
function shared(opened: Omit<DataDir, 'release'>, service: string | undefined): DataDirResult {
  const { path } = opened;
  if (service === undefined) return { ok: true, dataDir: { ...opened, release() {} } };
  const release = announce(path, service);
  if (!existsSync(join(path, RESTORING))) return { ok: true, dataDir: { ...opened, release } };
  release();
  return refused(unfinished(path));
}

/**
 * Opens the data folder, making and marking it when it is new or empty. `exclusive` is for the process
 * that runs everything: a second one on the same folder is refused, while services and the CLI share
 * it. `service`: what this process runs there, for those who ask. `restoring` is for the one who replaces
 * its files. Nothing is written when it is refused.
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
    const wider = closeToOthers(path);
    const marker = join(path, MARKER);
    if (!existsSync(marker)) writeOnce(marker, MARKER_TEXT, OWN_FILE);
    if (!options.exclusive) return shared({ path, wider }, options.service);
    const release = takeLock(path);
    if (release === null) return refused(anotherRuns(path));
    return { ok: true, dataDir: { path, wider, release } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (typeof code !== 'string') throw error;
    return refused(`The data folder ${path} cannot be used (${code}): ${otherPlace}.`);
  }
}

/** Holds one locked file for each service that runs on the folder. */
const FOLDER = 'running';
const sides = ['', '-wal', '-shm'];
const NAMED = /^([a-z-]+)\.(\d+)(?:\.\d+)?\.lock$/;
/** Those that this process has locked: a process in another container may have its id. */
const own = new Set<string>();

export interface Present {
  readonly service: string;
  readonly pid: number;
}

/** Whoever looks holds a lock for an instant. */
const LOOK_MS = 2_000;

function remove(file: string): void {
  for (const side of sides)
    try {
      rmSync(`${file}${side}`, { force: true });
    } catch {
      // Some systems delete no file that is open: it is told from a locked one all the same.
    }
}

/** Says that this process runs the service on the folder, until it lets go or dies. */
export function announce(folder: string, service: string): () => void {
  const at = resolve(folder, FOLDER);
  makeFolder(at);
  for (let others = 0; ; ) {
    const number = others === 0 ? '' : `.${others}`;
    const file = join(at, `${service}.${process.pid}${number}.lock`);
    const release = lockFile(file, LOOK_MS);
    if (release === null) others += 1;
    // Somebody may have removed it between its making and its locking.
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

/** The services that other processes run on the folder. What a dead one left behind is removed. */
export function announced(folder: string): readonly Present[] {
  const at = resolve(folder, FOLDER);
  if (!existsSync(at)) return [];
  return readdirSync(at).flatMap((name) => {
    const [, service, pid] = NAMED.exec(name) ?? [];
    const file = join(at, name);
    if (service === undefined || own.has(file)) return [];
    const release = lockFile(file);
    if (release === null) return [{ service, pid: Number(pid) }];
    remove(file);
    release();
    return [];
  });
}
