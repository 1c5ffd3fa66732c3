import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { drawingOf } from '../pictures/shots.js';
import { colourNamed } from '../pictures/studio/colours.js';
import type { Random } from './random.js';
import type { SampleAttributes } from './types.js';

/**
 * Something sellers offer in several variants. `{words}` in the name stand for the value chosen
 * under that word; `{color}` is chosen by itself, from the colours it is made in.
 */
export interface Line {
  readonly name: string;
  /** What its pictures show: a model of a type, as `phone/spark`. */
  readonly drawing: string;
  /** The colours it is made in. */
  readonly colors?: readonly string[];
  /** Shoppers look at it first: sample buyers order it more often than others. */
  readonly showy?: boolean;
  /** What sellers ask for the simplest variant when new, in whole naira: from, to. */
  readonly price: readonly [number, number];
  /** Attributes all variants share, under their wire names. */
  readonly attributes: SampleAttributes;
  /**
   * What differs between variants. A word that the subcategory's table knows becomes that
   * attribute.
   */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** The choice whose values go from the cheapest to the dearest. */
  readonly dearer?: string;
  /** What colour it is where the subcategory's table has no colour. */
  readonly colourway?: string;
  /** One or two true sentences. */
  readonly about: string;
}

/** Beside `src` and `dist`, which are equally deep: one file a subcategory, for people to edit. */
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

function readShelf(file: string): readonly [number, readonly Line[]] {
  const { subcategoryId, lines } = shelf.parse(
    JSON.parse(readFileSync(new URL(file, GOODS), 'utf8')),
  );
  return [subcategoryId, lines];
}

let read: ReadonlyMap<number, readonly Line[]> | null = null;

/** What sample sellers offer in a subcategory; read at the first question. @throws ZodError naming what is wrong in a file. */
export function linesOf(subcategoryId: number): readonly Line[] {
  read ??= new Map(readdirSync(GOODS).map(readShelf));
  return read.get(subcategoryId) ?? [];
}

/**
 * One variant of a line: the value chosen under each word, and how much dearer than the simplest it
 * is.
 */
export interface Variant {
  readonly chosen: Readonly<Record<string, string>>;
  /** 0 for the cheapest value of the line's dearer choice, 1 for the next, and so on. */
  readonly steps: number;
}

function axes(line: Line, coloured: boolean): readonly (readonly [string, readonly string[]])[] {
  const choices = Object.entries(line.choices ?? {});
  return coloured ? [['color', line.colors ?? []], ...choices] : choices;
}

/** How many variants a line has; `coloured` says whether its subcategory's table has a colour. */
export const variantCount = (line: Line, coloured: boolean): number =>
  axes(line, coloured).reduce((count, [, values]) => count * values.length, 1);

/** The variant with this number, from 0 up to but excluding `variantCount`. */
export function variantAt(line: Line, coloured: boolean, number: number): Variant {
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

/** Puts the chosen values into a text. */
export const filled = (text: string, { chosen }: Variant): string =>
  text.replace(/\{(\w+)\}/g, (_, word: string) => chosen[word] ?? '');

/**
 * A dearer variant costs this much more than the one before it, as a part of the simplest one's
 * price.
 */
const STEP = 0.32;
/** What is left of a new thing's price when it is used. */
const USED = { low: 0.55, high: 0.72 };

/** People ask round prices: from this price on, a multiple of this. */
const ROUND = [
  { from: 100_000, to: 1_000 },
  { from: 20_000, to: 500 },
  { from: 2_000, to: 100 },
  { from: 0, to: 50 },
] as const;

/** What a seller would type for a variant, in whole naira. */
export function askedPrice(line: Line, steps: number, used: boolean, random: Random): number {
  const [low, high] = line.price;
  const simplest = low + random.next() * (high - low);
  const worn = USED.low + random.next() * (USED.high - USED.low);
  const asked = simplest * (1 + STEP * steps) * (used ? worn : 1);
  const { to } = ROUND.find(({ from }) => asked >= from) ?? ROUND[3];
  return Math.max(to, Math.round(asked / to) * to);
}
