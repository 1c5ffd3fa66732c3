import type { Canvas } from '../studio/canvas.js';
import { isLight, lit, shaded } from '../studio/colours.js';
import { letters, smallPrint } from '../studio/lettering.js';
import { glass, metal, plastic } from '../studio/materials.js';
import {
  type Art,
  closeUp,
  type Draw,
  type Drawn,
  type Models,
  models,
  standing,
} from '../studio/scene.js';
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
  /** From its shoulder to its foot. */
  readonly body: Profile;
  /** Where its cap begins. */
  readonly neck: number;
  /** The upper edge of its label. */
  readonly print: number;
  readonly cap: {
    readonly w: number;
    readonly h: number;
    readonly form: 'block' | 'rounded' | 'ball';
    readonly tone: string;
  };
}

const FLACONS = {
  oud: {
    words: ['AMBER', 'OUD OIL'],
    label: '#1f1a17',
    body: profile(`128,26 140,36 152,38 320,38 ${FLOOR},34`),
    neck: 116,
    print: 206,
    cap: { w: 50, h: 66, form: 'rounded', tone: '#caa04c' },
  },
  rose: {
    words: ['ROSE', 'MUSK'],
    label: '#fff6f2',
    body: profile(`146,24 164,62 232,100 304,72 ${FLOOR},52`),
    neck: 130,
    print: 218,
    cap: { w: 44, h: 58, form: 'ball', tone: '#e7c2a0' },
  },
  vetiver: {
    words: ['VETIVER', 'EAU DE TOILETTE'],
    label: '#f4f0e4',
    body: profile(`150,70 152,84 164,88 316,88 ${FLOOR},82`),
    neck: 136,
    print: 212,
    cap: { w: 64, h: 66, form: 'block', tone: '#2c2e30' },
  },
  mist: {
    words: ['LAVENDER', 'BODY MIST'],
    label: '#ffffff',
    body: profile(`130,28 150,50 172,54 318,54 ${FLOOR},50`),
    neck: 118,
    print: 216,
    cap: { w: 58, h: 62, form: 'block', tone: '#f0eef6' },
  },
  sport: {
    words: ['OCEAN', 'SPORT'],
    label: '#dfe9f5',
    body: profile(`108,46 114,50 130,52 322,52 ${FLOOR},48`),
    neck: 96,
    print: 206,
    cap: { w: 84, h: 40, form: 'block', tone: '#2b3038' },
  },
  vanilla: {
    words: ['VANILLA', 'NOIR'],
    label: '#161417',
    body: profile(`148,46 160,92 190,84 312,70 ${FLOOR},66`),
    neck: 132,
    print: 216,
    cap: { w: 62, h: 60, form: 'block', tone: '#17161a' },
  },
  blossom: {
    words: ['PLUM', 'BLOSSOM'],
    label: '#fdf3f6',
    body: profile(`140,22 176,40 262,98 316,92 ${FLOOR},80`),
    neck: 124,
    print: 244,
    cap: { w: 40, h: 64, form: 'ball', tone: '#d9b36a' },
  },
  cologne: {
    words: ['MINT', 'LIME'],
    label: '#ffffff',
    body: profile(`118,34 126,54 140,58 318,58 ${FLOOR},54`),
    neck: 104,
    print: 206,
    cap: { w: 46, h: 56, form: 'block', tone: '#cfd4da' },
  },
} as const satisfies Record<string, Flacon>;

function flaconCap(c: Canvas, { neck, cap: { w, h, form, tone } }: Flacon): string {
  const x = 200 - w / 2;
  const collar = rect(200 - w * 0.4, neck - 2, w * 0.8, 18, 2, metal(c, '#d9c08a'));
  if (form === 'ball')
    return (
      collar +
      oval(
        200,
        neck - h * 0.42,
        w * 0.72,
        h * 0.46,
        c.radial(0.35, 0.3, 0.8, [0, lit(tone, 0.8)], [0.5, tone], [1, shaded(tone, 0.4)]),
      )
    );
  return (
    collar +
    rect(x, neck - h, w, h, form === 'rounded' ? 12 : 4, metal(c, tone)) +
    rect(x, neck - 9, w, 2, 0, shaded(tone, 0.4), 'opacity=".5"')
  );
}

const widestOf = ({ body }: Flacon): number => Math.max(...body.map(([, r]) => r));

function flacon(c: Canvas, item: Flacon, hex: string, printed: boolean): string {
  const { body, neck, print } = item;
  const outline = turned(body);
  const inner = turned(body.map(([y, r], at) => [at === 0 ? y + 16 : y - 12, r - 9] as const));
  const widest = widestOf(item);
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
    flaconCap(c, item),
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
  const r = widestOf(item) * 0.9;
  const carton: Art = (c, hex) => {
    const tone = shaded(hex, 0.35);
    return (
      rect(78, 128, 104, 202, 2, plastic(c, tone)) +
      rect(182, 134, 20, 192, 1, shaded(tone, 0.4)) +
      rect(88, 138, 84, 182, 1, 'none', 'stroke="#e2c27a" stroke-width="1.2"') +
      letters(item.words[0], 130, 196, 13, '#ecd295', { most: 74 }) +
      letters(item.words[1], 130, 222, 8, '#ecd295', { most: 70 })
    );
  };
  const front: Draw = (c, hex) => standing(flacon(c, item, hex, true), { x: 200, y: FLOOR, r });
  return {
    front,
    side: (c, hex) =>
      standing(
        carton(c, hex) + group('translate(70 0)', flacon(c, item, hex, true)),
        { x: 140, y: FLOOR, r: 62 },
        { x: 270, y: FLOOR, r },
      ),
    detail: closeUp(front, [200, item.neck + 26], 2.2),
    box: (c, hex) => standing(flacon(c, item, hex, false), { x: 200, y: FLOOR, r }),
  };
}

export const perfumes: Models = models<Flacon>(FLACONS, perfume);
