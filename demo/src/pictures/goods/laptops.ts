import type { Canvas } from '../studio/canvas.js';
import { isLight, lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { plastic, sheen, wallpaper } from '../studio/materials.js';
import { boxed, closeUp, type Draw, type Models, models, standing } from '../studio/scene.js';
import { disc, group, path, rect, repeated, roundedPath } from '../studio/shapes.js';

interface Laptop {
  readonly wide: number;
  readonly tall: number;
  readonly radius: number;
  readonly bezel: number;
  readonly chin: number;
  readonly keys: 'dark' | 'light';
  readonly numbers: boolean;
  /** Whether there is a red pointing stick between G, H and B. */
  readonly knob: boolean;
  readonly thick: number;
  readonly mark: string;
  readonly lid: 'middle' | 'corner' | 'band';
  readonly hue: string;
  readonly words: string;
}

const BUSINESS = {
  wide: 268,
  tall: 166,
  radius: 9,
  bezel: 7,
  chin: 15,
  keys: 'dark',
  numbers: false,
  knob: false,
  thick: 8,
  lid: 'middle',
} as const;

const LAPTOPS = {
  elitebook: { ...BUSINESS, mark: 'HP', hue: '#2d7fb8', words: 'ELITEBOOK 840', knob: true },
  thinkpad: {
    ...BUSINESS,
    radius: 4,
    thick: 11,
    knob: true,
    bezel: 10,
    lid: 'corner',
    mark: 'THINKPAD',
    hue: '#a83a35',
    words: 'THINKPAD T480',
  },
  latitude: {
    ...BUSINESS,
    thick: 10,
    bezel: 8,
    mark: 'DELL',
    hue: '#3a63c0',
    words: 'LATITUDE 5400',
  },
  macbook: {
    ...BUSINESS,
    radius: 13,
    tall: 170,
    thick: 5,
    bezel: 9,
    chin: 14,
    mark: 'O',
    hue: '#7a4fc0',
    words: 'MACBOOK AIR',
  },
  aspire: {
    ...BUSINESS,
    wide: 290,
    bezel: 6,
    numbers: true,
    mark: 'ACER',
    hue: '#3d9a5b',
    words: 'ASPIRE 3',
  },
  vivobook: {
    ...BUSINESS,
    wide: 290,
    bezel: 5,
    chin: 12,
    keys: 'light',
    numbers: true,
    lid: 'corner',
    mark: 'VIVOBOOK',
    hue: '#d37a35',
    words: 'VIVOBOOK 15',
  },
  stream: {
    ...BUSINESS,
    wide: 236,
    tall: 146,
    radius: 12,
    bezel: 14,
    chin: 18,
    keys: 'light',
    mark: 'HP',
    hue: '#2f7fd0',
    words: 'STREAM 11',
  },
  ideapad: {
    ...BUSINESS,
    wide: 284,
    bezel: 6,
    numbers: true,
    keys: 'light',
    lid: 'band',
    mark: 'LENOVO',
    hue: '#c0487c',
    words: 'IDEAPAD 1',
  },
} as const satisfies Record<string, Laptop>;

const HINGE = 250;
const FRONT_EDGE = 318;
const SPREAD = 30;

/** A point on the deck, which narrows towards the screen: `u` runs across, `v` from the hinge to the front. */
function deckPoint({ wide }: Laptop, u: number, v: number): readonly [number, number] {
  const half = wide / 2 + SPREAD * v;
  return [200 - half + u * 2 * half, HINGE + (FRONT_EDGE - HINGE) * v ** 1.12];
}

function deckPatch(laptop: Laptop, u0: number, u1: number, v0: number, v1: number): string {
  const at = (u: number, v: number) =>
    deckPoint(laptop, u, v)
      .map((part) => part.toFixed(1))
      .join(' ');
  return `M${at(u0, v0)}L${at(u1, v0)}L${at(u1, v1)}L${at(u0, v1)}z`;
}

function keys(laptop: Laptop, hex: string): string {
  const cap = laptop.keys === 'dark' ? '#22252c' : lit(hex, 0.55);
  const rows = 5;
  const across = laptop.numbers ? 18 : 14;
  const [left, right] = [0.07, 0.93];
  return repeated(rows, (row) => {
    const v0 = 0.1 + row * 0.098;
    return repeated(across, (at) => {
      const step = (right - left) / across;
      const u0 = left + at * step;
      const space = row === rows - 1 && at > 3 && at < 9;
      return path(
        deckPatch(laptop, u0 + 0.003, u0 + step - (space ? 0 : 0.006), v0, v0 + 0.08),
        cap,
      );
    });
  });
}

function opened(c: Canvas, laptop: Laptop, hex: string): string {
  const { wide, tall, radius, bezel, chin, thick, hue, knob } = laptop;
  const [x, y] = [200 - wide / 2, HINGE - tall];
  const screen = [x + bezel, y + bezel, wide - 2 * bezel, tall - bezel - chin] as const;
  const glass = roundedPath(...screen, 3);
  const lip = deckPatch(laptop, 0, 1, 0, 1);
  const [frontLeft, frontTop] = deckPoint(laptop, 0, 1);
  const frontWide = wide + 2 * SPREAD;
  return [
    rect(x - 2, y - 2, wide + 4, tall + 4, radius + 2, plastic(c, hex)),
    rect(x, y, wide, tall, radius, '#0e1015'),
    wallpaper(c, glass, [...screen], hue),
    rect(
      screen[0] + screen[2] * 0.3,
      screen[1] + screen[3] - 11,
      screen[2] * 0.4,
      7,
      3,
      '#fff',
      'opacity=".3"',
    ),
    sheen(c, glass, 0.2),
    disc(200, y + bezel / 2, 1.4, '#3f485c'),
    letters(laptop.mark, 200, y + tall - chin * 0.66, 5, '#8d939d'),
    rect(x + 22, HINGE - 3, wide - 44, 7, 3, shaded(hex, 0.5)),
    path(lip, c.linear(90, [0, shaded(hex, 0.12)], [0.5, lit(hex, 0.2)], [1, lit(hex, 0.34)])),
    path(deckPatch(laptop, 0.055, 0.945, 0.07, 0.61), shaded(hex, 0.3), 'opacity=".55"'),
    keys(laptop, hex),
    knob ? disc(...deckPoint(laptop, 0.478, 0.34), 2.4, '#d8262c') : '',
    path(
      deckPatch(laptop, laptop.numbers ? 0.28 : 0.36, laptop.numbers ? 0.56 : 0.64, 0.67, 0.94),
      c.linear(60, [0, lit(hex, 0.3)], [1, shaded(hex, 0.1)]),
      `stroke="${shaded(hex, 0.35)}" stroke-width=".8"`,
    ),
    path(
      `M${frontLeft} ${frontTop}h${frontWide}v${thick * 0.6}q0 ${thick * 0.4}-8 ${thick * 0.4}H${frontLeft + 8}q-8 0-8-${thick * 0.4}z`,
      c.linear(90, [0, lit(hex, 0.25)], [1, shaded(hex, 0.45)]),
    ),
    rect(180, frontTop, 40, 3, 1.5, shaded(hex, 0.3)),
  ].join('');
}

/** The lid from behind, half open. */
function behind(c: Canvas, laptop: Laptop, hex: string): string {
  const { wide, tall, radius, mark, lid, thick } = laptop;
  const [x, y] = [200 - wide / 2, 306 - tall];
  const outline = `M${x + 8} ${y + radius}q0-${radius} ${radius}-${radius}h${wide - 16 - 2 * radius}q${radius} 0 ${radius} ${radius}L${x + wide} 308H${x}z`;
  const ink = isLight(hex) ? shaded(hex, 0.55) : lit(hex, 0.6);
  const one = mark.length === 1;
  const places = {
    middle: letters(mark, 200, y + tall * 0.42, one ? 26 : 22, ink, {
      weight: one ? 0.26 : 0.13,
      most: 90,
    }),
    corner: letters(mark, x + wide - 56, y + 18, 9, ink, { most: 64 }),
    band:
      rect(x + wide - 44, y + tall * 0.3, 17, 62, 2, ink, 'opacity=".85"') +
      group(
        `rotate(90 ${x + wide - 35} ${y + tall * 0.3 + 31})`,
        letters(mark, x + wide - 35, y + tall * 0.3 + 27, 8, hex, { most: 52 }),
      ),
  };
  return [
    rect(
      x - 6,
      303,
      wide + 12,
      thick + 14,
      6,
      c.linear(90, [0, shaded(hex, 0.25)], [0.35, hex], [1, shaded(hex, 0.55)]),
    ),
    rect(x + 6, 311, 8, 4, 1, '#14161b') +
      rect(x + 20, 311, 14, 4, 1, '#14161b') +
      rect(x + wide - 38, 310, 18, 6, 1, '#14161b'),
    repeated(14, (at) => rect(150 + at * 7.2, 311, 4, 3.4, 1, '#14161b', 'opacity=".7"')),
    path(outline, plastic(c, hex), `stroke="${shaded(hex, 0.4)}" stroke-opacity=".5"`),
    sheen(c, outline, 0.18),
    places[lid],
    rect(x + 30, 300, 44, 7, 3, shaded(hex, 0.5)) +
      rect(x + wide - 74, 300, 44, 7, 3, shaded(hex, 0.5)),
  ].join('');
}

export const laptops: Models = models<Laptop>(LAPTOPS, (laptop) => {
  const front: Draw = (c, hex) =>
    standing(opened(c, laptop, hex), { x: 200, y: 326, r: laptop.wide / 2 + 22 });
  return {
    front,
    side: (c, hex) => standing(behind(c, laptop, hex), { x: 200, y: 322, r: laptop.wide / 2 }),
    detail: closeUp(front, laptop.numbers ? [285, 284] : [252, 280], 2.6),
    box: boxed(front, {
      w: 252,
      h: 196,
      d: 70,
      colour: laptop.mark === 'O' ? '#fafafa' : '#c9a273',
      words: laptop.words,
    }),
  };
});
