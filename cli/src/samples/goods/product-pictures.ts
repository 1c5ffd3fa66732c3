import { type Colourway, isDye } from '../pictures/colourways.js';
import { isKindName, KINDS } from '../pictures/kinds.js';
import { pictureName } from '../pictures/names.js';
import { sampleObject } from '../pictures/objects.js';
import type { Line } from './line.js';
import type { Random } from './random.js';
import { shuffled } from './shuffle.js';

const OTHERS = Object.keys(KINDS)
  .filter(isKindName)
  .filter((kind) => kind !== 'title');
const SEEDS = 256;

/** A colour word is either a dye or one of the words for the undyed object. */
function colourwayOf(line: Line, color: string | undefined): Colourway {
  if (color === undefined) return line.colourway ?? 'plain';
  return isDye(color) && sampleObject(line.object).dyes.includes(color) ? color : 'plain';
}

/**
 * The names of a product's 2 to 6 pictures: the same object and colours, the title picture first.
 */
export function productPictures(
  line: Line,
  subcategoryId: number,
  color: string | undefined,
  random: Random,
): readonly string[] {
  const shared = {
    subcategoryId,
    object: line.object,
    colourway: colourwayOf(line, color),
    seed: random.below(SEEDS),
  };
  const others = shuffled(OTHERS, random).slice(0, random.between(1, OTHERS.length));
  return ['title' as const, ...others].map((kind) => pictureName({ ...shared, kind }));
}
