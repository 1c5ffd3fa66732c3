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

interface Wanted {
  /** An existing folder. */
  readonly parent: string;
  /** The beginning of the new folder's name. */
  readonly prefix: string;
  /** Called before the folder is made. @throws when there is too little room for what goes into it. */
  requireRoom(): Promise<void>;
}

/**
 * Runs `work` with a new folder that only this user may read, and removes it whatever happens. Those that killed
 * processes left with this prefix are removed first: they hold copies of personal data and of keys, and no erasure
 * looks for copies there.
 */
export async function withTemporaryFolder<T>(
  { parent, prefix, requireRoom }: Wanted,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (name.startsWith(prefix) && isAbandoned(path))
      rmSync(path, { recursive: true, force: true });
  }
  await requireRoom();
  const folder = mkdtempSync(join(parent, prefix));
  let release: (() => void) | null = null;
  try {
    release = lockFile(join(folder, MARK), LOOK_MS);
    return await work(folder);
  } finally {
    release?.();
    rmSync(folder, { recursive: true, force: true });
  }
}
