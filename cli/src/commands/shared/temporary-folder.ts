import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOOK_MS, lockFile, PROBE_MS } from '@oja/platform';

/** Locked while its process works in the folder. It also tells these folders from others whose names begin alike. */
const MARK = 'temporary.lock';

/** Whether a folder was made here, by a process that is gone. Another user's is not looked into. */
function isAbandoned(path: string): boolean {
  const mark = join(path, MARK);
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
  if (owner !== (process.getuid?.() ?? 0) || !existsSync(mark)) return false;
  const release = lockFile(mark, PROBE_MS);
  release?.();
  return release !== null;
}

/**
 * Removes the folders that killed processes left with this prefix: they hold copies of personal data and of keys, and
 * no erasure looks for copies there.
 */
function removeAbandoned(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (name.startsWith(prefix) && isAbandoned(path))
      rmSync(path, { recursive: true, force: true });
  }
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
