import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabase, DamagedFile, databases, isRebuiltIfLost } from '@oja/platform';
import { withByteProgress } from '../../terminal/progress.js';
import {
  bytesOf,
  fileEntry,
  incompleteBackupExit,
  type Manifest,
  type OnBytes,
  readManifestIn,
  refuseOtherKeys,
} from './manifest.js';

/** Checks the digest of each file of a part. @throws Exit 2 when one is missing or changed. */
async function checkDigests(
  folder: string,
  { part, files: named }: Manifest,
  onBytes: OnBytes,
): Promise<void> {
  const no = (why: string) => incompleteBackupExit(folder, part, why);
  for (const { name, sha256 } of named) {
    if (!existsSync(join(folder, name))) throw no(`${name} is missing`);
    if (!lstatSync(join(folder, name)).isFile()) throw no(`${name} is not a file`);
    if ((await fileEntry(folder, name, onBytes)).sha256 !== sha256) throw no(`${name} was changed`);
  }
}

/**
 * The damaged databases of a part that the market makes again. A digest says that a file is as it was copied, not that
 * it was sound then: earlier releases copied damaged ones. @throws Exit 2 for one that exists nowhere else.
 */
function findDamaged(folder: string, { part, files: named }: Manifest): readonly string[] {
  const isDamaged = (name: string) => {
    try {
      checkDatabase(folder, name, { isCopy: true });
      return false;
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      if (isRebuiltIfLost(name)) return true;
      const why = `${error.message}, as it was when it was copied: take an older backup`;
      throw incompleteBackupExit(folder, part, why);
    }
  };
  return named
    .map(({ name }) => name)
    .filter((name) => databases.includes(name) && isDamaged(name));
}

/** Each file is read to sum it up, and to check it. */
const PASSES = 2;

interface Checked {
  readonly market: Manifest;
  readonly keys: Manifest;
  /** Damaged databases, which `market` leaves out: the market makes them again. */
  readonly damaged: readonly string[];
}

/**
 * The manifests of both parts of a backup, after checking every file. @throws Exit 2 when the parts are not whole or not
 * a pair, or a database is damaged that exists nowhere else.
 */
export async function checkBackup(
  folder: string,
  keysFolder: string,
  signal: AbortSignal,
): Promise<Checked> {
  const parts = [
    { where: folder, manifest: readManifestIn(folder, 'market') },
    { where: keysFolder, manifest: readManifestIn(keysFolder, 'keys') },
  ] as const;
  const [{ manifest: market }, { manifest: keys }] = parts;
  refuseOtherKeys(...parts);
  const damaged = await withByteProgress('Checking', async (at) => {
    const total = bytesOf([market, keys]);
    let read = 0;
    const onBytes = (bytes: number) => {
      read += bytes / PASSES;
      at(read, total);
      signal.throwIfAborted();
    };
    const found: string[] = [];
    for (const { where, manifest } of parts) {
      await checkDigests(where, manifest, onBytes);
      found.push(...findDamaged(where, manifest));
      onBytes(bytesOf([manifest]));
    }
    return found;
  });
  const left = market.files.filter(({ name }) => !damaged.includes(name));
  return { market: { ...market, files: left }, keys, damaged };
}
