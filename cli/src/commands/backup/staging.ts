import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, rmdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder, STAGED } from '@oja/platform';
import { freeBytesIn, requireDiskSpace } from '../shared/disk-space.js';
import { withTemporaryFolder } from '../shared/temporary-folder.js';

/**
 * Writes a stream to a file that only its owner may read; the data is on disk when this resolves. Even after a
 * failure it waits until the file is closed: a stream that fails at once would otherwise create the file later,
 * in a folder that is being removed. @throws the signal's reason; any error of the streams.
 */
export async function writeStreamToFile(
  path: string,
  content: Readable,
  signal: AbortSignal,
  through: readonly Duplex[] = [],
): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  try {
    await pipeline([content, ...through, file], { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    if (!file.closed) await once(file, 'close').catch(() => undefined);
  }
}

/**
 * Runs `work` with a temporary folder for `bytes` bytes, and removes it whatever happens. It lies inside the data
 * folder, where an erasure searches too. A data folder that was created for it is removed as well while it is empty.
 * @throws Exit 1 when there is no room.
 */
export async function withStaging<T>(
  folder: string,
  bytes: number,
  work: (staging: string) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(folder);
  const isNew = !existsSync(dataDir);
  makeFolder(dataDir, 0o700);
  async function requireRoom(): Promise<void> {
    const room = { folder: dataDir, needed: bytes, free: await freeBytesIn(dataDir) };
    requireDiskSpace(room, 'A copy on its way');
  }
  try {
    return await withTemporaryFolder({ parent: dataDir, prefix: STAGED, requireRoom }, work);
  } finally {
    if (isNew && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
  }
}
