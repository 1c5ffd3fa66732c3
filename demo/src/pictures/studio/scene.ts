import { ARTBOARD, type Canvas } from './canvas.js';
import { isLight, lit, mix, shaded } from './colours.js';
import { letters, smallPrint } from './lettering.js';
import { bodyFaces, corner, group, oval, reach, rect } from './shapes.js';

/** Where an object touches the floor: the middle and half the width of its foot. */
interface Foot {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Goods on the artboard: standing on their feet; without feet they lie and are seen from above. */
export interface Scene {
  readonly art: string;
  readonly feet: readonly Foot[];
}

/** Draws one view of one model in one colour. */
export type Draw = (c: Canvas, hex: string) => Scene;
/** Draws goods that stand or lie nowhere yet. */
export type Art = (c: Canvas, hex: string) => string;

function artOf(draw: Draw | Art, c: Canvas, hex: string): string {
  const drawn = draw(c, hex);
  return typeof drawn === 'string' ? drawn : drawn.art;
}

export const standing = (art: string, ...feet: readonly Foot[]): Scene => ({ art, feet });
export const lying = (art: string): Scene => ({ art, feet: [] });

/** Wall and floor colours of the studios, quiet so that the goods stand out. */
const STUDIOS = [
  ['#f7f5f1', '#dcd7ce'],
  ['#f4f6f8', '#d3dae1'],
  ['#f9f3ea', '#e3d3bb'],
  ['#f3f6f1', '#d2dccd'],
  ['#faf1ed', '#e6d1c6'],
  ['#f3f2f8', '#d6d4e2'],
  ['#faf5e6', '#e6dab4'],
  ['#f0f4f4', '#c9d7d6'],
] as const;

/** The number of studios. */
export const GROUNDS = STUDIOS.length;

const HORIZON = 0.66;

function footShadow(c: Canvas, { x, y, r }: Foot): string {
  const dark = '#2a2118';
  const wide = c.radial(0.5, 0.5, 0.5, [0, dark, 0.3], [0.55, dark, 0.13], [1, dark, 0]);
  const close = c.radial(0.5, 0.5, 0.5, [0, dark, 0.55], [0.7, dark, 0.38], [1, dark, 0]);
  return (
    oval(x + r * 0.16, y + 5, r * 1.42, 13 + r * 0.09, wide) +
    oval(x, y + 1, r * 1.06, 4 + r * 0.028, close)
  );
}

const CAST =
  '<filter id="cast" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="5" dy="9" stdDeviation="8" flood-color="#2a2118" flood-opacity=".36"/></filter>';

/** The whole picture as an SVG of `side` by `side` pixels. */
export function photographed(
  c: Canvas,
  { art, feet }: Scene,
  ground: number,
  side: number,
): string {
  const [wall, floor] = STUDIOS[ground % GROUNDS] ?? STUDIOS[0];
  const lies = feet.length === 0;
  const back = lies
    ? c.radial(0.32, 0.22, 0.95, [0, '#fffefb'], [0.45, wall], [1, floor])
    : c.linear(
        90,
        [0, wall],
        [HORIZON - 0.12, mix(wall, floor, 0.45)],
        [HORIZON, mix(wall, floor, 0.75)],
        [HORIZON + 0.1, mix(wall, floor, 0.5)],
        [1, floor],
      );
  const pool = c.radial(0.36, 0.3, 0.62, [0, '#fffefa', 0.85], [1, '#fffefa', 0]);
  const full = `width="${ARTBOARD}" height="${ARTBOARD}"`;
  const body = lies
    ? `<g filter="url(#cast)">${art}</g>`
    : feet.map((foot) => footShadow(c, foot)).join('') + art;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${ARTBOARD} ${ARTBOARD}"><defs>${c.definitions()}${lies ? CAST : ''}</defs><rect ${full} fill="${back}"/><rect ${full} fill="${pool}"/>${body}</svg>`;
}

/** A close-up: enlarged by `by`, with the point x, y near the middle. */
export const closeUp =
  (draw: Draw | Art, [x, y]: readonly [number, number], by: number): Draw =>
  (c, hex) => {
    const move = `translate(200 205) scale(${by}) translate(${-x} ${-y})`;
    return lying(group(move, artOf(draw, c, hex)));
  };

interface Carton {
  /** Sizes in any unit: only the proportions matter. */
  readonly w: number;
  readonly h: number;
  readonly d: number;
  /** A function of the colour of the goods, where it depends on that. */
  readonly colour: string | ((hex: string) => string);
  readonly words: string;
}

/** The box that a product is sold in, with its picture and its name on the front. */
export const boxed =
  (draw: Draw | Art, { w, h, d, colour: paint, words }: Carton): Draw =>
  (c, hex) => {
    const art = artOf(draw, c, hex);
    const colour = typeof paint === 'string' ? paint : paint(hex);
    const ink = isLight(colour) ? '#2b2d33' : '#ffffff';
    const size = { w, h, d };
    const faces = bodyFaces(c, size, colour);
    const { width, height } = reach(size);
    const x = 200 - width / 2;
    const y = 338 - height;
    const shown = Math.min(w * 1.2, h * 0.78);
    const plate = lit(colour, isLight(colour) ? 0.75 : 0.9);
    const front = [
      faces.front,
      rect(0, h * 0.2, w, h * 0.8, 0, plate),
      group(
        `translate(${(w - shown) / 2} ${h * 0.21 + (h * 0.77 - shown) / 2}) scale(${shown / ARTBOARD})`,
        art,
      ),
      letters(words, w / 2, h * 0.07, h * 0.075, ink, { most: w * 0.86 }),
    ].join('');
    const right = [
      faces.right,
      letters(words, d / 2, h * 0.07, h * 0.06, ink, { most: d * 0.8 }),
      smallPrint(d * 0.16, h * 0.3, d * 0.66, 6, ink),
      rect(d * 0.2, h * 0.78, d * 0.6, h * 0.12, 1, '#f4f4f0', 'opacity=".85"'),
      smallPrint(d * 0.26, h * 0.81, d * 0.48, 2, '#222'),
    ].join('');
    return standing(corner({ x, y, ...size }, { front, right, top: shaded(faces.top, 0.04) }), {
      x: 200,
      y: 326,
      r: width * 0.46,
    });
  };

/** The views of a product, the title picture first. */
export const VIEWS = ['front', 'side', 'detail', 'box'] as const;
export type View = (typeof VIEWS)[number];

/** The views of a model: every model has three, and a model sold in a box has four. */
export interface Drawn {
  readonly front: Draw;
  readonly side: Draw;
  readonly detail: Draw;
  readonly box?: Draw;
}

/** Models of one type of goods, by name. */
export type Models = Readonly<Record<string, Drawn>>;

/** Applies the same drawings to each model of a table: the differences between models are data. */
export const models = <M>(table: Readonly<Record<string, M>>, draw: (model: M) => Drawn): Models =>
  Object.fromEntries(Object.entries(table).map(([name, model]) => [name, draw(model)]));
