import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOOK_MS, lockFile, probeLock, STAGED } from '@oja/platform';

/** The beginnings of the names of folders with a copy of a market that `start --plan` and `oja drill` work on. */
export const PLANNED = 'oja-plan-';
export const DRILLED = 'oja-drill-';

/** Locked while its process works in the folder. It also tells these folders from others whose names begin alike. */
const MARK = 'temporary.lock';

/** Whether a folder was made here, by a process that is gone. Another user's is not looked into. */
function isAbandoned(path: string): boolean {
  const mark = join(path, MARK);
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
  if (owner !== (process.getuid?.() ?? 0) || !existsSync(mark)) return false;
  const release = probeLock(mark);
  release?.();
  return release !== null;
}

/**
 * Removes the folders that killed processes left with this prefix: they hold copies of personal data and of keys. Returns
 * the names of those that stay, because a process works in them or they are another user's.
 */
function removeAbandoned(parent: string, prefix: string): readonly string[] {
  return readdirSync(parent).filter((name) => {
    const path = join(parent, name);
    if (!name.startsWith(prefix)) return false;
    if (isAbandoned(path)) rmSync(path, { recursive: true, force: true });
    return existsSync(join(path, MARK));
  });
}

/**
 * Removes the copies of keys that killed commands left in their usual places. An erasure cannot find a key in them by
 * searching for it, because it is wrapped. Returns the folders in the data folder where a backup or restore is under way.
 */
export function removeLeftKeys(dataDir: string): readonly string[] {
  for (const prefix of [PLANNED, DRILLED]) removeAbandoned(tmpdir(), prefix);
  return removeAbandoned(dataDir, STAGED);
}

/** A new folder that only this user may read. */
interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

function newFolder(parent: string, prefix: string): TemporaryFolder {
  const path = mkdtempSync(join(parent, prefix));
  const release = lockFile(join(path, MARK), LOOK_MS);
  return {
    path,
    remove() {
      release?.();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** A new folder in `parent` that lasts until it is removed; those that killed processes left are removed first. */
export function temporaryFolder(parent: string, prefix: string): TemporaryFolder {
  removeAbandoned(parent, prefix);
  return newFolder(parent, prefix);
}

interface Wanted {
  /** An existing folder. */
  readonly parent: string;
  /** The beginning of the new folder's name. */
  readonly prefix: string;
  /** Called before the folder is made. @throws when there is too little room for what goes into it. */
  requireRoom(): Promise<void>;
}

/**
 * Runs `work` with a new folder and removes it whatever happens; those that killed processes left are removed before
 * the room is looked at.
 */
export async function withTemporaryFolder<T>(
  { parent, prefix, requireRoom }: Wanted,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  removeAbandoned(parent, prefix);
  await requireRoom();
  const folder = newFolder(parent, prefix);
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
  }
}
