import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WIDTHS, type Width } from '../names.js';

/** The folder of pictures: originals under their names, smaller ones in a folder a width. */
export function createPictureFiles(dir: string) {
  const original = (name: string): string => join(dir, 'originals', name);
  const variant = (name: string, width: Width): string => join(dir, `w${width}`, `${name}.webp`);
  return {
    original,
    variant,

    /** Its length in bytes, or null when there is none. */
    size: async (path: string): Promise<number | null> =>
      orNull(stat(path).then(({ size }) => size)),

    read: (path: string): Promise<Buffer | null> => orNull(readFile(path)),

    /** Written beside, flushed, then put in place: nobody ever sees half a picture. */
    async write(path: string, bytes: Buffer): Promise<void> {
      await mkdir(dirname(path), { recursive: true });
      const beside = `${path}.${randomBytes(6).toString('hex')}.part`;
      try {
        const file = await open(beside, 'wx');
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(beside, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },

    /** A picture with all its smaller ones; the original last, so that a crash leaves it findable. */
    async remove(name: string): Promise<void> {
      for (const width of WIDTHS) await rm(variant(name, width), { force: true });
      await rm(original(name), { force: true });
    },
  };
}

export type PictureFiles = ReturnType<typeof createPictureFiles>;

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
