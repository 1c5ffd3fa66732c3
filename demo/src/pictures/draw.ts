import sharp from 'sharp';
import { backdrop, groundFor } from './backdrop.js';
import { layout } from './kinds.js';
import { parsePictureName } from './names.js';
import { objectImage, withinPicture } from './object-image.js';
import { sampleObject } from './objects.js';
import { drawingOf, hexOf, parseShot } from './shots.js';
import { createCanvas } from './studio/canvas.js';
import type { Draw } from './studio/goods.js';
import { photographed } from './studio/scene.js';

/** Pixels along each side; the image host makes the smaller variants. */
export const SAMPLE_SIDE = 640;
const QUALITY = 80;

/** A drawing in its studio, as webp. */
export async function photograph(draw: Draw, hex: string, ground: number): Promise<Buffer> {
  const canvas = createCanvas();
  const svg = photographed(canvas, draw(canvas, hex), ground, SAMPLE_SIDE);
  return sharp(Buffer.from(svg)).webp({ quality: QUALITY }).toBuffer();
}

/**
 * Draws the picture that a name stands for, as webp of 640 by 640 pixels. The same name gives the
 * same picture. Answers null for a name that is not one of a sample picture.
 */
export async function drawSample(name: string): Promise<Buffer | null> {
  const shot = parseShot(name);
  if (shot === null) return drawEarlierSample(name);
  const draw = drawingOf(shot.drawing)?.[shot.view];
  return draw === undefined ? null : photograph(draw, hexOf(shot), shot.ground);
}

/** Markets of earlier versions have goods with these names, and a name never shows another picture. */
async function drawEarlierSample(name: string): Promise<Buffer | null> {
  const picture = parsePictureName(name);
  if (picture === null) return null;
  const object = sampleObject(picture.object);
  const { copies, ground } = layout(picture.kind, object.flat);
  const objects = await Promise.all(
    copies.map((copy) => objectImage(object, picture.colourway, copy, SAMPLE_SIDE)),
  );
  const [back, ...overlays] = await Promise.all([
    backdrop(groundFor(picture.seed, ground), objects, SAMPLE_SIDE),
    ...objects.map((image) => withinPicture(image, SAMPLE_SIDE)),
  ]);
  return sharp(back).composite(overlays).webp({ quality: QUALITY }).toBuffer();
}
