import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { makeFolder, type Plan, spareBytes } from '@oja/platform';
import type { ConfirmOptions } from '../../terminal/confirm.js';
import { configExit, Exit, failedExit, systemCodeOf } from '../../terminal/exit.js';
import { Interrupted } from '../../terminal/interrupt.js';
import { withByteProgress } from '../../terminal/progress.js';
import {
  bytesOf,
  type FileEntry,
  incompleteBackupExit,
  MANIFEST,
  type Manifest,
  refuseOtherKeys,
  requireManifest,
  storedName,
  textOf,
} from './manifest.js';
import { storageAt } from './open-storage.js';
import { confirmReplaced, refuseServedFolder, refuseWithoutSecrets } from './restore.js';
import { withStaging, writeStreamToFile } from './staging.js';
import { type BackupAddress, formatAddress, type Parts, type Storage } from './storage.js';

/** How often a file is requested when its connection is cut. */
const TRIES = 3;

interface Incoming {
  readonly storage: Storage;
  readonly placed: BackupAddress;
  readonly manifest: Manifest;
}

async function openIncoming(placed: BackupAddress, part: Manifest['part']): Promise<Incoming> {
  const storage = await storageAt(placed.place);
  const text = await storage.text(placed.name, MANIFEST);
  return { storage, placed, manifest: requireManifest(formatAddress(placed), part, text) };
}

/** System errors of a disk; those of a write carry no path. */
const DISK_CODES: readonly (string | null)[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'];

/** Whether an error comes from the local disk, so that another try is no help: the system's own words say what is. */
const isDiskError = (error: unknown): boolean =>
  error instanceof Error &&
  'syscall' in error &&
  ('path' in error || DISK_CODES.includes(systemCodeOf(error)));

/** Downloads one file, decrypts it and checks its digest. @throws Exit when it is not what the manifest says. */
async function fetchFile(
  { storage, placed: { place, name }, manifest }: Incoming,
  file: FileEntry,
  to: string,
  key: string | null,
  signal: AbortSignal,
  onFetched: (bytes: number) => void,
): Promise<void> {
  const hash = createHash('sha256');
  const counted = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part);
      onFetched(part.length);
      done(null, part);
    },
  });
  const no = (why: string) =>
    incompleteBackupExit(formatAddress({ place, name }), manifest.part, `${file.name} ${why}`);
  const stored = await storage.read(name, storedName(manifest, file));
  if (stored === null) throw no('is missing');
  const plain =
    key === null ? stored : await (await import('./encryption.js')).decryptStream(stored, key);
  makeFolder(dirname(to), 0o700);
  await writeStreamToFile(to, plain, signal, [counted]);
  if (hash.digest('hex') !== file.sha256) throw no('was changed');
}

async function fetchWithRetry(from: Incoming, file: FileEntry, work: () => Promise<void>) {
  const where = formatAddress(from.placed);
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (error instanceof Exit || error instanceof Interrupted) throw error;
      // A connection that was cut leaves the system's code; without one, the file itself is damaged.
      const code = systemCodeOf(error);
      if (code === null)
        throw incompleteBackupExit(where, from.manifest.part, `${file.name} was cut or changed`);
      if (isDiskError(error)) throw error;
      if (tries === TRIES)
        throw failedExit(
          `${where}/${file.name} was cut off ${TRIES} times (${code}): run the same command again; nothing was changed.`,
        );
    }
}

/**
 * Downloads and decrypts both parts of a backup into temporary folders, laid out like a local backup, and runs
 * `work` on them. Asks before the first byte whether the existing market may be replaced.
 * @throws Exit 2 when the backup is not whole, or the market may not be replaced; 78 when the market runs, or the
 *   key or a secret is missing or wrong; 1 when a place cannot be reached or there is no room.
 */
export async function withFetched<T>(
  plan: Plan,
  { market, keys }: Parts,
  options: ConfirmOptions,
  signal: AbortSignal,
  work: (folder: string, keysFolder: string) => Promise<T>,
): Promise<T> {
  const { dataDir, variables } = plan;
  refuseServedFolder(dataDir);
  const { BACKUP_KEY: key = null } = variables;
  const parts = [await openIncoming(market, 'market'), await openIncoming(keys, 'keys')] as const;
  const named = ({ placed, manifest }: Incoming) => ({ where: formatAddress(placed), manifest });
  refuseOtherKeys(named(parts[0]), named(parts[1]));
  const isEncrypted = parts.some(({ manifest }) => manifest.encryption !== undefined);
  if (isEncrypted && key === null)
    throw configExit(
      `${formatAddress(market)} is encrypted: set BACKUP_KEY, or BACKUP_KEY_FILE to the file of the key; nothing was changed.`,
    );
  refuseWithoutSecrets(plan, parts[1].manifest);
  await confirmReplaced(dataDir, parts[0].manifest, options);
  const total = bytesOf(parts.map(({ manifest }) => manifest));
  return withStaging(dataDir, 2 * total + spareBytes, async (staging) => {
    const folderOf = ({ manifest }: Incoming) => join(staging, manifest.part);
    await withByteProgress('Fetching', async (onProgress) => {
      let done = 0;
      for (const part of parts) {
        const folder = folderOf(part);
        const { encryption, ...manifest } = part.manifest;
        const own = encryption === undefined ? null : key;
        for (const file of manifest.files) {
          const to = join(folder, file.name);
          const before = done;
          await fetchWithRetry(part, file, () => {
            done = before;
            return fetchFile(part, file, to, own, signal, (bytes) => {
              done += bytes;
              onProgress(done, total);
            });
          });
          signal.throwIfAborted();
        }
        makeFolder(folder);
        await writeFile(join(folder, MANIFEST), textOf(manifest));
      }
    });
    return work(join(staging, 'market'), join(staging, 'keys'));
  });
}
