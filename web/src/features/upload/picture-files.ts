import { DAY_MS, limits } from '@oja/domain/rules';
import { createStore, delMany, entries, get, set, type UseStore } from 'idb-keyval';

interface PickedFiles {
  readonly taken: readonly File[];
  readonly notPictures: boolean;
  /** More files than there was room for. */
  readonly tooMany: boolean;
}

/** Recognizes a file that is picked twice. */
export const markOf = (file: File) => `${file.name}/${file.size}/${file.lastModified}`;

/** The format of iPhone photos, which few browsers can open. Some browsers do not even report its type. */
const isHeic = ({ name, type }: File) => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

/**
 * Which of the picked files are added. Size does not matter here: pictures are scaled down first.
 * @param marks the marks of the pictures already in the album
 */
export function selectFiles(files: readonly File[], marks: readonly string[]): PickedFiles {
  const seen = new Set(marks);
  const fresh = files.filter((file) => {
    const isNew = !seen.has(markOf(file));
    seen.add(markOf(file));
    return isNew;
  });
  const pictures = fresh.filter((file) => file.type.startsWith('image/') || isHeic(file));
  const room = Math.max(0, limits.images.max - marks.length);
  return {
    taken: pictures.slice(0, room),
    notPictures: pictures.length < fresh.length,
    tooMany: pictures.length > room,
  };
}

/** The longer edge of a sent picture, in px: more than any screen shows of a product. */
export const LONGEST_EDGE = 1_600;
const JPEG_QUALITY = 0.85;

/** The size scaled to the longest edge, with its ratio kept; smaller pictures keep their size. */
export function scaleToFit(
  width: number,
  height: number,
): readonly [width: number, height: number] {
  const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/**
 * Scales a picture down before it is sent: minutes become seconds on a slow network, and the camera's
 * metadata, such as the place, stays on the phone.
 * @returns a JPEG; undefined when the browser cannot read the file as a picture
 */
export async function shrink(file: Blob): Promise<Blob | undefined> {
  const picture = await decodePicture(file);
  if (picture === undefined) return undefined;
  const [width, height] = scaleToFit(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.imageSmoothingQuality = 'high';
  // JPEG has no transparency: transparent areas become white, not black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  if (picture instanceof ImageBitmap) picture.close();
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', JPEG_QUALITY);
  });
}

/** Some browsers can show a format, such as HEIC, but make no bitmap of it. */
async function decodePicture(file: Blob): Promise<ImageBitmap | HTMLImageElement | undefined> {
  try {
    return await createImageBitmap(file);
  } catch {
    const url = URL.createObjectURL(file);
    const image = new Image();
    image.src = url;
    const isShown = await image.decode().then(
      () => true,
      () => false,
    );
    // The browser keeps the whole file in memory until its URL is revoked.
    URL.revokeObjectURL(url);
    return isShown ? image : undefined;
  }
}

/** Why a picked file cannot be used, in words for the seller. */
export interface PictureProblem {
  readonly title?: string;
  readonly text: string;
  /** How long the message stays, in ms, where there is advice to read. */
  readonly duration?: number;
}

const ADVICE_TOAST_MS = 15_000;

const BYTES_PER_MB = 1024 * 1024;

/** What is wrong with a file or its scaled-down picture; undefined when it can be sent. */
export function findPictureProblem(
  file: File,
  picture: Blob | undefined,
): PictureProblem | undefined {
  if (picture === undefined && isHeic(file))
    return {
      title: `${file.name} is a HEIC photo`,
      text: 'This browser cannot open it. On the iPhone choose Settings, Camera, Formats, Most Compatible, or add it from Safari.',
      duration: ADVICE_TOAST_MS,
    };
  if ((picture ?? file).size > limits.imageBytes.max)
    return {
      title: 'File too large',
      text: `Maximum allowed size is ${limits.imageBytes.max / BYTES_PER_MB} MB.`,
    };
  return picture === undefined ? { text: `${file.name} cannot be read as a picture.` } : undefined;
}

/** Name and layout must stay as in earlier releases, so that pictures already picked are found. */
let opened: UseStore | undefined;
function database(): UseStore {
  opened ??= createStore('oja-upload', 'pictures');
  return opened;
}

/** The pictures that this tab has used: nothing is read twice, and browsers without a database still work. */
const cache = new Map<string, Blob>();

/** Keeps a picture's bytes; if the browser refuses to store them, only for the lifetime of the tab. */
export async function savePicture(id: string, picture: Blob): Promise<void> {
  cache.set(id, picture);
  try {
    await set(id, withTimestamp(picture), database());
  } catch {
    // Storage full or forbidden: this tab still has the picture.
  }
}

/** With the time, which a file has. Its name is the one under which bytes without a name are sent. */
const withTimestamp = (picture: Blob) => new File([picture], 'blob', { type: picture.type });

/** For so long, in ms, the bytes of a picture wait for a form that may be in another tab. */
const KEPT_FOR_MS = 30 * DAY_MS;

/**
 * Deletes what was picked for changes that were never sent, in a tab that was closed, and so is in no form any more.
 * @param drafted the ids of pictures in drafts, which wait for ever
 */
export async function deleteAbandonedPictures(drafted: ReadonlySet<string>): Promise<void> {
  try {
    const left: string[] = [];
    for (const [id, picture] of await entries<string, unknown>(database())) {
      if (drafted.has(id) || cache.has(id) || !(picture instanceof Blob)) continue;
      // An earlier release kept no time: it counts from now.
      if (!(picture instanceof File)) await set(id, withTimestamp(picture), database());
      else if (picture.lastModified < Date.now() - KEPT_FOR_MS) left.push(id);
    }
    await delMany(left, database());
  } catch {
    // Without a database nothing is stored.
  }
}

/** The bytes of a picture; undefined when they are gone. */
export async function loadPicture(id: string): Promise<Blob | undefined> {
  const here = cache.get(id);
  if (here !== undefined) return here;
  try {
    const found: unknown = await get(id, database());
    if (!(found instanceof Blob)) return undefined;
    cache.set(id, found);
    return found;
  } catch {
    return undefined;
  }
}

/** Deletes the bytes of pictures: from memory at once, from the database without waiting. */
export function deletePictures(ids: readonly string[]): void {
  for (const id of ids) cache.delete(id);
  void deleteStored(ids);
}

async function deleteStored(ids: readonly string[]): Promise<void> {
  try {
    await delMany([...ids], database());
  } catch {
    // Without a database nothing is stored.
  }
}
