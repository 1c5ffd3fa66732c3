import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { LOCK_WAIT_MS, lockFile, probeLock, STAGED } from '@oja/platform';

/** The beginnings of the names of folders with a copy of a market that `start --plan` and `oja drill` work on. */
export const PLAN_PREFIX = 'oja-plan-';
export const DRILL_PREFIX = 'oja-drill-';
/** The prefix of the folder for what an import or a move in reads from a pipe. */
export const INPUT_PREFIX = 'oja-input-';
/** The same, in the data folder, for folders that name the draft of a file elsewhere. */
const DRAFT_PREFIX = 'draft-';

/** Locked while its process works in the folder. It also tells these folders from others whose names begin alike. */
const LOCK_FILE = 'temporary.lock';
const TRIES = 10;

/** Whether a folder was made here, by a process that is gone. Another user's is not looked into. */
function isAbandoned(path: string): boolean {
  const mark = join(path, LOCK_FILE);
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
  if (owner !== (process.getuid?.() ?? 0)) return false;
  for (let left = TRIES; existsSync(mark); ) {
    try {
      const release = probeLock(mark);
      release?.();
      return release !== null;
    } catch (error) {
      // Most likely another process removes it at this moment.
      left -= 1;
      if (left === 0) throw error;
    }
  }
  return false;
}

/** Removes a folder into which others that look at its lock may just be writing. */
const removeAll = (path: string) =>
  rmSync(path, { recursive: true, force: true, maxRetries: TRIES, retryDelay: 10 });

/**
 * Removes the folders that killed processes left with this prefix: they hold copies of personal data and of keys. Returns
 * the names of those that stay, because a process works in them or they are another user's.
 */
function removeAbandoned(parent: string, prefix: string): readonly string[] {
  return readdirSync(parent).filter((name) => {
    const path = join(parent, name);
    if (!name.startsWith(prefix)) return false;
    if (isAbandoned(path)) {
      removeNamedDraft(parent, path);
      removeAll(path);
    }
    return existsSync(join(path, LOCK_FILE));
  });
}

/** The file in a folder that names a draft, by its path from the data folder. */
const DRAFT = 'draft';
const isDraft = (path: string) => /\.[0-9a-f]{12}\.part$/.test(path);

/** Removes the draft that a folder names, if it names one. */
function removeNamedDraft(dataDir: string, folder: string): void {
  try {
    const draft = resolve(dataDir, readFileSync(join(folder, DRAFT), 'utf8'));
    if (isDraft(draft)) rmSync(draft, { force: true });
  } catch {
    // It names none, or another process has removed it, or its place has become another one since then, such as a disk
    // that is now read only.
  }
}

/**
 * A name for the draft of a file, of this process alone. Until `forget`, the data folder knows of the draft: if this
 * process is killed, the next that writes a file, or opens the market, removes it. Drafts that killed ones left are
 * removed first.
 */
export function newDraft(
  dataDir: string,
  file: string,
): { readonly path: string; readonly forget: () => void } {
  removeAbandoned(dataDir, DRAFT_PREFIX);
  const path = `${file}.${randomBytes(6).toString('hex')}.part`;
  let folder: TemporaryFolder | null = null;
  try {
    folder = newFolder(dataDir, DRAFT_PREFIX);
    writeFileSync(join(folder.path, DRAFT), relative(resolve(dataDir), resolve(path)));
  } catch {
    // Where the disk of the market is full, a file may be written to another one all the same.
  }
  return {
    path,
    forget() {
      try {
        folder?.remove();
      } catch {
        // The file is whole. Whoever comes next removes the folder.
      }
    },
  };
}

/**
 * Removes the copies of keys that killed commands left in their usual places. An erasure cannot find a key in them by
 * searching for it, because it is wrapped. Returns the folders in the data folder where a backup or restore is under way.
 */
export function removeLeftKeys(dataDir: string): readonly string[] {
  for (const prefix of [PLAN_PREFIX, DRILL_PREFIX, INPUT_PREFIX]) removeAbandoned(tmpdir(), prefix);
  removeAbandoned(dataDir, DRAFT_PREFIX);
  return removeAbandoned(dataDir, STAGED);
}

/** A new folder that only this user may read. */
interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

function newFolder(parent: string, prefix: string): TemporaryFolder {
  const path = mkdtempSync(join(parent, prefix));
  try {
    const release = lockFile(join(path, LOCK_FILE), LOCK_WAIT_MS);
    return {
      path,
      remove() {
        release?.();
        removeAll(path);
      },
    };
  } catch (error) {
    removeAll(path);
    throw error;
  }
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
