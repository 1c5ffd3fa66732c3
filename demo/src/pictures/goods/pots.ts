import type { Canvas } from '../studio/canvas.js';
import { isLight, lit, shaded } from '../studio/colours.js';
import { letters, smallPrint } from '../studio/lettering.js';
import { metal, plastic, round } from '../studio/materials.js';
import {
  boxed,
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
  repeated,
  stroke,
  turned,
} from '../studio/shapes.js';

const FLOOR = 330;

interface Pot {
  readonly words: readonly [string, string];
  readonly label: string;
  readonly shape:
    | 'jar'
    | 'tub'
    | 'low'
    | 'tin'
    | 'pump'
    | 'lotion'
    | 'tube'
    | 'flip'
    | 'kit'
    | 'handwash';
  /** Colour of the vessel; absent when it has the colour of its contents. */
  readonly vessel?: string;
  readonly lid: string;
}

const POTS = {
  shea: { shape: 'jar', lid: '#c9a24a', label: '#f6efdf', words: ['SHEA BUTTER', 'RAW NSUKKA'] },
  carrot: { shape: 'pump', lid: '#f4f2ec', label: '#fff4e6', words: ['CARROT', 'BODY LOTION'] },
  cocoa: { shape: 'lotion', lid: '#3d2416', label: '#f7e7d2', words: ['COCOA', 'BUTTER'] },
  aloe: { shape: 'tub', lid: '#f3f5ef', label: '#f2faee', words: ['ALOE', 'AFTER SUN GEL'] },
  baby: {
    shape: 'low',
    vessel: '#f6f3ee',
    lid: '#8fc2e4',
    label: '#e2f1fb',
    words: ['BABY CREAM', 'UNSCENTED'],
  },
  sun: { shape: 'tube', lid: '#f2f2ee', label: '#fffaf0', words: ['SPF 50', 'SUNSCREEN'] },
  turmeric: { shape: 'low', lid: '#2e2a26', label: '#fff6dd', words: ['TURMERIC', 'FACE CREAM'] },
  night: { shape: 'low', lid: '#c9b27e', label: '#3f1f38', words: ['NIGHT', 'REPAIR'] },
  hairfood: {
    shape: 'tub',
    lid: '#3d2a1c',
    label: '#fbf1dc',
    words: ['HAIR FOOD', 'SHEA AND CASTOR'],
  },
  sheen: { shape: 'jar', lid: '#26262c', label: '#fff0f5', words: ['BRAID SHEEN', 'GEL'] },
  balm: {
    shape: 'tin',
    vessel: '#b9bec5',
    lid: '#b9bec5',
    label: '#2b1c14',
    words: ['BEARD BALM', 'APAPA BARBERS'],
  },
  relaxer: { shape: 'kit', lid: '#f5f2f4', label: '#ffffff', words: ['RELAXER', 'NO-LYE KIT'] },
  curl: { shape: 'tub', lid: '#f5f2ea', label: '#eff7ec', words: ['CURL CREAM', 'LEAVE IN'] },
  showergel: { shape: 'flip', lid: '#f4f7f2', label: '#f4fbf0', words: ['ALOE', 'SHOWER GEL'] },
  handwash: {
    shape: 'handwash',
    lid: '#f6f4ee',
    label: '#fffdf8',
    words: ['COCONUT', 'HAND WASH'],
  },
  bodywash: { shape: 'pump', lid: '#c8a15a', label: '#fff2f5', words: ['ROSE', 'BODY WASH'] },
} as const satisfies Record<string, Pot>;

const OUTLINES: Readonly<
  Record<Pot['shape'], { body: Profile; print: readonly [y: number, h: number] }>
> = {
  jar: { body: profile(`148,78 164,92 312,92 ${FLOOR},82`), print: [192, 96] },
  tub: { body: profile(`158,104 166,106 318,94 ${FLOOR},88`), print: [186, 106] },
  low: { body: profile(`212,92 226,100 312,96 ${FLOOR},84`), print: [236, 66] },
  tin: { body: profile(`258,108 262,110 322,110 ${FLOOR},106`), print: [274, 42] },
  pump: { body: profile(`140,26 158,62 190,68 316,68 ${FLOOR},60`), print: [190, 106] },
  handwash: { body: profile(`168,24 190,74 222,84 314,80 ${FLOOR},70`), print: [222, 80] },
  lotion: { body: profile(`122,30 146,62 230,72 318,62 ${FLOOR},58`), print: [180, 104] },
  flip: { body: profile(`110,44 124,62 220,70 300,62 ${FLOOR},56`), print: [160, 120] },
  tube: { body: profile('76,78 84,77 230,62 278,48 284,46'), print: [118, 106] },
  kit: { body: profile(`196,66 204,68 318,62 ${FLOOR},58`), print: [218, 78] },
};

function lidOf(c: Canvas, { shape, lid }: Pot, body: Profile): string {
  const [[top, r] = [0, 0]] = body;
  const fill = round(c, lid);
  const ribs = (x: number, y: number, w: number, h: number) =>
    repeated(Math.floor(w / 6), (at) =>
      rect(x + 3 + at * 6, y + 4, 1.2, h - 8, 0.6, shaded(lid, 0.45), 'opacity=".28"'),
    );
  const screwed = (w: number, h: number) =>
    rect(200 - w, top - h + 6, w * 2, h, 7, fill) +
    ribs(200 - w, top - h + 6, w * 2, h) +
    oval(200, top - h + 9, w - 2, 5, lit(lid, 0.4));
  if (shape === 'pump' || shape === 'handwash')
    return (
      rect(178, top - 22, 44, 26, 4, fill) +
      ribs(178, top - 22, 44, 26) +
      rect(195, top - 56, 10, 36, 2, fill) +
      path(
        `M172 ${top - 66}q2-12 16-12h26q12 0 12 12v8h-44v4q0 8-10 8h-22q-6 0-6-6v-3q0-5 6-5h16z`,
        c.linear(90, [0, lit(lid, 0.4)], [1, shaded(lid, 0.22)]),
      )
    );
  if (shape === 'lotion') return rect(172, top - 44, 56, 50, 5, fill) + ribs(172, top - 44, 56, 50);
  if (shape === 'flip')
    return (
      rect(200 - r - 6, top - 34, r * 2 + 12, 40, 9, fill) +
      rect(200 - r - 6, top - 14, r * 2 + 12, 2, 0, shaded(lid, 0.4), 'opacity=".4"')
    );
  if (shape === 'tube')
    return rect(152, 280, 96, FLOOR - 280, 6, fill) + ribs(152, 280, 96, FLOOR - 280);
  if (shape === 'tin')
    return rect(86, 236, 228, 32, 5, metal(c, lid)) + oval(200, 238, 112, 10, lit(lid, 0.35));
  return screwed(r + 8, shape === 'low' ? 42 : 38);
}

function pot(c: Canvas, item: Pot, hex: string, side: 'front' | 'back'): string {
  const {
    body,
    print: [y, h],
  } = OUTLINES[item.shape];
  const outline = turned(body);
  const vessel = item.vessel ?? hex;
  const widest = Math.max(...body.map(([, r]) => r));
  const ink = isLight(item.label) ? shaded(hex, 0.55) : lit(hex, 0.75);
  const leaf = (turn: number) =>
    group(
      `translate(200 ${y + h * 0.27}) rotate(${turn})`,
      path('M0 0q10-13 24-7q-5 14-24 7z', hex, 'opacity=".8"'),
    );
  const label =
    side === 'front'
      ? rect(200 - widest, y, widest * 2, h, 0, item.label) +
        leaf(-24) +
        leaf(200) +
        letters(item.words[0], 200, y + h * 0.42, Math.min(17, h * 0.19), ink, {
          most: widest * 1.4,
        }) +
        letters(item.words[1], 200, y + h * 0.68, Math.min(10, h * 0.12), ink, {
          most: widest * 1.2,
        }) +
        rect(200 - widest, y + h - 5, widest * 2, 5, 0, hex)
      : rect(200 - widest, y, widest * 2, h, 0, item.label) +
        smallPrint(
          200 - widest * 0.62,
          y + h * 0.14,
          widest * 1.2,
          Math.floor((h * 0.55) / 6),
          ink,
        ) +
        repeated(18, (at) =>
          rect(
            200 - widest * 0.2 + at * 3.4,
            y + h * 0.7,
            (at * 7) % 3 === 0 ? 2.2 : 1.1,
            h * 0.2,
            0,
            '#222',
          ),
        );
  return [
    lidOf(c, item, body),
    path(
      outline,
      item.shape === 'tin' ? metal(c, vessel) : round(c, vessel),
      `stroke="${shaded(vessel, 0.4)}" stroke-opacity=".3"`,
    ),
    c.within(
      outline,
      label +
        rect(
          200 - widest,
          y,
          widest * 2,
          h,
          0,
          c.linear(
            0,
            [0, '#000', 0.3],
            [0.16, '#000', 0],
            [0.28, '#fff', 0.35],
            [0.42, '#fff', 0],
            [0.75, '#000', 0.1],
            [1, '#000', 0.34],
          ),
        ),
    ),
    item.shape === 'tube'
      ? rect(121, 66, 158, 14, 2, c.linear(90, [0, lit(vessel, 0.3)], [1, shaded(vessel, 0.25)])) +
        repeated(22, (at) =>
          rect(124 + at * 7, 67, 1.2, 12, 0, shaded(vessel, 0.5), 'opacity=".3"'),
        )
      : '',
  ].join('');
}

/** A dab of the contents. */
const dab = (c: Canvas, hex: string, x: number): string =>
  path(
    `M${x - 46} 326q-4-14 20-16q4-18 26-16q2-12 14-14q-3 10 6 16q22 2 22 16q14 4 8 14q-48 12-96 0z`,
    c.linear(60, [0, lit(hex, 0.75)], [0.55, lit(hex, 0.4)], [1, lit(hex, 0.05)]),
  );

function beauty(item: Pot): Drawn {
  const { body, print } = OUTLINES[item.shape];
  const r = (body[body.length - 1]?.[1] ?? 80) + 6;
  const kit = (c: Canvas, hex: string) =>
    item.shape === 'kit'
      ? rect(86, 112, 112, 216, 2, plastic(c, hex)) +
        rect(198, 118, 16, 206, 1, shaded(hex, 0.45)) +
        letters(item.words[0], 142, 150, 14, '#fff', { most: 90 }) +
        letters(item.words[1], 142, 176, 9, '#fff', { most: 86 }) +
        oval(142, 250, 40, 52, lit(hex, 0.7), 'opacity=".7"') +
        stroke(
          'M120 214q-14 40 6 78M134 206q-12 46 4 92M150 206q12 46-2 92M164 214q14 40-6 78',
          '#3a2116',
          5,
          'opacity=".75"',
        )
      : '';
  const shift = item.shape === 'kit' ? 'translate(72 0)' : 'translate(0 0)';
  /** Larger, on the same floor. */
  const large = (art: string) => group('translate(-36 -59.4) scale(1.18)', art);
  const front: Draw = (c, hex) =>
    standing(large(kit(c, hex) + group(shift, pot(c, item, hex, 'front'))), {
      x: item.shape === 'kit' ? 212 : 200,
      y: FLOOR,
      r: (item.shape === 'kit' ? 122 : r) * 1.18,
    });
  return {
    front,
    side: (c, hex) =>
      standing(
        group('translate(-34 0)', pot(c, item, hex, 'back')) + dab(c, hex, 316),
        { x: 166, y: FLOOR, r },
        { x: 318, y: 328, r: 46 },
      ),
    detail: closeUp(
      front,
      [item.shape === 'kit' ? 260 : 200, 330 - (330 - print[0] - print[1] * 0.4) * 1.18],
      1.8,
    ),
    box: boxed(front, {
      w: 168,
      h: 206,
      d: 120,
      colour: (hex) => lit(hex, 0.1),
      words: item.words[0],
    }),
  };
}

export const pots: Models = models<Pot>(POTS, beauty);
