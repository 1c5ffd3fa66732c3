import type { Canvas } from '../studio/canvas.js';
import { lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { ball, plastic, wallpaper } from '../studio/materials.js';
import { closeUp, type Drawn, lying, type Models, models, standing } from '../studio/scene.js';
import {
  around,
  corner,
  disc,
  each,
  group,
  oval,
  path,
  rect,
  repeated,
  stroke,
} from '../studio/shapes.js';

/** A disc with its rainbow shine and its hole. */
const shine = (c: Canvas, x: number, y: number, r: number, hex: string): string =>
  disc(
    x,
    y,
    r,
    c.linear(
      40,
      [0, lit(hex, 0.55)],
      [0.25, '#f7c8e0'],
      [0.4, '#c9f0e4'],
      [0.55, hex],
      [0.75, '#cfd9ff'],
      [1, lit(hex, 0.3)],
    ),
  ) +
  around(
    3,
    x,
    y,
    path(
      `M${x} ${y}L${x - r * 0.18} ${y - r * 0.97}A${r} ${r} 0 0 1 ${x + r * 0.18} ${y - r * 0.97}z`,
      '#fff',
      'opacity=".35"',
    ),
  ) +
  disc(x, y, r * 0.36, '#f3f1ea', 'opacity=".6"') +
  disc(x, y, r * 0.13, '#cfcac0') +
  disc(x, y, r, 'none', 'stroke="#8d8a86" stroke-width="1"');

interface Film {
  readonly words: readonly [string, string];
  readonly tone: string;
  readonly scene: 'hills' | 'stage' | 'kids' | 'house';
}

const FILMS = {
  nollywood: { words: ['NOLLYWOOD', 'CLASSICS'], tone: '#8f2b22', scene: 'house' },
  gospel: { words: ['GOSPEL', 'LIVE CONCERT'], tone: '#4a2a86', scene: 'stage' },
  drama: { words: ['ILE WA', 'YORUBA DRAMA'], tone: '#1f6a4b', scene: 'hills' },
  cartoons: { words: ['CARTOONS', 'FOR CHILDREN'], tone: '#e0692a', scene: 'kids' },
} as const satisfies Record<string, Film>;

function cover(c: Canvas, { words, tone, scene }: Film): string {
  const art = {
    hills: wallpaper(c, 'M0 0h158v222H0z', [0, 0, 158, 222], tone),
    stage:
      rect(0, 0, 158, 222, 0, shaded(tone, 0.5)) +
      each(['#f7d774', '#e86fa6', '#74c7f7', '#f7d774', '#9df774'], (tone, at) =>
        path(`M${15 + at * 32} 0l-24 180h48z`, tone, 'opacity=".3"'),
      ) +
      repeated(7, (at) => disc(12 + at * 23, 196, 13, '#0d0a18')) +
      stroke('M79 196V120', '#0d0a18', 14) +
      disc(79, 106, 15, '#0d0a18') +
      stroke('M80 140l26-30', '#0d0a18', 8),
    kids:
      rect(0, 0, 158, 222, 0, '#8fd3f2') +
      disc(122, 40, 20, '#ffd94a') +
      path('M0 160q40-40 80 0t78-10v72H0z', '#6cbf5a') +
      disc(62, 140, 34, ball(c, '#f29a3a')) +
      disc(50, 132, 7, '#fff') +
      disc(74, 132, 7, '#fff') +
      disc(52, 133, 3, '#222') +
      disc(74, 133, 3, '#222') +
      stroke('M48 152q14 12 28 0', '#222', 3),
    house:
      rect(0, 0, 158, 222, 0, c.linear(90, [0, shaded(tone, 0.5)], [1, '#f0b45c'])) +
      path('M20 150l58-46l58 46v72H20z', shaded(tone, 0.65)) +
      rect(64, 168, 30, 54, 0, '#f7d774') +
      path('M118 222q-4-60 10-84q14 20 12 84z', '#120b0a') +
      disc(128, 126, 12, '#120b0a'),
  }[scene];
  return (
    art +
    rect(0, 12, 158, 46, 0, '#0008') +
    letters(words[0], 79, 20, 18, '#fff4d8', { most: 140 }) +
    letters(words[1], 79, 45, 8, '#fff4d8', { most: 130 })
  );
}

const film = (item: Film): Drawn => {
  const sleeve = (c: Canvas) =>
    corner(
      { x: 74, y: 70, w: 176, h: 228, d: 44 },
      {
        front:
          rect(0, 0, 176, 228, 3, '#15161a') +
          group('translate(13 3)', cover(c, item)) +
          path('M13 3h90L40 225H13z', '#fff', 'opacity=".1"'),
        right: rect(0, 0, 44, 228, 2, '#0d0e11'),
        top: '#2c2e34',
      },
    );
  return {
    front: (c, hex) =>
      standing(
        shine(c, 262, 232, 86, hex) + sleeve(c),
        { x: 176, y: 312, r: 100 },
        { x: 280, y: 318, r: 60 },
      ),
    side: (c, hex) =>
      lying(
        rect(40, 90, 152, 220, 5, '#16171b') +
          rect(208, 90, 152, 220, 5, '#16171b') +
          rect(192, 90, 16, 220, 0, '#0b0c0e') +
          group('translate(52 104) scale(.82)', cover(c, item)) +
          shine(c, 284, 198, 70, hex),
      ),
    detail: closeUp(
      (c, hex) =>
        shine(c, 200, 200, 120, hex) +
        letters(item.words[0], 200, 128, 14, shaded(item.tone, 0.2), { most: 120 }),
      [226, 156],
      1.9,
    ),
  };
};

const spindle = (c: Canvas, hex: string, label: string): string =>
  repeated(24, (at) =>
    oval(
      200,
      296 - at * 6.2,
      106,
      27,
      at % 2 ? lit(hex, 0.4) : hex,
      'stroke="#6b7079" stroke-opacity=".6" stroke-width=".8"',
    ),
  ) +
  oval(
    200,
    152,
    106,
    27,
    c.linear(20, [0, lit(hex, 0.6)], [0.3, '#f7c8e0'], [0.5, '#c9f0e4'], [1, hex]),
  ) +
  oval(200, 152, 34, 9, '#f5f3ec') +
  rect(192, 112, 16, 42, 6, '#2a2c31') +
  path('M86 118q0-14 114-14t114 14v184q0 30-114 30T86 302z', '#dfeaf5', 'opacity=".28"') +
  path('M98 126v176', 'none', 'stroke="#fff" stroke-width="6" stroke-opacity=".7"') +
  oval(200, 310, 118, 32, '#1b1d22') +
  oval(200, 302, 116, 30, '#2f3238', 'opacity=".2"') +
  path('M90 196q110 44 220 0v64q-110 44-220 0z', '#1f4fa0', 'opacity=".92"') +
  letters(label, 200, 238, 22, '#ffffff', { weight: 0.18 });

const blank = (label: string): Drawn => ({
  front: (c, hex) => standing(spindle(c, hex, label), { x: 200, y: 326, r: 116 }),
  side: (c, hex) =>
    lying(
      shine(c, 130, 156, 84, hex) +
        shine(c, 262, 190, 84, lit(hex, 0.2)) +
        shine(c, 180, 276, 84, hex) +
        letters(label, 180, 228, 11, '#33406a'),
    ),
  detail: closeUp((c, hex) => spindle(c, hex, label), [180, 190], 2.1),
});

function cassette(c: Canvas, hex: string, cleaner: boolean): string {
  const reel = (x: number, full: number) =>
    disc(x, 196, 44, '#0e0f12') +
    disc(x, 196, full, '#3a2a20') +
    disc(x, 196, 18, '#f1efe8') +
    around(6, x, 196, rect(x - 2.4, 180, 4.8, 8, 1, '#0e0f12'));
  return (
    rect(36, 104, 328, 188, 8, plastic(c, hex)) +
    rect(36, 104, 328, 10, 4, shaded(hex, 0.45)) +
    rect(88, 146, 224, 100, 6, '#17181c') +
    reel(142, cleaner ? 22 : 40) +
    reel(258, 28) +
    rect(176, 152, 48, 88, 3, cleaner ? '#2f6fd0' : '#f4f0e4') +
    letters(cleaner ? 'CLEAN' : 'VHS', 200, 186, 12, cleaner ? '#fff' : '#222') +
    path('M88 146h120L150 246H88z', '#fff', 'opacity=".1"') +
    rect(54, 256, 292, 26, 2, '#f4f0e4') +
    stroke('M64 266h200M64 274h150', '#9a9284', 1.6) +
    letters(cleaner ? 'WET DRY' : 'E-180', 312, 263, 10, '#b3262a')
  );
}

const tape = (cleaner: boolean): Drawn => ({
  front: (c, hex) => lying(cassette(c, hex, cleaner)),
  side: (c, _hex) =>
    standing(
      corner(
        { x: 120, y: 70, w: 122, h: 226, d: 90 },
        {
          front:
            rect(0, 0, 122, 226, 3, plastic(c, cleaner ? '#2f6fd0' : '#26356e')) +
            letters(cleaner ? 'CLEANER' : 'VIDEO', 61, 36, 17, '#fff', { most: 100 }) +
            letters(cleaner ? 'VHS HEAD' : 'E-180', 61, 70, 13, '#f2d27c', { most: 90 }) +
            path('M0 226L122 90v136z', '#f2d27c', 'opacity=".8"'),
          right: rect(0, 0, 90, 226, 2, '#f4f0e4') + stroke('M18 40v150M36 40v150', '#9a9284', 1.6),
          top: '#7f8dc4',
        },
      ),
      { x: 196, y: 306, r: 82 },
    ),
  detail: closeUp((c, hex) => cassette(c, hex, cleaner), [150, 196], 2.2),
});

export const discs: Models = {
  ...models<Film>(FILMS, film),
  dvdr: blank('DVD-R'),
  cdr: blank('CD-R'),
};
export const tapes: Models = { video: tape(false), cleaner: tape(true) };
