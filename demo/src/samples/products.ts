import { raisedPriceNaira } from '@oja/domain/rules';
import { drawingOf, shotName, viewsOf } from '../pictures/shots.js';
import { colourNamed } from '../pictures/studio/colours.js';
import { GROUNDS } from '../pictures/studio/scene.js';
import {
  askedPrice,
  filled,
  type Line,
  linesOf,
  type Variant,
  variantAt,
  variantCount,
} from './lines.js';
import { cycled, type Random, randomFor, visit } from './random.js';
import type { Spot, Stalls } from './stalls.js';
import type { SampleProduct } from './types.js';

const USED = [
  'Used for about a year; light scratches, everything works.',
  'Used with care, with small marks at the corners. Tested for a day before posting.',
  'Used. It was opened and cleaned, and nothing was replaced.',
] as const;

const CLOSING = [
  'Ready to leave the shop the same day.',
  'You get what the pictures show.',
  'Checked once more before it leaves the shop.',
  'The last pieces of this batch.',
  'Packed well for the road.',
] as const;

/** How often a seller has something to add. */
const CLOSED = 0.4;

/** What the seller says about a product, in one to four short sentences. */
function described(about: string, condition: SampleProduct['condition'], random: Random): string {
  const sentences = [about];
  if (condition === 'Used') sentences.push(random.pick(USED));
  else if (random.chance(CLOSED)) sentences.push(random.pick(CLOSING));
  return sentences.join(' ');
}

/** The names of a product's pictures: one thing in one colour from every side, the title first. */
function productPictures(
  { drawing, colourway = 'black' }: Line,
  color: string = colourway,
  random: Random,
): readonly string[] {
  const drawn = drawingOf(drawing);
  const colour = colourNamed(color);
  if (drawn === undefined || colour === null)
    throw new Error(`${drawing} in ${color} is not drawn.`);
  const ground = random.below(GROUNDS);
  return viewsOf(drawn).map((view) => shotName({ drawing, colour, view, ground }));
}

/**
 * The first product was listed this long ago; the newest just now. Every seller had joined by then.
 */
const LISTED_HOURS = 60 * 24;
const USED_SHARE = 0.35;

const listedHoursAgo = (index: number, products: number): number =>
  Math.max(1, Math.round(LISTED_HOURS * (1 - (index + 1) / products)));

/** How many of the first products had been listed that long ago. */
export const listedBy = (hoursAgo: number, products: number): number =>
  Math.max(0, Math.floor(products * (1 - (hoursAgo + 1) / LISTED_HOURS)));

/**
 * Which line and variant a spot shows. Every line of the subcategory comes once before any comes
 * again, and then in another variant, so a name returns only when all variants have been shown.
 */
function shown(spot: Spot, seed: number): { line: Line; variant: Variant } {
  const { id, attributes } = spot.subcategory;
  const lines = linesOf(id);
  const pass = Math.floor(spot.round / lines.length);
  const offset = randomFor(seed, 'lines', id).below(lines.length);
  const at = visit(spot.round + pass, lines.length, offset);
  const line = cycled(lines, at);
  const coloured = attributes.includes('color');
  const count = variantCount(line, coloured);
  const number = visit(pass, count, randomFor(seed, 'line', id, at).below(count));
  return { line, variant: variantAt(line, coloured, number) };
}

/** Whether shoppers look at the product with this index before others. */
export function isShowy(stalls: Stalls, index: number): boolean {
  return shown(stalls.spotAt(index), stalls.size.seed).line.showy === true;
}

/**
 * The values for the subcategory's table, from what the line's variants share and what was chosen.
 */
function attributesOf(spot: Spot, line: Line, { chosen }: Variant): SampleProduct['attributes'] {
  const known: Readonly<Record<string, string | number>> = { ...line.attributes, ...chosen };
  const rows = spot.subcategory.attributes.flatMap((name) => {
    const value = known[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(rows);
}

/** Shops sell from home every other time, and from their branches in turn. */
function placeOf({ seller, turn }: Spot) {
  const [home, ...branches] = seller.places;
  const branch = branches[((turn - 1) / 2) % branches.length];
  return turn % 2 === 1 && branch !== undefined ? branch : home;
}

function conditionOf(spot: Spot, random: Random): SampleProduct['condition'] {
  if (!spot.subcategory.hasCondition) return null;
  return random.chance(USED_SHARE) ? 'Used' : 'New';
}

/** The product with this index, worked out from nothing but the seed. */
export function productAt(stalls: Stalls, index: number): SampleProduct {
  const { seed, products } = stalls.size;
  const spot = stalls.spotAt(index);
  const random = randomFor(seed, 'product', index);
  const { line, variant } = shown(spot, seed);
  const condition = conditionOf(spot, random);
  const typed = askedPrice(line, variant.steps, condition === 'Used', random);
  return {
    index,
    sellerIndex: spot.seller.index,
    prod_name: filled(line.name, variant),
    description: described(filled(line.about, variant), condition, random),
    subcategoryId: spot.subcategory.id,
    attributes: attributesOf(spot, line, variant),
    condition,
    priceTypedNaira: typed,
    priceNaira: raisedPriceNaira(typed, 'upload'),
    ...placeOf(spot),
    images: productPictures(line, variant.chosen.color, random),
    listedHoursAgo: listedHoursAgo(index, products),
  };
}
