import type { Canvas } from '../studio/canvas.js';
import { isLight, lit, shaded } from '../studio/colours.js';
import { type Drawn, type Models, models } from '../studio/goods.js';
import { letters, smallPrint } from '../studio/lettering.js';
import { glass, metal, plastic } from '../studio/materials.js';
import { closeUp, type Draw, standing } from '../studio/scene.js';
import {
  group,
  oval,
  type Profile,
  path,
  profile,
  rect,
  stroke,
  turned,
} from '../studio/shapes.js';

const FLOOR = 330;

interface Flacon {
  readonly words: readonly [string, string];
  readonly label: string;
  readonly shape: 'square' | 'tall' | 'round' | 'roll' | 'spray' | 'shoulders' | 'flask' | 'column';
  readonly cap: string;
}

const FLACONS = {
  oud: { shape: 'roll', cap: '#caa04c', label: '#1f1a17', words: ['AMBER', 'OUD OIL'] },
  rose: { shape: 'round', cap: '#e7c2a0', label: '#fff6f2', words: ['ROSE', 'MUSK'] },
  vetiver: {
    shape: 'square',
    cap: '#2c2e30',
    label: '#f4f0e4',
    words: ['VETIVER', 'EAU DE TOILETTE'],
  },
  mist: { shape: 'spray', cap: '#f0eef6', label: '#ffffff', words: ['LAVENDER', 'BODY MIST'] },
  sport: { shape: 'column', cap: '#2b3038', label: '#dfe9f5', words: ['OCEAN', 'SPORT'] },
  vanilla: { shape: 'shoulders', cap: '#17161a', label: '#161417', words: ['VANILLA', 'NOIR'] },
  blossom: { shape: 'flask', cap: '#d9b36a', label: '#fdf3f6', words: ['PLUM', 'BLOSSOM'] },
  cologne: { shape: 'tall', cap: '#cfd4da', label: '#ffffff', words: ['MINT', 'LIME'] },
} as const satisfies Record<string, Flacon>;

/** Half widths of each flacon from its shoulder to its foot, and where its cap begins. */
const SHAPES: Readonly<
  Record<
    Flacon['shape'],
    { body: Profile; neck: number; cap: readonly [w: number, h: number]; print: number }
  >
> = {
  square: {
    body: profile(`150,70 152,84 164,88 316,88 ${FLOOR},82`),
    neck: 136,
    cap: [64, 66],
    print: 212,
  },
  tall: {
    body: profile(`118,34 126,54 140,58 318,58 ${FLOOR},54`),
    neck: 104,
    cap: [46, 56],
    print: 206,
  },
  round: {
    body: profile(`146,24 164,62 232,100 304,72 ${FLOOR},52`),
    neck: 130,
    cap: [44, 58],
    print: 218,
  },
  roll: {
    body: profile(`128,26 140,36 152,38 320,38 ${FLOOR},34`),
    neck: 116,
    cap: [50, 66],
    print: 206,
  },
  spray: {
    body: profile(`130,28 150,50 172,54 318,54 ${FLOOR},50`),
    neck: 118,
    cap: [58, 62],
    print: 216,
  },
  shoulders: {
    body: profile(`148,46 160,92 190,84 312,70 ${FLOOR},66`),
    neck: 132,
    cap: [62, 60],
    print: 216,
  },
  flask: {
    body: profile(`140,22 176,40 262,98 316,92 ${FLOOR},80`),
    neck: 124,
    cap: [40, 64],
    print: 244,
  },
  column: {
    body: profile(`108,46 114,50 130,52 322,52 ${FLOOR},48`),
    neck: 96,
    cap: [84, 40],
    print: 206,
  },
};

function flaconCap(
  c: Canvas,
  { shape, cap }: Flacon,
  neck: number,
  [w, h]: readonly [number, number],
): string {
  const x = 200 - w / 2;
  const collar = rect(200 - w * 0.4, neck - 2, w * 0.8, 18, 2, metal(c, '#d9c08a'));
  if (shape === 'round' || shape === 'flask')
    return (
      collar +
      oval(
        200,
        neck - h * 0.42,
        w * 0.72,
        h * 0.46,
        c.radial(0.35, 0.3, 0.8, [0, lit(cap, 0.8)], [0.5, cap], [1, shaded(cap, 0.4)]),
      )
    );
  return (
    collar +
    rect(x, neck - h, w, h, shape === 'roll' ? 12 : 4, metal(c, cap)) +
    rect(x, neck - 9, w, 2, 0, shaded(cap, 0.4), 'opacity=".5"')
  );
}

function flacon(c: Canvas, item: Flacon, hex: string, printed: boolean): string {
  const { body, neck, cap, print } = SHAPES[item.shape];
  const outline = turned(200, body);
  const inner = turned(
    200,
    body.map(([y, r], at) => [at === 0 ? y + 16 : y - 12, r - 9] as const),
  );
  const widest = Math.max(...body.map(([, r]) => r));
  const narrow = body.find(([y]) => y >= print)?.[1] ?? widest;
  const plate = Math.min(widest, narrow + 10) * 1.25;
  const ink = isLight(item.label) ? shaded(hex, 0.6) : '#e8cf93';
  return [
    path(outline, glass(c, lit(hex, 0.45)), `stroke="${shaded(hex, 0.3)}" stroke-opacity=".35"`),
    path(inner, c.linear(90, [0, lit(hex, 0.25), 0.75], [0.6, hex, 0.9], [1, shaded(hex, 0.25)])),
    stroke(`M200 ${neck + 14}V${FLOOR - 26}`, '#fff', 2, 'opacity=".4"'),
    c.within(
      outline,
      rect(200 - widest + 9, body[0]?.[0] ?? 0, widest * 0.2, 300, 6, '#fff', 'opacity=".42"') +
        rect(200 + widest * 0.74, body[0]?.[0] ?? 0, 5, 300, 2, '#fff', 'opacity=".3"'),
    ),
    flaconCap(c, item, neck, cap),
    printed
      ? rect(200 - plate / 2, print, plate, 62, 3, item.label, 'opacity=".93"') +
        rect(
          203 - plate / 2,
          print + 3,
          plate - 6,
          56,
          2,
          'none',
          `stroke="${ink}" stroke-width=".9"`,
        ) +
        letters(item.words[0], 200, print + 15, 13, ink, { most: plate * 0.8 }) +
        letters(item.words[1], 200, print + 39, 8, ink, { most: plate * 0.74 })
      : smallPrint(200 - plate * 0.34, print + 50, plate * 0.68, 5, '#fff'),
  ].join('');
}

function perfume(item: Flacon): Drawn {
  const widest = Math.max(...SHAPES[item.shape].body.map(([, r]) => r));
  const carton = (c: Canvas, hex: string, x: number) => {
    const tone = shaded(hex, 0.35);
    return (
      rect(x, 128, 104, 202, 2, plastic(c, tone)) +
      rect(x + 104, 134, 20, 192, 1, shaded(tone, 0.4)) +
      rect(x + 10, 138, 84, 182, 1, 'none', 'stroke="#e2c27a" stroke-width="1.2"') +
      letters(item.words[0], x + 52, 196, 13, '#ecd295', { most: 74 }) +
      letters(item.words[1], x + 52, 222, 8, '#ecd295', { most: 70 })
    );
  };
  const front: Draw = (c, hex) =>
    standing(flacon(c, item, hex, true), { x: 200, y: FLOOR, r: widest * 0.9 });
  return {
    front,
    side: (c, hex) =>
      standing(
        carton(c, hex, 78) + group('translate(70 0)', flacon(c, item, hex, true)),
        { x: 140, y: FLOOR, r: 62 },
        { x: 270, y: FLOOR, r: widest * 0.9 },
      ),
    detail: closeUp(front, [200, SHAPES[item.shape].neck + 26], 2.2),
    box: (c, hex) =>
      standing(flacon(c, item, hex, false), {
        x: 200,
        y: FLOOR,
        r: widest * 0.9,
      }),
  };
}

export const perfumes: Models = models<Flacon>(FLACONS, perfume);
