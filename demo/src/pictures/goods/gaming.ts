import type { Canvas } from '../studio/canvas.js';
import { lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { ball, metal, plastic, wallpaper } from '../studio/materials.js';
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
import {
  corner,
  disc,
  group,
  oval,
  path,
  rect,
  repeated,
  roundedPath,
  stroke,
} from '../studio/shapes.js';

interface Pad {
  readonly shape: 'round' | 'dual' | 'xbox' | 'usb' | 'phone';
  readonly words: string;
}

const PADS = {
  wireless: { shape: 'round', words: 'GAME PAD' },
  dual: { shape: 'dual', words: 'DUALSHOCK 4' },
  xbox: { shape: 'xbox', words: 'XBOX' },
  usb: { shape: 'usb', words: 'USB PAD' },
  phone: { shape: 'phone', words: 'PHONE PAD' },
} as const satisfies Record<string, Pad>;

const PAD_OUTLINES: Readonly<Record<Pad['shape'], string>> = {
  round:
    'M118 128q82-22 164 0q52 4 66 70q16 84-8 106q-30 18-58-36q-14-22-40-22h-84q-26 0-40 22q-28 54-58 36q-24-22-8-106q14-66 66-70z',
  dual: 'M106 126q22-10 52 0h84q30-10 52 0q34 8 44 70q18 96-6 116q-26 14-46-32l-20-48q-8-10-24-10h-84q-16 0-24 10l-20 48q-20 46-46 32q-24-20-6-116q10-62 44-70z',
  xbox: 'M112 124q30-16 58 4h60q28-20 58-4q40 18 56 96q14 74-8 92q-26 16-58-32q-18-26-46-26h-64q-28 0-46 26q-32 48-58 32q-22-18-8-92q16-78 56-96z',
  usb: 'M96 140h208q58 0 58 62t-58 66q-26 0-44-24H140q-18 24-44 24q-58-4-58-66t58-62z',
  phone:
    'M64 130q50-6 62 14v116q-12 26-62 16q-30-4-30-72t30-74zM336 130q-50-6-62 14v116q12 26 62 16q30-4 30-72t-30-74z',
};

const stick = (c: Canvas, x: number, y: number): string =>
  disc(x, y, 25, '#101114') +
  disc(x, y - 1, 20, c.radial(0.4, 0.3, 0.8, [0, '#5a5e66'], [0.6, '#2a2c32'], [1, '#131418'])) +
  disc(x, y - 1, 12, c.radial(0.5, 0.6, 0.7, [0, '#45484f'], [1, '#1c1e22']));
const cross = (x: number, y: number, s: number): string =>
  path(
    `M${x - s} ${y - 3 * s}h${2 * s}v${2 * s}h${2 * s}v${2 * s}h${-2 * s}v${2 * s}h${-2 * s}v${-2 * s}h${-2 * s}v${-2 * s}h${2 * s}z`,
    '#1a1c20',
    'stroke="#000" stroke-opacity=".4"',
  );
function fourKeys(c: Canvas, x: number, y: number, step: number, r: number): string {
  const key = (tone: string, cx: number, cy: number) =>
    disc(cx, cy, r + 1.6, '#0d0e11') + disc(cx, cy, r, ball(c, tone));
  return (
    key('#4caf6d', x, y + step) +
    key('#d9433a', x + step, y) +
    key('#3f74d0', x - step, y) +
    key('#e2b13c', x, y - step)
  );
}

function pad(c: Canvas, { shape }: Pad, hex: string): string {
  const outline = PAD_OUTLINES[shape];
  const body =
    path(outline, plastic(c, hex), `stroke="${shaded(hex, 0.5)}" stroke-width="2"`) +
    path(outline, c.radial(0.3, 0.15, 0.6, [0, '#fff', 0.28], [1, '#fff', 0]));
  const parts: Readonly<Record<Pad['shape'], string>> = {
    round:
      rect(96, 112, 62, 22, 10, shaded(hex, 0.45)) +
      rect(242, 112, 62, 22, 10, shaded(hex, 0.45)) +
      body +
      cross(112, 178, 8) +
      fourKeys(c, 288, 178, 20, 9) +
      stick(c, 156, 220) +
      stick(c, 244, 220) +
      rect(178, 160, 14, 8, 4, '#16181c') +
      rect(208, 160, 14, 8, 4, '#16181c') +
      disc(200, 188, 9, '#59d0ff'),
    dual:
      rect(96, 108, 66, 24, 8, '#17181c') +
      rect(238, 108, 66, 24, 8, '#17181c') +
      body +
      rect(160, 124, 80, 54, 8, c.linear(60, [0, '#3a3d44'], [1, '#17181c'])) +
      rect(168, 117, 64, 5, 2, '#6fb7ff') +
      cross(112, 178, 8) +
      fourKeys(c, 288, 178, 20, 9.5) +
      stick(c, 158, 224) +
      stick(c, 242, 224),
    xbox:
      rect(104, 108, 60, 22, 10, '#17181c') +
      rect(236, 108, 60, 22, 10, '#17181c') +
      body +
      stick(c, 120, 176) +
      cross(162, 222, 8) +
      stick(c, 238, 222) +
      fourKeys(c, 284, 174, 20, 9.5) +
      disc(200, 150, 13, '#f3f5f7') +
      stroke('M192 142l16 16M208 142l-16 16', '#2f8f4d', 3),
    usb:
      stroke('M200 140q0-60 60-62t100-40', '#17181c', 7) +
      body +
      cross(102, 202, 9) +
      fourKeys(c, 300, 204, 20, 10) +
      rect(168, 192, 26, 9, 4, '#17181c', 'transform="rotate(-20 181 196)"') +
      rect(206, 192, 26, 9, 4, '#17181c', 'transform="rotate(-20 219 196)"'),
    phone:
      body +
      rect(112, 132, 176, 144, 12, '#15171b') +
      wallpaper(c, roundedPath(118, 138, 164, 132, 6), [118, 138, 164, 132], '#4c2f9a') +
      stick(c, 80, 174) +
      cross(80, 232, 7) +
      fourKeys(c, 320, 178, 16, 7) +
      stick(c, 320, 238),
  };
  return parts[shape];
}

const gamePad = (item: Pad): Drawn => {
  const front: Draw = (c, hex) => lying(group('translate(-12 -10) scale(1.06)', pad(c, item, hex)));
  return {
    front,
    side: (c, hex) =>
      standing(
        group('matrix(.9 -.1 .34 .5 -56 212)', pad(c, item, shaded(hex, 0.35))) +
          group('matrix(.9 -.1 .34 .5 -56 190)', pad(c, item, hex)),
        { x: 206, y: 330, r: 130 },
      ),
    detail: closeUp(front, [item.shape === 'usb' ? 292 : 280, 196], 2.4),
    box: boxed(front, { w: 232, h: 176, d: 84, colour: '#16357f', words: item.words }),
  };
};

/** Arcade board, flight stick and the little console that plugs into a set. */
function joystick(
  c: Canvas,
  hex: string,
  kind: 'arcade' | 'flight' | 'console',
  named = true,
): string {
  const base = corner(
    { x: 56, y: 212, w: 236, h: 62, d: 150 },
    {
      front:
        rect(0, 0, 236, 62, 4, plastic(c, shaded(hex, 0.15))) +
        letters(!named ? '' : kind === 'console' ? 'RETRO 620' : 'ARCADE', 118, 24, 14, '#f2d27c'),
      right: rect(0, 0, 150, 62, 4, shaded(hex, 0.5)),
      top: lit(hex, 0.18),
    },
  );
  const knob = (x: number, y: number, tone: string) =>
    oval(x, y + 74, 30, 13, '#101114') +
    rect(x - 6, y, 12, 76, 4, metal(c, '#c5cad1')) +
    disc(x, y - 12, 30, ball(c, tone));
  if (kind === 'flight')
    return [
      path('M92 300q0-46 54-52h108q54 6 54 52q0 20-18 20H110q-18 0-18-20z', plastic(c, hex)) +
        oval(200, 252, 62, 18, '#15161a') +
        oval(200, 246, 46, 12, '#2c2e34'),
      path(
        'M176 248q10-60-2-110q-8-60 22-74q40-8 42 40q-2 60-6 82q-4 30 0 62z',
        c.linear(0, [0, '#4a4d55'], [0.4, '#25272c'], [1, '#0e0f12']),
      ),
      path('M186 96q-10-30 14-32q34-2 34 34z', shaded(hex, 0.1)) +
        disc(212, 84, 8, '#d9433a') +
        path('M168 118q-14 6-10 26l12 6z', '#d9433a') +
        disc(226, 118, 5, '#e2b13c') +
        rect(250, 276, 34, 11, 4, '#e2b13c') +
        rect(112, 268, 14, 34, 5, '#15161a'),
    ].join('');
  return (
    base +
    knob(136, 128, kind === 'console' ? '#e2b13c' : '#d9433a') +
    repeated(kind === 'console' ? 4 : 8, (at) => {
      const [x, y] = [
        206 + (at % 4) * 31 - Math.floor(at / 4) * 10,
        212 - (at % 4) * 5 + Math.floor(at / 4) * 20,
      ];
      const tone = ['#d9433a', '#3f74d0', '#e2b13c', '#4caf6d'][at % 4] ?? '#fff';
      return oval(x, y + 4, 13, 8, '#101114') + oval(x, y, 11, 7, ball(c, tone));
    }) +
    (kind === 'console'
      ? stroke('M330 250q40 20 30 70', '#17181c', 5) + stroke('M336 252q56 10 50 66', '#d9433a', 4)
      : '')
  );
}

const sticks = (kind: 'arcade' | 'flight' | 'console'): Drawn => ({
  front: (c, hex) =>
    standing(joystick(c, hex, kind), {
      x: 206,
      y: kind === 'flight' ? 320 : 304,
      r: kind === 'flight' ? 112 : 140,
    }),
  side: (c, hex) =>
    standing(group('matrix(-.82 0 0 .86 364 46)', joystick(c, shaded(hex, 0.08), kind, false)), {
      x: 196,
      y: kind === 'flight' ? 320 : 306,
      r: 112,
    }),
  detail: closeUp(
    (c, hex) => joystick(c, hex, kind),
    kind === 'flight' ? [206, 110] : [240, 210],
    2.2,
  ),
  box: boxed((c, hex) => joystick(c, hex, kind), {
    w: 216,
    h: 192,
    d: 110,
    colour: '#3b1f6e',
    words: kind === 'flight' ? 'FLIGHT STICK' : kind === 'arcade' ? 'ARCADE' : 'RETRO TV GAME',
  }),
});

export const pads: Models = models<Pad>(PADS, gamePad);
export const joysticks: Models = {
  arcade: sticks('arcade'),
  flight: sticks('flight'),
  console: sticks('console'),
};
