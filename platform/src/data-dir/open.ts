import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { takeLock } from './lock.js';
import { announce } from './presence.js';
import { writeOnce } from './write-once.js';

/** Its presence says that a folder is ours. */
const MARKER = 'oja-data.json';
const MARKER_TEXT = `${JSON.stringify({ kind: 'oja data folder', format: 1 })}\n`;

/** Lies in a folder whose files are being replaced by those of a backup. */
export const RESTORING = 'restoring.json';

export interface DataDir {
  /** Absolute. */
  readonly path: string;
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

/** `mkdir -p`. Node's own turns for ever where the system answers ENOENT to a plain mkdir (`/proc`). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What keeps us from using the folder; null: nothing. Writes nothing. */
function objection(path: string, restoring: boolean): string | null {
  const existing = nearestExisting(path);
  if (!statSync(existing).isDirectory()) return `${existing} is not a folder: ${otherPlace}.`;
  if (!mayWrite(existing)) {
    return `The data folder ${path} cannot be written: give yourself the right to, or ${otherPlace}.`;
  }
  if (!restoring && existsSync(join(path, RESTORING))) return unfinished(path);
  if (existing !== path || existsSync(join(path, MARKER))) return null;
  // A draft of the marker is left where the very first start was killed.
  if (readdirSync(path).every((name) => name.startsWith(MARKER))) return null;
  return `The folder ${path} holds files that are not Oja's: empty it, or ${otherPlace}.`;
}

const unfinished = (path: string) =>
  `A restore into ${path} was begun and not finished: run the same oja restore again.`;

/** Said first and looked at then, as a restore does it the other way round: one of both notices. */
function shared(path: string, service: string | undefined): DataDirResult {
  if (service === undefined) return { ok: true, dataDir: { path, release() {} } };
  const release = announce(path, service);
  if (!existsSync(join(path, RESTORING))) return { ok: true, dataDir: { path, release } };
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
    makeFolder(path);
    const marker = join(path, MARKER);
    if (!existsSync(marker)) writeOnce(marker, MARKER_TEXT, 0o644);
    if (!options.exclusive) return shared(path, options.service);
    const release = takeLock(path);
    if (release === null) {
      return refused(`Another market runs on the folder ${path}: stop that one, or ${otherPlace}.`);
    }
    return { ok: true, dataDir: { path, release } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (typeof code !== 'string') throw error;
    return refused(`The data folder ${path} cannot be used (${code}): ${otherPlace}.`);
  }
}
