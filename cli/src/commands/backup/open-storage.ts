import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '@oja/platform';
import { systemCodeOf } from '../../terminal/exit.js';
import { isBackupFile, MANIFEST } from './manifest.js';
import { intoFile } from './staging.js';
import { isS3, refuseNoFolder, refuseOthers, type Storage, withoutEndSlash } from './storage.js';

/** Backups in a folder. A folder that does not exist holds none, and the first write creates it. */
function folderStorage(folder: string): Storage {
  const pathOf = (name: string, path = '') => join(folder, name, path);
  return {
    address: folder,
    async names() {
      if (!existsSync(folder)) return [];
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
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
        throw error;
      }
    },
    async read(name, path) {
      return createReadStream(pathOf(name, path));
    },
    async write(name, path, content, _, signal) {
      const to = pathOf(name, path);
      makeFolder(dirname(to), 0o700);
      await intoFile(to, content, signal);
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
  refuseOthers(address);
  refuseNoFolder(resolve(address));
  return folderStorage(resolve(address));
}
