import { type Extension, FORMATS, type Width } from '../names.js';
import { type Refusal, refuse } from './refusal.js';

/** The most pixels a picture may have. A small file can unpack to billions; this is seen in its head. */
const MOST_PIXELS = 25_000_000;
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

/** sharp is a large native library: a process that touches no pictures never loads it. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}

/** What the first bytes say a file is; null for anything but JPEG, PNG and WebP. */
export function extensionOf(bytes: Buffer): Extension | null {
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpg';
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png';
  const isRiff = bytes.toString('latin1', 0, 4) === 'RIFF';
  return isRiff && bytes.toString('latin1', 8, 12) === 'WEBP' ? 'webp' : null;
}

/**
 * Draws an uploaded picture anew in its own format: turned upright, in sRGB, and without EXIF, places
 * or anything hidden behind the pixels. What cannot be read whole is refused.
 */
export async function redraw(bytes: Buffer): Promise<Picture | Refusal> {
  const extension = extensionOf(bytes);
  if (extension === null) return notAPicture;
  const sharp = await loadSharp();
  try {
    const head = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (head.width * head.height > MOST_PIXELS) {
      return refuse(400, `Image is too large: at most ${MOST_PIXELS / 1_000_000} megapixels`);
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

/** A stored picture as WebP, `width` pixels wide; never wider than it is. */
export async function shrink(bytes: Buffer, width: Width): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp(bytes, { limitInputPixels: MOST_PIXELS })
    .timeout({ seconds: LONGEST_WORK_SECONDS })
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
}
