import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isLocked, makeFolder, STAGED, takeLock } from '@oja/platform';
import { freeIn, refuseWithoutRoom } from '../shared/room.js';

/**
 * Writes what comes into a file, its owner's alone, and on disk when it resolves. However it ends, the file is closed by
 * then: a stream that fails at once leaves one behind that is made only now, in a folder that is being removed.
 */
export async function intoFile(
  path: string,
  content: Readable,
  signal: AbortSignal,
  through: readonly Duplex[] = [],
): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  try {
    await pipeline([content, ...through, file], { signal });
  } finally {
    if (!file.closed) await once(file, 'close').catch(() => undefined);
  }
}

/** What a killed backup or restore has left: a copy that no erasure would know of. */
function removeAbandoned(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name);
    if (name.startsWith(STAGED) && !isLocked(path)) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Lends a folder inside the data folder, where an erasure looks too, for what is on its way; it goes whatever
 * happens. `bytes`: how many it will hold. A data folder that was not there is gone again too, unless it was used.
 * @throws Exit 1 where there is no room for them.
 */
export async function withStaging<T>(
  folder: string,
  bytes: number,
  work: (staging: string) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(folder);
  const isNew = !existsSync(dataDir);
  makeFolder(dataDir, 0o700);
  let staging: string | null = null;
  let release: (() => void) | null = null;
  try {
    removeAbandoned(dataDir);
    const room = { folder: dataDir, needed: bytes, free: await freeIn(dataDir) };
    refuseWithoutRoom(room, 'A copy on its way');
    staging = mkdtempSync(join(dataDir, STAGED));
    release = takeLock(staging);
    return await work(staging);
  } finally {
    release?.();
    if (staging !== null) rmSync(staging, { recursive: true, force: true });
    if (isNew && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
  }
}
