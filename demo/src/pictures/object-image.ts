import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import type { Copy } from './earlier-names.js';
import { type Colourway, DYES, type SampleObject } from './objects.js';

/** The drawings lie beside `src` and `dist`, which are equally deep. */
const ASSETS = new URL('../../assets/', import.meta.url);

/** The text of a drawing of ours: `goods.svg` or `moon.svg`. */
export const readDrawing = (name: 'goods' | 'moon'): Promise<string> =>
  readFile(new URL(`${name}.svg`, ASSETS), 'utf8');

const require = createRequire(import.meta.url);

/** Where a 3D emoji lies on disk, by its code point as the package spells it. */
const emojiPath = (codePoint: string): string =>
  require.resolve(`@lobehub/fluent-emoji-3d/assets/${codePoint}.webp`);

/** A drawn copy of an object with where its opaque pixels lie in the picture, in pixels. */
export interface ObjectImage {
  readonly png: Buffer;
  readonly left: number;
  readonly top: number;
  readonly ink: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/** Looks through a window of `goods.svg` at one part, so that only that part is drawn. */
async function partOfGoods(part: string, width: number): Promise<Buffer> {
  const goods = await readDrawing('goods');
  const place = new RegExp(`<svg id="${part}" x="(\\d+)" y="(\\d+)" width="(\\d+)"`).exec(goods);
  if (place === null) throw new Error(`goods.svg has no part called ${part}`);
  const [, x, y, side] = place;
  const view = `width="${width}" height="${width}" viewBox="${x} ${y} ${side} ${side}"`;
  return Buffer.from(goods.replace(/viewBox="[^"]+"/, view));
}

async function drawn(object: SampleObject, colourway: Colourway, width: number): Promise<Buffer> {
  const { source } = object;
  const input = 'emoji' in source ? emojiPath(source.emoji) : await partOfGoods(source.part, width);
  const image = sharp(input).resize(width, width, { fit: 'contain', background: CLEAR });
  if (colourway === 'plain' || object.hue === undefined) return image.png().toBuffer();
  const { hue, saturation } = DYES[colourway];
  return image
    .modulate({ hue: (hue - object.hue + 360) % 360, saturation })
    .png()
    .toBuffer();
}

/**
 * Draws one copy of an object for a picture of `side` by `side` pixels. It may reach beyond the
 * picture's edges.
 */
export async function objectImage(
  object: SampleObject,
  colourway: Colourway,
  copy: Copy,
  side: number,
): Promise<ObjectImage> {
  const upright = await drawn(object, colourway, Math.round(copy.width * side));
  const posed = sharp(upright).flop(copy.mirrored).rotate(copy.turn, { background: CLEAR });
  // Trimming leaves the opaque part; its offset tells where in the drawing that part was.
  const whole = await posed.png().toBuffer({ resolveWithObject: true });
  const ink = await sharp(whole.data)
    .trim({ background: CLEAR, threshold: 20 })
    .png()
    .toBuffer({ resolveWithObject: true });
  const { width, height, trimOffsetLeft = 0, trimOffsetTop = 0 } = ink.info;
  // What is centred is the opaque part: a low shoe would otherwise stand at the foot of the
  // picture.
  const opaque = {
    left: Math.round(copy.x * side - width / 2),
    top: Math.round(copy.y * side - height / 2),
    width,
    height,
  };
  return {
    png: whole.data,
    left: opaque.left + trimOffsetLeft,
    top: opaque.top + trimOffsetTop,
    ink: opaque,
  };
}

/**
 * The part of an image that lies within the picture: sharp refuses to lay a larger one over a
 * smaller one.
 */
export async function withinPicture(
  image: ObjectImage,
  side: number,
): Promise<{ input: Buffer; left: number; top: number }> {
  const { width = 0, height = 0 } = await sharp(image.png).metadata();
  const left = Math.max(0, -image.left);
  const top = Math.max(0, -image.top);
  const cut = {
    left,
    top,
    width: Math.min(width - left, side - Math.max(0, image.left)),
    height: Math.min(height - top, side - Math.max(0, image.top)),
  };
  const input = await sharp(image.png).extract(cut).png().toBuffer();
  return { input, left: Math.max(0, image.left), top: Math.max(0, image.top) };
}
