import { sampleObject } from '../pictures/objects.js';
import type { Line } from './line.js';

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
  const { plain, dyes } = sampleObject(line.object);
  const choices = Object.entries(line.choices ?? {});
  return coloured ? [['color', [...plain, ...dyes]], ...choices] : choices;
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
