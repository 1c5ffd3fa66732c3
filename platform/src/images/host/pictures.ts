import type { Width } from '../names.js';
import type { PictureFiles } from './files.js';
import type { Gate } from './gate.js';
import { shrink } from './picture.js';

/** Draws a picture that is not there yet (sample goods), already encoded; null: there is none. */
export type DrawMissing = (name: string) => Promise<Buffer | null>;

/** Finds pictures, making what is missing on first view. Many first views at once make it once. */
export function createPictures(
  files: PictureFiles,
  gate: Gate,
  drawMissing: DrawMissing = async () => null,
) {
  const making = new Map<string, Promise<string | null>>();

  async function once(path: string, make: () => Promise<Buffer | null>): Promise<string | null> {
    if ((await files.size(path)) !== null) return path;
    const underway = making.get(path) ?? store(path, make).finally(() => making.delete(path));
    making.set(path, underway);
    return underway;
  }

  async function store(path: string, make: () => Promise<Buffer | null>): Promise<string | null> {
    const bytes = await make();
    if (bytes === null) return null;
    await files.write(path, bytes);
    return path;
  }

  const original = (name: string): Promise<string | null> =>
    once(files.original(name), () => gate.run(() => drawMissing(name)));

  return {
    /** The path of the file to show, or null. `width` null: as it was stored. */
    async find(name: string, width: Width | null): Promise<string | null> {
      if (width === null) return original(name);
      return once(files.variant(name, width), async () => {
        const path = await original(name);
        const bytes = path === null ? null : await files.read(path);
        return bytes === null ? null : gate.run(() => shrink(bytes, width));
      });
    },
  };
}

export type Pictures = ReturnType<typeof createPictures>;
