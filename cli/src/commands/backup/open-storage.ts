import {
  accessSync,
  constants,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '@oja/platform';
import { refuseForbidden } from '../../runtime/open-data.js';
import { systemCodeOf, usageExit } from '../../terminal/exit.js';
import { isBackupFile, MANIFEST } from './manifest.js';
import { writeStreamToFile } from './staging.js';
import {
  isS3,
  refuseNoFolder,
  refuseOtherSchemes,
  type Storage,
  withoutEndSlash,
} from './storage.js';

/** Whether this user may look into a folder: a disk's own `lost+found`, for instance, is root's alone. */
function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Backups in a folder. A folder that does not exist holds none, and the first write creates it. */
function folderStorage(folder: string): Storage {
  const pathOf = (name: string, path = '') => join(folder, name, path);
  return {
    address: folder,
    async names() {
      if (!existsSync(folder)) return [];
      const entries = await readdir(folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory() && isOpen(pathOf(entry.name)))
        .map((entry) => entry.name);
    },
    async files(name) {
      const entries = readdirSync(pathOf(name), { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const start = pathOf(name).length + 1;
      return new Map(paths.map((path) => [path.slice(start), statSync(path).size]));
    },
    async text(name, path) {
      try {
        return readFileSync(pathOf(name, path), 'utf8');
      } catch (error) {
        const code = systemCodeOf(error);
        if (code === 'ENOENT' || code === 'ENOTDIR') return null;
        if (code === 'EACCES') refuseForbidden(pathOf(name));
        throw error;
      }
    },
    async read(name, path) {
      return existsSync(pathOf(name, path)) ? createReadStream(pathOf(name, path)) : null;
    },
    async write(name, path, content, _, signal) {
      const to = pathOf(name, path);
      makeFolder(dirname(to), 0o700);
      await writeStreamToFile(to, content, signal);
    },
    async remove(name) {
      const folders = new Set([pathOf(name)]);
      for (const path of [...(await this.files(name)).keys()].filter(isBackupFile)) {
        await rm(pathOf(name, path));
        for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(pathOf(name, at));
      }
      await rm(pathOf(name, MANIFEST), { force: true });
      // The deepest folders first; a folder that still holds other files stays.
      for (const each of [...folders].sort((a, b) => b.length - a.length))
        if (existsSync(each) && readdirSync(each).length === 0) await rmdir(each);
    },
  };
}

/** @throws Exit 2 when the address is neither a folder nor a valid S3 address; 78 when S3 settings are missing. */
export async function storageAt(address: string): Promise<Storage> {
  if (isS3(address)) return (await import('./s3.js')).s3Storage(withoutEndSlash(address));
  refuseOtherSchemes(address);
  refuseNoFolder(resolve(address));
  return folderStorage(resolve(address));
}

/**
 * The storage at a place that must hold backups already. An unmounted disk must not pass for an empty place.
 * @throws Exit 2 when there is no such folder, or it is a backup itself; 78 when it may not be read.
 */
export async function existingStorageAt(address: string): Promise<Storage> {
  const storage = await storageAt(address);
  if (!isS3(address)) {
    const folder = resolve(address);
    refuseForbidden(folder);
    if (!existsSync(folder))
      throw usageExit(
        `There is no folder ${folder}: name the one that holds the backups; if it is on a disk of its own, mount that.`,
      );
    if (existsSync(join(folder, MANIFEST)))
      throw usageExit(`${address} is a backup itself: name the folder that contains it.`);
  }
  return storage;
}
