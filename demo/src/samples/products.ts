import { readdirSync, readFileSync } from 'node:fs';
import { raisedPriceNaira } from '@oja/domain/rules';
import { z } from 'zod';
import { drawingOf, shotName, viewsOf } from '../pictures/shots.js';
import { colourNamed } from '../pictures/studio/colours.js';
import { GROUNDS } from '../pictures/studio/scene.js';
import { itemAt, type Random, randomFor, visit } from './random.js';
import type { Spot, Stalls } from './stalls.js';
import type { SampleAttributes, SampleProduct } from './types.js';

/**
 * A product that sellers offer in several variants. `{word}` in the name stands for the value
 * chosen under that word; `{color}` stands for one of `colors`.
 */
interface ProductLine {
  readonly name: string;
  /** Type and model of the drawing in its pictures, such as `phone/spark`. */
  readonly drawing: string;
  /** The colours it is made in. */
  readonly colors?: readonly string[];
  /** Shoppers notice it first: sample buyers order it more often than others. */
  readonly showy?: boolean;
  /** Price range of the simplest variant when new, in whole naira: from, to. */
  readonly price: readonly [number, number];
  /** Attributes that all variants share, under their wire names. */
  readonly attributes: SampleAttributes;
  /** Values that differ between variants. A word that is an attribute of the subcategory sets that attribute. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** The choice whose values are listed from the cheapest to the most expensive. */
  readonly dearer?: string;
  /** The colour in its pictures where the subcategory has no colour attribute. */
  readonly colourway?: string;
  /** One or two true sentences. */
  readonly about: string;
}

/** The folder lies beside `src` and `dist`, which are equally deep. One file per subcategory, edited by hand. */
const GOODS = new URL('../../assets/goods/', import.meta.url);

const text = z.string().min(1);
const colour = text.refine((word) => colourNamed(word) !== null, 'no such colour');
const shelf = z.strictObject({
  subcategoryId: z.int(),
  lines: z
    .array(
      z.strictObject({
        name: text,
        drawing: text.refine((path) => drawingOf(path) !== undefined, 'no such drawing'),
        colors: z.array(colour).min(1).exactOptional(),
        showy: z.literal(true).exactOptional(),
        price: z.tuple([z.int(), z.int()]),
        attributes: z.record(text, z.union([text, z.int()])),
        choices: z.record(text, z.array(text).min(1)).exactOptional(),
        dearer: text.exactOptional(),
        colourway: colour.exactOptional(),
        about: text,
      }),
    )
    .min(1),
});

function readShelf(file: string): readonly [number, readonly ProductLine[]] {
  const { subcategoryId, lines } = shelf.parse(
    JSON.parse(readFileSync(new URL(file, GOODS), 'utf8')),
  );
  return [subcategoryId, lines];
}

let cachedShelves: ReadonlyMap<number, readonly ProductLine[]> | null = null;

/** Product lines of a subcategory, read from files on first use. @throws ZodError naming what is wrong in a file. */
export function productLinesOf(subcategoryId: number): readonly ProductLine[] {
  cachedShelves ??= new Map(readdirSync(GOODS).map(readShelf));
  return cachedShelves.get(subcategoryId) ?? [];
}

/** One variant of a line: the value chosen under each word, and how many price steps above the simplest it is. */
interface Variant {
  readonly chosen: Readonly<Record<string, string>>;
  /** 0 for the cheapest value of the line's dearer choice, 1 for the next, and so on. */
  readonly steps: number;
}

function axes(
  line: ProductLine,
  coloured: boolean,
): readonly (readonly [string, readonly string[]])[] {
  const choices = Object.entries(line.choices ?? {});
  return coloured ? [['color', line.colors ?? []], ...choices] : choices;
}

/** How many variants a line has; `coloured` says whether its subcategory has a colour attribute. */
const variantCount = (line: ProductLine, coloured: boolean): number =>
  axes(line, coloured).reduce((count, [, values]) => count * values.length, 1);

/** The variant with this number, from 0 up to but excluding `variantCount`. */
function variantAt(line: ProductLine, coloured: boolean, number: number): Variant {
  const chosen: Record<string, string> = {};
  let rest = number;
  let steps = 0;
  for (const [word, values] of axes(line, coloured)) {
    const at = rest % values.length;
    rest = Math.floor(rest / values.length);
    chosen[word] = values[at] ?? '';
    if (word === line.dearer) steps = at;
  }
  return { chosen, steps };
}

/** Replaces the placeholders in a text by the chosen values. */
const fillPlaceholders = (text: string, { chosen }: Variant): string =>
  text.replace(/\{(\w+)\}/g, (_, word: string) => chosen[word] ?? '');

/** Price step from one variant to the next, as a share of the simplest variant's price. */
const STEP = 0.32;
/** Price of a used product, as a share of the new price. */
const USED_PRICE = { low: 0.55, high: 0.72 };

/** People ask round prices: from the price `from` on, a multiple of `to`, both in naira. */
const ROUND = [
  { from: 100_000, to: 1_000 },
  { from: 20_000, to: 500 },
  { from: 2_000, to: 100 },
  { from: 0, to: 50 },
] as const;

/** The price that a seller would type for a variant, in whole naira. */
function askedPrice(line: ProductLine, steps: number, used: boolean, random: Random): number {
  const [low, high] = line.price;
  const simplest = low + random.next() * (high - low);
  const worn = USED_PRICE.low + random.next() * (USED_PRICE.high - USED_PRICE.low);
  const asked = simplest * (1 + STEP * steps) * (used ? worn : 1);
  const { to } = ROUND.find(({ from }) => asked >= from) ?? ROUND[3];
  return Math.max(to, Math.round(asked / to) * to);
}

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

/** How often a seller adds a closing sentence. */
const CLOSED = 0.4;

/** The seller's description of a product, in one to four short sentences. */
function describeProduct(
  about: string,
  condition: SampleProduct['condition'],
  random: Random,
): string {
  const sentences = [about];
  if (condition === 'Used') sentences.push(random.pick(USED));
  else if (random.chance(CLOSED)) sentences.push(random.pick(CLOSING));
  return sentences.join(' ');
}

/** Names of a product's pictures: the same product and colour in every view, the title picture first. */
function productPictures(
  { drawing, colourway = 'black' }: ProductLine,
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

/** Age of the first product's listing, in hours; the newest was listed just now. Every seller joined before that. */
const LISTED_HOURS = 60 * 24;
const USED_SHARE = 0.35;

const listedHoursAgo = (index: number, products: number): number =>
  Math.max(1, Math.round(LISTED_HOURS * (1 - (index + 1) / products)));

/** How many of the first products had already been listed `hoursAgo`. */
export const listedBy = (hoursAgo: number, products: number): number =>
  Math.max(0, Math.floor(products * (1 - (hoursAgo + 1) / LISTED_HOURS)));

/**
 * The line and variant at a spot. Every line of the subcategory appears once before any of them
 * repeats, and then in another variant: a name returns only after all variants have been shown.
 */
function lineAndVariant(spot: Spot, seed: number): { line: ProductLine; variant: Variant } {
  const { id, attributes } = spot.subcategory;
  const lines = productLinesOf(id);
  const pass = Math.floor(spot.round / lines.length);
  const offset = randomFor(seed, 'lines', id).below(lines.length);
  const at = visit(spot.round + pass, lines.length, offset);
  const line = itemAt(lines, at);
  const coloured = attributes.includes('color');
  const count = variantCount(line, coloured);
  const number = visit(pass, count, randomFor(seed, 'line', id, at).below(count));
  return { line, variant: variantAt(line, coloured, number) };
}

/** Whether shoppers notice the product with this index before others. */
export function isShowy(stalls: Stalls, index: number): boolean {
  return lineAndVariant(stalls.spotAt(index), stalls.size.seed).line.showy === true;
}

/** Values of the subcategory's attributes: those that the line's variants share, and those that were chosen. */
function attributesOf(
  spot: Spot,
  line: ProductLine,
  { chosen }: Variant,
): SampleProduct['attributes'] {
  const known: Readonly<Record<string, string | number>> = { ...line.attributes, ...chosen };
  const rows = spot.subcategory.attributes.flatMap((name) => {
    const value = known[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(rows);
}

/** Sellers offer every other product from their home, and the rest from their branches in turn. */
function placeOf({ seller, turn }: Spot) {
  const [home, ...branches] = seller.places;
  const branch = branches[((turn - 1) / 2) % branches.length];
  return turn % 2 === 1 && branch !== undefined ? branch : home;
}

function conditionOf(spot: Spot, random: Random): SampleProduct['condition'] {
  if (!spot.subcategory.hasCondition) return null;
  return random.chance(USED_SHARE) ? 'Used' : 'New';
}

/** The product with this index, derived from the seed alone. */
export function productAt(stalls: Stalls, index: number): SampleProduct {
  const { seed, products } = stalls.size;
  const spot = stalls.spotAt(index);
  const random = randomFor(seed, 'product', index);
  const { line, variant } = lineAndVariant(spot, seed);
  const condition = conditionOf(spot, random);
  const typed = askedPrice(line, variant.steps, condition === 'Used', random);
  return {
    index,
    sellerIndex: spot.seller.index,
    prod_name: fillPlaceholders(line.name, variant),
    description: describeProduct(fillPlaceholders(line.about, variant), condition, random),
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
