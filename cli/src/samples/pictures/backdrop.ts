import { readDrawing } from './assets.js';
import type { Ground } from './grounds.js';
import type { ObjectImage } from './object-image.js';

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
export async function backdrop(
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
