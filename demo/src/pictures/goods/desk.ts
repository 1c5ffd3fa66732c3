import type { Canvas } from '../studio/canvas.js';
import { lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { ball, metal, plastic } from '../studio/materials.js';
import {
  type Art,
  boxed,
  closeUp,
  type Draw,
  type Drawn,
  lying,
  type Models,
  models,
  standing,
} from '../studio/scene.js';
import { corner, disc, each, group, oval, path, rect, repeated, stroke } from '../studio/shapes.js';

interface Keyboard {
  readonly columns: number;
  readonly pad: boolean;
  readonly slim: boolean;
}

const KEYBOARDS = {
  slim: { columns: 15, pad: false, slim: true },
  three: { columns: 13, pad: false, slim: false },
  full: { columns: 14, pad: true, slim: false },
} as const satisfies Record<string, Keyboard>;

function keyboard(c: Canvas, { columns, pad, slim }: Keyboard, hex: string): string {
  const wide = columns * 18 + (pad ? 74 : 0) + 22;
  const x = 200 - wide / 2;
  const cap = slim ? shaded(hex, 0.55) : lit(hex, 0.62);
  const key = (kx: number, ky: number, kw = 15) =>
    rect(kx, ky, kw, 15, 3, shaded(hex, 0.5), 'opacity=".6"') + rect(kx, ky, kw, 13, 3, cap);
  const rows = repeated(5, (row) =>
    row === 4
      ? repeated(3, (at) => key(x + 11 + at * 18, 224)) +
        key(x + 65, 224, (columns - 7) * 18 - 3) +
        repeated(4, (at) => key(x + 11 + (columns - 4 + at) * 18, 224))
      : repeated(columns, (at) => key(x + 11 + at * 18, 152 + row * 18)),
  );
  const numbers = pad
    ? repeated(20, (at) =>
        key(x + 22 + columns * 18 + (at % 4) * 15.6, 152 + Math.floor(at / 4) * 18, 13),
      )
    : '';
  return (
    rect(x, slim ? 144 : 134, wide, slim ? 106 : 120, slim ? 8 : 13, plastic(c, hex)) +
    (columns === 13
      ? each(['#d9433a', '#3f74d0', '#e2b13c'], (tone, at) => disc(x + 20 + at * 16, 143, 5, tone))
      : '') +
    rows +
    numbers
  );
}

function mouse(c: Canvas, hex: string, silent: boolean): string {
  const body = silent
    ? 'M200 92q78 0 78 112q8 116-78 124q-86-8-78-124q0-112 78-112z'
    : 'M200 84q66 0 72 92q8 150-72 156q-80-6-72-156q6-92 72-92z';
  return (
    (silent ? '' : stroke('M200 86q-4-50 40-56t90-14', '#2a2c32', 6)) +
    path(body, plastic(c, hex)) +
    path(body, c.radial(0.35, 0.2, 0.6, [0, '#fff', 0.45], [1, '#fff', 0])) +
    stroke('M200 90v96', shaded(hex, 0.5), 2) +
    stroke(silent ? 'M124 190q76 24 152 0' : 'M128 182q72 22 144 0', shaded(hex, 0.5), 2) +
    rect(190, 116, 20, 46, 10, '#17181c') +
    rect(194, 122, 12, 34, 6, metal(c, '#6b7079', 90)) +
    (silent ? rect(116, 196, 9, 44, 4, shaded(hex, 0.45)) + disc(200, 196, 3, '#59d0ff') : '')
  );
}

function printer(c: Canvas, hex: string, kind: 'ink' | 'laser' | 'tank', named = true): string {
  const [h, d] = kind === 'laser' ? [128, 150] : [96, 140];
  const [x, y] = [62, 300 - h - 30];
  const sheet =
    kind === 'laser'
      ? ''
      : path(`M${x + 70} ${y - 6}l14-92h112l8 84z`, c.linear(90, [0, '#ffffff'], [1, '#dfe3e8']));
  const tanks = each(
    ['#16181c', '#1aa0d8', '#d83a86', '#f0c63a'],
    (tone, at) =>
      rect(170 + at * 11, 34, 9, 40, 1.5, '#f4f6f8') +
      rect(170 + at * 11, 46 + (at % 3) * 5, 9, 28 - (at % 3) * 5, 1.5, tone),
  );
  const front =
    rect(0, 0, 222, h, 8, plastic(c, hex)) +
    rect(28, h * 0.58, kind === 'tank' ? 130 : 166, h * 0.24, 4, '#15161a') +
    path(
      `M34 ${h * 0.78}h${kind === 'tank' ? 118 : 154}l10 26H26z`,
      c.linear(90, [0, '#fdfdfc'], [1, '#d5d9de']),
    ) +
    rect(16, 14, 62, 24, 4, '#15171c') +
    letters(
      !named ? '' : kind === 'tank' ? 'L3250' : kind === 'laser' ? 'LBP6030' : 'DESKJET',
      47,
      21,
      9,
      '#8fd0ff',
      { most: 50 },
    ) +
    repeated(4, (at) => disc(92 + at * 15, 26, 4.4, at === 3 ? '#4caf6d' : '#eef0f2')) +
    (kind === 'tank' ? tanks : '');
  return (
    sheet +
    corner(
      { x, y, w: 222, h, d },
      {
        front,
        right:
          rect(0, 0, d, h, 6, c.linear(90, [0, shaded(hex, 0.18)], [1, shaded(hex, 0.4)])) +
          repeated(7, (at) => rect(24 + at * 10, h * 0.4, 4, h * 0.4, 2, '#0006')),
        top: lit(hex, 0.3),
      },
    ) +
    (kind === 'laser'
      ? ''
      : path(`M${x + 30} ${y - 8}l158 24l44-18l-150-22z`, shaded(hex, 0.12), 'opacity=".55"'))
  );
}

const board = (item: Keyboard): Drawn => {
  const tilt: Draw = (c, hex) =>
    standing(
      group(
        'matrix(.92 -.16 .3 .72 -42 128)',
        group('translate(0 12)', keyboard(c, item, shaded(hex, 0.4))) + keyboard(c, item, hex),
      ),
      { x: 202, y: 296, r: 150 },
    );
  const flat: Art = (c, hex) => keyboard(c, item, hex);
  return {
    front: (c, hex) => lying(group(item.pad ? '' : 'translate(-36 -34) scale(1.18)', flat(c, hex))),
    side: tilt,
    detail: closeUp(flat, [item.pad ? 300 : 120, 190], 2.6),
    box: boxed(flat, { w: 284, h: 128, d: 44, colour: '#2c4f8f', words: 'KEYBOARD' }),
  };
};

const pointer = (silent: boolean): Drawn => ({
  front: (c, hex) => lying(mouse(c, hex, silent)),
  side: (c, hex) =>
    standing(
      path('M74 312q-4-40 30-84q50-60 132-50q70 12 90 92q6 30-2 42z', plastic(c, hex)) +
        path(
          'M92 300q10-70 74-100q60-20 116 8q-70-8-116 24q-44 30-40 68z',
          '#fff',
          'opacity=".22"',
        ) +
        path('M74 306h252q2 14-10 14H84q-12 0-10-14z', '#17181c') +
        oval(250, 182, 22, 9, '#17181c'),
      { x: 200, y: 322, r: 128 },
    ),
  detail: closeUp((c, hex) => mouse(c, hex, silent), [200, 150], 2.3),
  box: boxed((c, hex) => mouse(c, hex, silent), {
    w: 150,
    h: 190,
    d: 80,
    colour: '#2c4f8f',
    words: 'MOUSE',
  }),
});

const press = (kind: 'ink' | 'laser' | 'tank', words: string): Drawn => ({
  front: (c, hex) => standing(printer(c, hex, kind), { x: 196, y: 304, r: 140 }),
  side: (c, hex) =>
    standing(
      group(
        'translate(400 0) scale(-1 1) translate(30 60) scale(.84)',
        printer(c, shaded(hex, 0.06), kind, false),
      ) +
        path('M44 338l26-14h120l-20 14z', '#fbfbf9') +
        group(
          'skewX(-30) translate(250 326)',
          repeated(3, (at) => rect(-20 + at * 12, 3, 8, 6, 1, ball(c, '#3f74d0'))),
        ),
      { x: 202, y: 316, r: 124 },
    ),
  detail: closeUp(
    (c, hex) => printer(c, hex, kind),
    kind === 'tank' ? [216, 250] : [120, kind === 'laser' ? 190 : 210],
    2.3,
  ),
  box: boxed((c, hex) => printer(c, hex, kind), {
    w: 226,
    h: 176,
    d: 130,
    colour: '#dfe6ee',
    words,
  }),
});

export const keyboards: Models = models<Keyboard>(KEYBOARDS, board);
export const mice: Models = { optical: pointer(false), silent: pointer(true) };
export const printers: Models = {
  ink: press('ink', 'DESKJET'),
  laser: press('laser', 'LASER'),
  tank: press('tank', 'ECOTANK'),
};
