import { stroke } from './shapes.js';

/** Capitals as strokes on a field of 4 by 6: a picture must not depend on the fonts of the machine that draws it. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: 'M0 6 2 0 4 6M.7 4h2.6',
  B: 'M0 0v6h2.4a1.6 1.6 0 0 0 0-3.2H0M0 0h2.2a1.4 1.4 0 0 1 0 2.8',
  C: 'M4 1A2.3 3 0 1 0 4 5',
  D: 'M0 0v6h1.5a2.5 3 0 0 0 0-6z',
  E: 'M4 0H0v6h4M0 3h3',
  F: 'M4 0H0v6M0 3h3',
  G: 'M4 1A2.3 3 0 1 0 4 5V3.3H2.4',
  H: 'M0 0v6M4 0v6M0 3h4',
  I: 'M2 0v6',
  J: 'M3.4 0v4a1.7 2 0 0 1-3.4 0',
  K: 'M0 0v6M4 0 0 3.6M1.3 2.6 4 6',
  L: 'M0 0v6h3.8',
  M: 'M0 6V0l2 3.6L4 0v6',
  N: 'M0 6V0l4 6V0',
  O: 'M2 0a2 3 0 1 0 .01 0z',
  P: 'M0 6V0h2.3a1.7 1.7 0 0 1 0 3.4H0',
  Q: 'M2 0a2 3 0 1 0 .01 0zM2.6 4.4 4 6',
  R: 'M0 6V0h2.3a1.7 1.7 0 0 1 0 3.4H0M2 3.4 4 6',
  S: 'M3.8 1A1.9 1.6 0 0 0 .3 1.7C.4 3.4 3.8 2.6 3.9 4.4A2 1.7 0 0 1 0 5',
  T: 'M0 0h4M2 0v6',
  U: 'M0 0v4a2 2 0 0 0 4 0V0',
  V: 'M0 0 2 6 4 0',
  W: 'M0 0 1 6 2 2 3 6 4 0',
  X: 'M0 0 4 6M4 0 0 6',
  Y: 'M0 0 2 3 4 0M2 3v3',
  Z: 'M0 0h4L0 6h4',
  0: 'M2 0a2 3 0 1 0 .01 0z',
  1: 'M1 1 2.2 0v6',
  2: 'M.2 1.4A1.9 1.5 0 0 1 3.8 1.8C3.8 3.4 0 5 0 6h4',
  3: 'M.2 .7A1.9 1.4 0 1 1 1.8 2.8A1.9 1.6 0 1 1 0 5',
  4: 'M3 6V0L0 4h4',
  5: 'M3.6 0H.5L.2 2.8A1.9 1.7 0 1 1 0 5',
  6: 'M3.4 .2C1 .8 0 3 .1 4.2A1.9 1.8 0 1 0 1 2.8',
  7: 'M0 0h4L1.4 6',
  8: 'M2 2.8a1.6 1.4 0 1 1 .01 0a1.9 1.6 0 1 1-.02 0',
  9: 'M.6 5.8C3 5.2 4 3 3.9 1.8A1.9 1.8 0 1 0 3 3.2',
  '-': 'M.8 3h2.4',
};

const FIELD = { width: 4, height: 6, gap: 1.6 };

interface Lettering {
  /** Width of the stroke, as a fraction of the letters' height. */
  readonly weight?: number;
  /** Largest width of the line; a wider line is scaled down. */
  readonly most?: number;
}

/**
 * Draws words in capitals; a character without a glyph stays blank. `x` is the middle of the line, `y` its upper edge.
 */
export function letters(
  words: string,
  x: number,
  y: number,
  height: number,
  colour: string,
  { weight = 0.15, most = Number.POSITIVE_INFINITY }: Lettering = {},
): string {
  const wide = words.length * (FIELD.width + FIELD.gap) - FIELD.gap;
  const scale = Math.min(height / FIELD.height, most / wide);
  const start = x - (wide * scale) / 2;
  const drawn = [...words.toUpperCase()].map((letter, at) => {
    const glyph = GLYPHS[letter];
    if (glyph === undefined) return '';
    const left = start + at * (FIELD.width + FIELD.gap) * scale;
    return `<g transform="translate(${left.toFixed(2)} ${y}) scale(${scale.toFixed(4)})">${stroke(glyph, colour, FIELD.height * weight)}</g>`;
  });
  return drawn.join('');
}

/** Lines too small to read, as on the back of a pack. */
export const smallPrint = (
  x: number,
  y: number,
  width: number,
  lines: number,
  colour: string,
): string =>
  Array.from({ length: lines }, (_, at) => {
    const long = width * (at === lines - 1 ? 0.55 : 1 - ((at * 37) % 11) / 60);
    return stroke(`M${x} ${y + at * 6}h${long.toFixed(1)}`, colour, 1.8, 'opacity=".55"');
  }).join('');
