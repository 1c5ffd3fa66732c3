import sharp, { type Sharp } from 'sharp';
import { layout, parsePictureName } from './earlier-names.js';
import { type ObjectImage, objectImage, readDrawing, withinPicture } from './object-image.js';
import { sampleObject } from './objects.js';

/**
 * A radial light: `lit` at the upper left, `dim` away from it, and the colour of the shade things
 * throw on it.
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

/** One title picture in ten stands on the night. */
const NIGHT_EVERY = 10;
const STEP = 2;

/**
 * The ground of one of a product's pictures. All but the night ones differ from each other: they lie
 * two steps apart on a ring of seven, so the first comes back only after all of them.
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

/** A soft ellipse where the object would stand. */
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

/** The ground with the shadows of what will stand on it, as an SVG of `side` by `side` pixels. */
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
 * The picture of a name that samples of earlier versions had, `side` by `side` pixels: markets have goods
 * with these names, and a name never shows another picture. Null for a name that is not one of theirs.
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
