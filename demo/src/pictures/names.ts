import { isKindName, type KindName } from './kinds.js';
import {
  type Colourway,
  isDye,
  isObjectName,
  type ObjectName,
  SHELVES,
  sampleObject,
} from './objects.js';

/** Everything needed to draw one picture again. */
export interface SamplePicture {
  readonly subcategoryId: number;
  readonly object: ObjectName;
  readonly colourway: Colourway;
  readonly kind: KindName;
  /**
   * 0 to 255: chooses the grounds. Kept small so that the number of different pictures stays
   * bounded.
   */
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
