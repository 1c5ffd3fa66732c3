import type { Canvas } from '../studio/canvas.js';
import { isLight, lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { metal, plastic } from '../studio/materials.js';
import {
  boxed,
  closeUp,
  type Draw,
  type Drawn,
  lying,
  type Models,
  models,
  standing,
} from '../studio/scene.js';
import { corner, disc, group, rect, repeated, stroke } from '../studio/shapes.js';

const ink = (hex: string): string => (isLight(hex) ? '#33363d' : '#f2f2ee');

interface Bank {
  readonly w: number;
  readonly h: number;
  readonly d: number;
  readonly solar?: boolean;
  readonly words: string;
}

const BANKS = {
  slab: { w: 148, h: 240, d: 56, words: 'ORAIMO' },
  mini: { w: 128, h: 150, d: 60, words: 'NEW AGE' },
  solar: { w: 160, h: 256, d: 62, solar: true, words: 'ITEL SOLAR' },
} as const satisfies Record<string, Bank>;

function bankFace(c: Canvas, { w, h, solar, words }: Bank, hex: string): string {
  const cells =
    rect(
      14,
      16,
      w - 28,
      h * 0.68,
      4,
      c.linear(50, [0, '#33508f'], [0.5, '#1a2a5c'], [1, '#101b40']),
    ) +
    repeated(5, (at) =>
      stroke(`M${14 + ((w - 28) / 6) * (at + 1)} 18v${h * 0.68 - 4}`, '#8aa3d6', 1),
    ) +
    repeated(7, (at) => stroke(`M16 ${16 + ((h * 0.68) / 8) * (at + 1)}h${w - 32}`, '#8aa3d6', 1));
  return [
    rect(0, 0, w, h, 16, plastic(c, hex)),
    rect(
      5,
      5,
      w - 10,
      h - 10,
      12,
      'none',
      `stroke="${lit(hex, 0.4)}" stroke-opacity=".5" stroke-width="1.4"`,
    ),
    solar
      ? cells
      : rect(w * 0.28, h * 0.1, w * 0.44, h * 0.17, 5, '#0f1318') +
        letters('98', w / 2, h * 0.13, h * 0.1, '#8ff0c0', { weight: 0.18 }),
    letters(words, w / 2, h * (solar ? 0.79 : 0.5), 13, ink(hex), { most: w * 0.7 }),
    repeated(4, (at) => disc(w / 2 - 24 + at * 16, h * 0.9, 3.4, at < 3 ? '#8ff0c0' : '#5a6470')),
  ].join('');
}

const bank = (item: Bank): Drawn => {
  const { w, h, d } = item;
  const [x, y] = [200 - w * 0.42 - d * 0.25, 318 - h - w * 0.13];
  const sockets = (size: number) =>
    repeated(3, (at) =>
      rect(size * 0.24, 24 + at * 32, size * 0.52, at === 2 ? 8 : 15, 3, '#0c0d10'),
    );
  const front: Draw = (c, hex) =>
    standing(
      corner(
        { x, y, w, h, d },
        {
          front: bankFace(c, item, hex),
          right: rect(0, 0, d, h, 8, c.linear(0, [0, shaded(hex, 0.15)], [1, shaded(hex, 0.42)])),
          top: lit(hex, 0.25),
        },
      ) +
        group(
          `translate(${x + d * 0.14} ${y - 10}) skewX(-4)`,
          rect(w * 0.34, 2, 22, 6, 2, '#0c0d10') + rect(w * 0.6, 8, 22, 6, 2, '#0c0d10'),
        ),
      { x: 200, y: 312, r: w * 0.52 },
    );
  return {
    front,
    side: (c, hex) =>
      lying(
        group('translate(96 74)', bankFace(c, item, hex)) +
          group(
            `translate(${w + 126} 74)`,
            rect(0, 0, d * 0.8, h, 9, plastic(c, shaded(hex, 0.1))) + sockets(d * 0.8),
          ) +
          stroke(`M${w + 148} ${h + 78}q6 50-70 46t-90 6`, '#f4f4f0', 8) +
          rect(118, h + 118, 36, 18, 4, '#dfe1e4'),
      ),
    detail: closeUp(
      (c, hex) => group('translate(96 74)', bankFace(c, item, hex)),
      [96 + w / 2, 74 + h * (item.solar ? 0.7 : 0.28)],
      2.5,
    ),
    box: boxed(front, { w: 150, h: 226, d: 66, colour: '#2fae62', words: item.words }),
  };
};

/** A fast charger with its cable, or a travel plug that fits everywhere. */
function plug(c: Canvas, hex: string, travel: boolean): string {
  const pins =
    rect(166, 66, 13, 44, 2, metal(c, '#c9a95b')) +
    rect(221, 66, 13, 44, 2, metal(c, '#c9a95b')) +
    rect(193, 50, 14, 52, 2, metal(c, '#d8bb72'));
  if (travel)
    return (
      pins +
      rect(112, 96, 176, 216, 26, plastic(c, hex)) +
      rect(128, 130, 144, 110, 14, shaded(hex, 0.25)) +
      disc(166, 186, 11, '#0b0c0f') +
      disc(234, 186, 11, '#0b0c0f') +
      rect(193, 146, 14, 26, 3, '#0b0c0f') +
      rect(160, 264, 34, 12, 3, '#0b0c0f') +
      rect(206, 264, 34, 12, 3, '#0b0c0f') +
      disc(256, 118, 5, '#e2402f')
    );
  return [
    stroke('M150 292q-30 60-86 34t-8-84q40-24 62 20t-30 62', '#e9eaec', 9),
    stroke('M150 290q-30 60-86 34', '#ffffff', 3, 'opacity=".6"'),
    pins,
    rect(128, 100, 144, 190, 24, plastic(c, hex)),
    rect(148, 242, 42, 15, 4, '#0c0d10') + rect(210, 242, 42, 15, 6, '#e57d2e'),
    letters('65W', 200, 158, 26, ink(hex), { weight: 0.16 }) +
      letters('FAST CHARGE', 200, 198, 8, ink(hex)),
    rect(68, 308, 40, 22, 5, '#f2f3f5') + rect(46, 312, 24, 14, 2, metal(c, '#c5cad1', 90)),
  ].join('');
}

const charger = (travel: boolean): Drawn => ({
  front: (c, hex) => lying(plug(c, hex, travel)),
  side: (c, hex) =>
    standing(
      corner(
        { x: 112, y: 132, w: 122, h: 156, d: 130 },
        {
          front:
            rect(0, 0, 122, 156, 14, plastic(c, hex)) +
            (travel
              ? rect(16, 34, 90, 72, 9, shaded(hex, 0.3))
              : rect(18, 112, 36, 12, 3, '#0c0d10') + rect(66, 112, 36, 12, 5, '#e57d2e')),
          right: rect(
            0,
            0,
            130,
            156,
            10,
            c.linear(0, [0, shaded(hex, 0.15)], [1, shaded(hex, 0.45)]),
          ),
          top: lit(hex, 0.3),
        },
      ) +
        rect(268, 176, 56, 11, 2, metal(c, '#c9a95b', 90)) +
        rect(268, 222, 56, 11, 2, metal(c, '#c9a95b', 90)),
      { x: 206, y: 292, r: 92 },
    ),
  detail: closeUp((c, hex) => plug(c, hex, travel), [200, travel ? 190 : 236], 2.3),
  box: boxed((c, hex) => plug(c, hex, travel), {
    w: 148,
    h: 214,
    d: 80,
    colour: travel ? '#d0342c' : '#2fae62',
    words: travel ? 'BULL' : 'ORAIMO',
  }),
});

export const banks: Models = models<Bank>(BANKS, bank);
export const chargers: Models = { fast: charger(false), travel: charger(true) };
