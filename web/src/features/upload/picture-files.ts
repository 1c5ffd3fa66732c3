import { limits } from '@oja/domain/rules';
import { createStore, delMany, get, set, type UseStore } from 'idb-keyval';

export interface Picked {
  readonly taken: readonly File[];
  readonly notPictures: boolean;
  /** More than there was room for. */
  readonly tooMany: boolean;
}

/** Tells the same file picked twice. */
export const markOf = (file: File) => `${file.name}/${file.size}/${file.lastModified}`;

/** The kind that iPhones make, which few browsers open; some do not even say its type. */
const isHeic = ({ name, type }: File) => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

/** Which of the picked files join those that are there already. However large: they are made smaller first. */
export function choose(files: readonly File[], marks: readonly string[]): Picked {
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

/** The longer edge of a sent picture, in px: more than any screen shows of goods. */
export const LONGEST_EDGE = 1_600;
const QUALITY = 0.85;

/** The size within the longest edge, of the same shape; small pictures keep theirs. */
export function fitted(width: number, height: number): readonly [width: number, height: number] {
  const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/**
 * Makes a picture smaller before it is sent: minutes become seconds on a slow network, and what the camera noted
 * beside the picture, such as the place, stays on the phone.
 * @returns a JPEG; undefined when the browser cannot read the file as a picture
 */
export async function shrink(file: Blob): Promise<Blob | undefined> {
  const picture = await decoded(file);
  if (picture === undefined) return undefined;
  const [width, height] = fitted(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.imageSmoothingQuality = 'high';
  // JPEG knows no transparency: what was clear becomes white, not black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  if (picture instanceof ImageBitmap) picture.close();
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', QUALITY);
  });
}

/** Some browsers show a kind of picture, such as HEIC, of which they make no bitmap. */
async function decoded(file: Blob): Promise<ImageBitmap | HTMLImageElement | undefined> {
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
    // As long as it has an address, the browser keeps the whole file.
    URL.revokeObjectURL(url);
    return isShown ? image : undefined;
  }
}

/** Why a picked file cannot be a picture of a product, in the words for the seller. */
export interface Unfit {
  readonly title?: string;
  readonly text: string;
  /** How long it is said, in ms, where there is something to do that takes reading. */
  readonly duration?: number;
}

const ADVICE_MS = 15_000;

/** What is wrong with a file and with what became of it; undefined when it can be sent. */
export function unfit(file: File, picture: Blob | undefined): Unfit | undefined {
  if (picture === undefined && isHeic(file))
    return {
      title: `${file.name} is a HEIC photo`,
      text: 'This browser cannot open it. On the iPhone choose Settings, Camera, Formats, Most Compatible, or add it from Safari.',
      duration: ADVICE_MS,
    };
  if ((picture ?? file).size > limits.imageBytes.max)
    return { title: 'File too large', text: 'Maximum allowed size is 5 MB.' };
  return picture === undefined ? { text: `${file.name} cannot be read as a picture.` } : undefined;
}

/** Named and laid out as in every release so far: what people have picked is found again. */
let opened: UseStore | undefined;
function database(): UseStore {
  opened ??= createStore('oja-upload', 'pictures');
  return opened;
}

/** What this tab has seen, so that nothing is read twice and a browser without a database still works. */
const known = new Map<string, Blob>();

/** Keeps a picture's bytes; when the browser refuses, as long as the tab lives. */
export async function keepPicture(id: string, picture: Blob): Promise<void> {
  known.set(id, picture);
  try {
    await set(id, picture, database());
  } catch {
    // Full or forbidden: this tab still knows it.
  }
}

/** The bytes of a picture; undefined when they are gone. */
export async function pictureOf(id: string): Promise<Blob | undefined> {
  const here = known.get(id);
  if (here !== undefined) return here;
  try {
    const found: unknown = await get(id, database());
    if (!(found instanceof Blob)) return undefined;
    known.set(id, found);
    return found;
  } catch {
    return undefined;
  }
}

/** Forgets the bytes of pictures, here at once and in the database as soon as it answers. */
export function forgetPictures(ids: readonly string[]): void {
  for (const id of ids) known.delete(id);
  void forgetKept(ids);
}

async function forgetKept(ids: readonly string[]): Promise<void> {
  try {
    await delMany([...ids], database());
  } catch {
    // Nothing is kept where there is no database.
  }
}
