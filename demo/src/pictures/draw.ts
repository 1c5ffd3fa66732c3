import sharp, { type Sharp } from 'sharp';
import { drawEarlierSample } from './earlier.js';
import { drawingOf, hexOf, parseShot } from './shots.js';
import { createCanvas } from './studio/canvas.js';
import { type Draw, photographed } from './studio/scene.js';

/** Pixels along each side; the image host makes the smaller variants. */
export const SAMPLE_SIDE = 640;
const QUALITY = 80;

const asWebp = (image: Sharp) => image.webp({ quality: QUALITY }).toBuffer();

/** Renders a drawing in its studio as WebP, `side` pixels wide and high. */
export async function photograph(
  draw: Draw,
  hex: string,
  ground: number,
  side = SAMPLE_SIDE,
): Promise<Buffer> {
  const canvas = createCanvas();
  const svg = photographed(canvas, draw(canvas, hex), ground, side);
  return asWebp(sharp(Buffer.from(svg)));
}

/**
 * Draws the picture that a name stands for, as a WebP of 640 by 640 pixels. The same name gives the
 * same picture. Returns null for a name that is not a sample picture's.
 */
export async function drawSample(name: string): Promise<Buffer | null> {
  const shot = parseShot(name);
  if (shot === null) {
    const earlier = await drawEarlierSample(name, SAMPLE_SIDE);
    return earlier && asWebp(earlier);
  }
  const draw = drawingOf(shot.drawing)?.[shot.view];
  return draw === undefined ? null : photograph(draw, hexOf(shot), shot.ground);
}
