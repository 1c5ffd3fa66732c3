import sharp from 'sharp';
import { backdrop, groundFor } from './backdrop.js';
import { layout } from './kinds.js';
import { parsePictureName } from './names.js';
import { objectImage, withinPicture } from './object-image.js';
import { sampleObject } from './objects.js';

/** Pixels along each side; the image host makes the smaller variants. */
export const SAMPLE_SIDE = 640;
const QUALITY = 80;

/**
 * Draws the picture that a name stands for, as webp of 640 by 640 pixels. The same name gives the
 * same picture. Answers null for a name that is not one of a sample picture.
 */
export async function drawSample(name: string): Promise<Buffer | null> {
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
