import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Sharp } from 'sharp';
import sharp from 'sharp';
import {
  type Colourway,
  DYES,
  isDye,
  isObjectName,
  type ObjectName,
  type SampleObject,
  SHELVES,
  sampleObject,
} from './objects.js';

/** Everything needed to draw one picture again. */
export interface SamplePicture {
  readonly subcategoryId: number;
  readonly object: ObjectName;
  readonly colourway: Colourway;
  readonly kind: KindName;
  /** 0 to 255: chooses the backgrounds. Kept small to bound the number of different pictures. */
  readonly seed: number;
}

const NAME = /^sample-([1-9]\d?)-([a-z]+)-([a-z]+)-([a-z]+)-([0-9a-f]{2})\.webp$/;

/**
 * `sample-<subcategory>-<object>-<colourway>-<kind>-<seed>.webp`, the seed as two hexadecimal
 * digits.
 */
export function pictureName(picture: SamplePicture): string {
  const seed = picture.seed.toString(16).padStart(2, '0');
  const { subcategoryId, object, colourway, kind } = picture;
  return `sample-${subcategoryId}-${object}-${colourway}-${kind}-${seed}.webp`;
}

/** The picture a name stands for; null unless `pictureName` could have made exactly this name. */
export function parsePictureName(name: string): SamplePicture | null {
  const [, id = '', object = '', colourway = '', kind = '', seed = ''] = NAME.exec(name) ?? [];
  if (!isObjectName(object) || !isKindName(kind)) return null;
  const subcategoryId = Number(id);
  if (!SHELVES[subcategoryId]?.includes(object)) return null;
  const picture = { subcategoryId, object, kind, seed: Number.parseInt(seed, 16) };
  if (colourway === 'plain') return { ...picture, colourway };
  if (!isDye(colourway) || !sampleObject(object).dyes.includes(colourway)) return null;
  return { ...picture, colourway };
}

/**
 * One copy of the object: the position of its centre and the width of its drawing, as fractions of
 * the picture's side.
 */
interface Copy {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly mirrored: boolean;
  /** Degrees clockwise. */
  readonly turn: number;
}

interface Kind {
  /** From the back to the front. */
  readonly copies: readonly Copy[];
  /** Index of one of the product's backgrounds; the night background is separate. */
  readonly ground: number | 'night';
}

/** Slightly above the middle to leave room for the shadow: 6 px in a 320 px picture. */
const RAISED = 0.5 - 6 / 320;
const WIDTH = 0.64;
/** Flat objects fill less of their drawing, so the drawing is wider. */
const FLAT_WIDTH = 0.74;

const centred: Copy = { x: 0.5, y: RAISED, width: WIDTH, mirrored: false, turn: 0 };

export const KINDS = {
  title: { ground: 0, copies: [centred] },
  mirrored: { ground: 1, copies: [{ ...centred, mirrored: true }] },
  close: { ground: 2, copies: [{ ...centred, x: 0.44, y: 0.56, width: 1.24 }] },
  pair: {
    ground: 'night',
    copies: [
      { ...centred, x: 0.605, y: 0.42, width: 0.5 },
      { ...centred, x: 0.385, y: 0.52, width: 0.5 },
    ],
  },
  turned: { ground: 3, copies: [{ ...centred, turn: 12 }] },
  small: { ground: 4, copies: [{ ...centred, width: 0.45 }] },
} as const satisfies Record<string, Kind>;

type KindName = keyof typeof KINDS;

export const isKindName = (word: string): word is KindName => Object.hasOwn(KINDS, word);

/** The layout of an object's copies in a kind of picture. */
function layout(kind: KindName, flat: boolean): Kind {
  const plan: Kind = KINDS[kind];
  if (!flat) return plan;
  const widened = (copy: Copy) => (copy.width === WIDTH ? { ...copy, width: FLAT_WIDTH } : copy);
  return { ...plan, copies: plan.copies.map(widened) };
}

/** The drawings lie beside `src` and `dist`, which are equally deep. */
const ASSETS = new URL('../../assets/', import.meta.url);

/** Reads one of our own drawings: `goods.svg` or `moon.svg`. */
const readDrawing = (name: 'goods' | 'moon'): Promise<string> =>
  readFile(new URL(`${name}.svg`, ASSETS), 'utf8');

const require = createRequire(import.meta.url);

/** Path of a 3D emoji on disk, by its code point as the package spells it. */
const emojiPath = (codePoint: string): string =>
  require.resolve(`@lobehub/fluent-emoji-3d/assets/${codePoint}.webp`);

/** A drawn copy of an object, and where its opaque pixels (`ink`) lie in the picture, in pixels. */
interface ObjectImage {
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

/** Sets the viewBox of `goods.svg` to one part, so that only that part is drawn. */
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
 * Draws one copy of an object for a picture of `side` by `side` pixels. It may extend beyond the picture's edges.
 */
export async function objectImage(
  object: SampleObject,
  colourway: Colourway,
  copy: Copy,
  side: number,
): Promise<ObjectImage> {
  const upright = await drawn(object, colourway, Math.round(copy.width * side));
  const posed = sharp(upright).flop(copy.mirrored).rotate(copy.turn, { background: CLEAR });
  // Trimming keeps the opaque part; its offset tells where in the drawing that part was.
  const whole = await posed.png().toBuffer({ resolveWithObject: true });
  const ink = await sharp(whole.data)
    .trim({ background: CLEAR, threshold: 20 })
    .png()
    .toBuffer({ resolveWithObject: true });
  const { width, height, trimOffsetLeft = 0, trimOffsetTop = 0 } = ink.info;
  // The opaque part is centred: otherwise a low shoe would stand at the bottom of the picture.
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

/** Cuts an image to the part within the picture: sharp refuses to composite a larger image over a smaller one. */
async function withinPicture(
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

/**
 * A background with a radial light: `lit` at the upper left, `dim` away from it, and the colour of shadows on it.
 */
interface Ground {
  readonly lit: string;
  readonly dim: string;
  readonly shade: string;
  readonly motif: boolean;
}

const pale = (lit: string, dim: string): Ground => ({
  lit,
  dim,
  shade: 'rgb(60,44,20)',
  motif: false,
});

const PALE: readonly Ground[] = [
  pale('#F3E4D6', '#DDC3AC'),
  pale('#F7EFDB', '#E4D3AE'),
  pale('#E9EFE0', '#C6D2B6'),
  pale('#E6EDF4', '#BFCFDF'),
  pale('#F8E6DF', '#E5C3B7'),
  pale('#FBF0CF', '#EBD595'),
  pale('#F1EDE5', '#D6CFC1'),
];

const NIGHT: Ground = { lit: '#33437F', dim: '#1A2450', shade: 'rgb(6,9,30)', motif: true };

/** One title picture in ten has the night background. */
const NIGHT_EVERY = 10;
const STEP = 2;

/**
 * The background of one of a product's pictures. All but the night backgrounds differ from each
 * other: they lie two steps apart on a ring of seven, so the first returns only after all of them.
 */
function groundFor(seed: number, which: number | 'night'): Ground {
  if (which === 'night' || (which === 0 && seed % NIGHT_EVERY === 0)) return NIGHT;
  return PALE[(seed + which * STEP) % PALE.length] ?? NIGHT;
}

/** The motif's tile is 48 px; eight of them cross a picture. */
const MOTIF_TILE = 48;
const MOTIFS_ACROSS = 8;
/** Pale as resist dye, faint enough to stay behind the goods. */
const MOTIF = { colour: '#C6D3F5', opacity: 0.16 };

/** The shadow of an object: a soft ellipse at its foot. */
function shadow({ ink }: ObjectImage, side: number): string {
  const cx = ink.left + ink.width * 0.51;
  const cy = ink.top + ink.height + side * 0.008;
  const rx = ink.width * 0.44;
  return `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${side * 0.022}"/>`;
}

async function motif(side: number): Promise<string> {
  const tile = (await readDrawing('moon'))
    .replace(/^<svg[^>]*>|<\/svg>\s*$/g, '')
    .replaceAll('#000', MOTIF.colour);
  const scale = side / (MOTIFS_ACROSS * MOTIF_TILE);
  return `<pattern id="motif" width="${MOTIF_TILE}" height="${MOTIF_TILE}" patternUnits="userSpaceOnUse"
    patternTransform="scale(${scale})">${tile}</pattern>`;
}

/** The background with the objects' shadows, as an SVG of `side` by `side` pixels. */
async function backdrop(
  ground: Ground,
  objects: readonly ObjectImage[],
  side: number,
): Promise<Buffer> {
  const square = `width="${side}" height="${side}"`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${square}>
  <defs>
    <radialGradient id="light" cx=".32" cy=".24" r=".95">
      <stop offset="0" stop-color="${ground.lit}"/><stop offset="1" stop-color="${ground.dim}"/>
    </radialGradient>
    <filter id="soft" x="-50%" y="-300%" width="200%" height="700%">
      <feGaussianBlur stdDeviation="${side * 0.016}"/>
    </filter>
    ${ground.motif ? await motif(side) : ''}
  </defs>
  <rect ${square} fill="url(#light)"/>
  ${ground.motif ? `<rect ${square} fill="url(#motif)" opacity="${MOTIF.opacity}"/>` : ''}
  <g fill="${ground.shade}" opacity=".38" filter="url(#soft)">
    ${objects.map((object) => shadow(object, side)).join('')}
  </g>
</svg>`);
}

/**
 * Draws a picture whose name comes from samples of earlier versions, `side` by `side` pixels. Markets
 * have goods with these names, and a name must always show the same picture. Null for any other name.
 */
export async function drawEarlierSample(name: string, side: number): Promise<Sharp | null> {
  const picture = parsePictureName(name);
  if (picture === null) return null;
  const object = sampleObject(picture.object);
  const { copies, ground } = layout(picture.kind, object.flat);
  const objects = await Promise.all(
    copies.map((copy) => objectImage(object, picture.colourway, copy, side)),
  );
  const [back, ...overlays] = await Promise.all([
    backdrop(groundFor(picture.seed, ground), objects, side),
    ...objects.map((image) => withinPicture(image, side)),
  ]);
  return sharp(back).composite(overlays);
}
