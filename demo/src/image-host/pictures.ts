import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ConcurrencyLimiter,
  type Extension,
  FORMATS,
  nameInPath,
  VIEW_PATH,
  WIDTHS,
  type Width,
} from '@oja/platform';
import type { Context, Middleware } from 'koa';

/** Why an upload is refused, in Cloudinary's words where Cloudinary has any. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** The rest of the body is not worth reading: close the connection after the answer. */
  readonly hangUp?: boolean;
}

export const refuse = (
  status: number,
  message: string,
  more: Pick<Refusal, 'retryAfterSeconds' | 'hangUp'> = {},
): Refusal => ({ ok: false, status, message, ...more });

/** Answers as Cloudinary does: the message is in the body and in the X-Cld-Error header. */
export function answerRefusal(ctx: Context, refusal: Refusal): void {
  ctx.status = refusal.status;
  ctx.set('x-cld-error', refusal.message);
  ctx.set('cache-control', 'no-store');
  if (refusal.retryAfterSeconds !== undefined) {
    ctx.set('retry-after', String(refusal.retryAfterSeconds));
  }
  if (refusal.hangUp === true) ctx.set('connection', 'close');
  ctx.body = { error: { message: refusal.message } };
}

/** Most pixels that a picture may have. A small file can decode to billions; the check reads only its header. */
const MOST_PIXELS = 25_000_000;
/**
 * The longest side that a picture may have, in pixels: that of JPEG. A PNG one pixel wide may have as many rows as
 * pixels, and each costs as much as a row of thousands: 47 kB keep a core busy for half a minute.
 */
const LONGEST_SIDE = 65_535;
const QUALITY = 82;
const LONGEST_WORK_SECONDS = 30;

export interface Picture {
  readonly ok: true;
  readonly bytes: Buffer;
  readonly extension: Extension;
  readonly width: number;
  readonly height: number;
}

const notAPicture = refuse(400, 'Invalid image file');

/** Loads sharp on first use: it is a large native library, and most processes never touch a picture. */
async function importSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}

/** The format according to the first bytes; null for anything but JPEG, PNG and WebP. */
function extensionOf(bytes: Buffer): Extension | null {
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpg';
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png';
  const isRiff = bytes.toString('latin1', 0, 4) === 'RIFF';
  return isRiff && bytes.toString('latin1', 8, 12) === 'WEBP' ? 'webp' : null;
}

/**
 * Re-encodes an uploaded picture in its own format: upright, in sRGB, without EXIF, location or
 * data hidden behind the pixels. Refuses a file that cannot be decoded completely.
 */
export async function reencode(bytes: Buffer): Promise<Picture | Refusal> {
  const extension = extensionOf(bytes);
  if (extension === null) return notAPicture;
  const sharp = await importSharp();
  try {
    const head = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (head.width * head.height > MOST_PIXELS) {
      return refuse(400, `Image is too large: at most ${MOST_PIXELS / 1_000_000} megapixels`);
    }
    if (Math.max(head.width, head.height) > LONGEST_SIDE) {
      return refuse(400, `Image is too large: at most ${LONGEST_SIDE} pixels wide or high`);
    }
    const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: MOST_PIXELS })
      .timeout({ seconds: LONGEST_WORK_SECONDS })
      .autoOrient()
      .toFormat(FORMATS[extension], extension === 'png' ? {} : { quality: QUALITY })
      .toBuffer({ resolveWithObject: true });
    return { ok: true, bytes: data, extension, width: info.width, height: info.height };
  } catch {
    return notAPicture;
  }
}

/** The most that WebP can be high. */
const MAX_WEBP_SIDE = 16_383;

/**
 * A stored picture as WebP, `width` pixels wide, or narrower where it would be too high; never enlarged. One that is
 * so already comes as it is: to encode it a second time would cost time and quality.
 */
async function shrink(bytes: Buffer, width: Width): Promise<Buffer> {
  const sharp = await importSharp();
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS });
  const stored = await picture.metadata();
  if (stored.format === 'webp' && stored.width <= width && stored.height <= MAX_WEBP_SIDE)
    return bytes;
  return picture
    .timeout({ seconds: LONGEST_WORK_SECONDS })
    .resize({ width, height: MAX_WEBP_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
}

/** The folder of pictures: originals under their names, smaller variants in one folder per width. */
export function createPictureFiles(dir: string) {
  const original = (name: string): string => join(dir, 'originals', name);
  const variant = (name: string, width: Width): string => join(dir, `w${width}`, `${name}.webp`);
  return {
    original,
    variant,

    /** File size in bytes, or null when the file does not exist. */
    size: async (path: string): Promise<number | null> =>
      orNull(stat(path).then(({ size }) => size)),

    read: (path: string): Promise<Buffer | null> => orNull(readFile(path)),

    /** Writes a temporary file, flushes it and renames it into place: no reader ever sees half a picture. */
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

    /**
     * Deletes a picture and its variants. The variants go first, so that after a crash the picture can still be found,
     * and once more: a view may have written one meanwhile.
     */
    async remove(name: string): Promise<void> {
      const variants = WIDTHS.map((width) => variant(name, width));
      for (const path of [...variants, original(name), ...variants])
        await rm(path, { force: true });
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

/** Draws and encodes a picture that is not stored yet (sample goods); null when no such picture exists. */
export type DrawMissing = (name: string) => Promise<Buffer | null>;

/** Finds pictures and creates missing ones on first view; concurrent first views create a picture once. */
export function createPictures(
  files: PictureFiles,
  gate: ConcurrencyLimiter,
  drawMissing: DrawMissing = async () => null,
) {
  const making = new Map<string, Promise<string | null>>();

  type Make = () => Promise<Buffer | null>;

  async function once(name: string, path: string, make: Make): Promise<string | null> {
    if ((await files.size(path)) !== null) return path;
    const underway = making.get(path) ?? store(name, path, make).finally(() => making.delete(path));
    making.set(path, underway);
    return underway;
  }

  async function store(name: string, path: string, make: Make): Promise<string | null> {
    const bytes = await make();
    if (bytes === null) return null;
    await files.write(path, bytes);
    // The picture may have been removed meanwhile, and then nothing would ever remove this variant.
    if ((await files.size(files.original(name))) !== null) return path;
    await files.remove(name);
    return null;
  }

  const original = (name: string): Promise<string | null> =>
    once(name, files.original(name), () => gate.run(() => drawMissing(name)));

  return {
    /** Path of the file to serve, or null when there is none. `width` null means the original. */
    async find(name: string, width: Width | null): Promise<string | null> {
      if (width === null) return original(name);
      return once(name, files.variant(name, width), async () => {
        const path = await original(name);
        if (path === null) return null;
        return gate.run(async () => {
          const bytes = await files.read(path);
          return bytes === null ? null : shrink(bytes, width);
        });
      });
    },
  };
}

type Pictures = ReturnType<typeof createPictures>;

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/**
 * `GET /v1/image/{name}`; with `?w=` a smaller WebP variant. A name always stands for the same
 * picture, so browsers may cache it for a year, and the ETag needs only name and width.
 */
export function createView(files: PictureFiles, pictures: Pictures): Middleware {
  return async (ctx, next) => {
    if (!['GET', 'HEAD'].includes(ctx.method) || !ctx.path.startsWith(VIEW_PATH)) return next();
    ctx.set('x-content-type-options', 'nosniff');
    const name = nameInPath(ctx.path);
    const width = widthOf(new URLSearchParams(ctx.querystring).get('w'));
    const path = name === null || width === undefined ? null : await pictures.find(name, width);
    const size = path === null ? null : await files.size(path);
    if (name === null || width === undefined || path === null || size === null) {
      ctx.status = width === undefined ? 400 : 404;
      ctx.set('cache-control', 'no-store');
      const message = width === undefined ? `w is one of ${WIDTHS.join(', ')}` : 'No such picture';
      ctx.body = { success: false, message };
      return;
    }
    ctx.status = 200;
    ctx.set('cache-control', 'public, max-age=31536000, immutable');
    ctx.set('content-security-policy', "default-src 'none'");
    ctx.etag = `${name}-${width ?? 'original'}`;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = (width === null ? TYPES[name.slice(name.lastIndexOf('.') + 1)] : TYPES.webp) ?? '';
    ctx.length = size;
    if (ctx.method === 'GET') ctx.body = createReadStream(path);
  };
}

/** Null: the original. Undefined: a width that is not offered. */
function widthOf(text: string | null): Width | null | undefined {
  return text === null ? null : WIDTHS.find((width) => String(width) === text);
}
