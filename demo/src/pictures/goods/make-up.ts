import type { Canvas } from '../studio/canvas.js';
import { lit, mix, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { metal, plastic, round } from '../studio/materials.js';
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
  around,
  disc,
  each,
  group,
  oval,
  path,
  rect,
  roundedPath,
  stroke,
} from '../studio/shapes.js';

interface Lipstick {
  readonly case: string;
  readonly collar: string;
  readonly liquid?: boolean;
  readonly count: number;
  readonly words: string;
}

const LIPSTICKS = {
  matte: { case: '#1e1c20', collar: '#c9a254', count: 1, words: 'MATTE' },
  satin: { case: '#d9b06a', collar: '#f2e3c0', count: 1, words: 'SATIN' },
  long: { case: '#26232a', collar: '#c5cad1', liquid: true, count: 1, words: 'LONG WEAR' },
  set: { case: '#7b2438', collar: '#d9b06a', count: 3, words: 'LIP SET' },
} as const satisfies Record<string, Lipstick>;

function bullet(c: Canvas, item: Lipstick, x: number, hex: string): string {
  if (item.liquid)
    return (
      rect(x - 30, 176, 60, 154, 10, round(c, hex)) +
      rect(x - 30, 70, 60, 110, 8, round(c, item.case)) +
      rect(x - 30, 172, 60, 9, 0, metal(c, item.collar)) +
      path(`M${x - 20} 186v130`, 'none', 'stroke="#fff" stroke-width="5" stroke-opacity=".5"') +
      group(`rotate(-90 ${x} 250)`, letters('LONG WEAR', x, 245, 10, '#fff', { most: 110 }))
    );
  return [
    path(
      `M${x - 23} 206v-92q2-34 46-52v144z`,
      c.linear(0, [0, shaded(hex, 0.3)], [0.3, lit(hex, 0.42)], [0.6, hex], [1, shaded(hex, 0.35)]),
    ),
    path(`M${x - 23} 114q2-34 46-52q8 28-46 58z`, lit(hex, 0.3), 'opacity=".7"'),
    rect(x - 27, 196, 54, 42, 3, metal(c, item.collar)),
    rect(x - 33, 234, 66, 96, 5, round(c, item.case)),
    rect(x - 33, 234, 66, 5, 2, metal(c, item.collar)),
    letters('O', x, 274, 17, item.collar, { weight: 0.2 }),
  ].join('');
}

const swatch = (c: Canvas, hex: string, x: number, y: number): string =>
  path(
    `M${x} ${y}q60-34 128-22q30 6 26 24q-4 18-60 20q-64 8-92 0q-18-6-2-22z`,
    c.linear(20, [0, lit(hex, 0.2)], [0.4, hex], [0.6, lit(hex, 0.35)], [1, shaded(hex, 0.2)]),
  ) + stroke(`M${x + 14} ${y + 4}q60-22 124-10`, '#fff', 3, 'opacity=".35"');

const lip = (item: Lipstick): Drawn => {
  const tones = (hex: string) =>
    item.count === 1 ? [hex] : [mix(hex, '#8f2b4f', 0.5), hex, mix(hex, '#c4693f', 0.55)];
  const row = (c: Canvas, hex: string) =>
    tones(hex)
      .map((tone, at, all) => bullet(c, item, 200 + (at - (all.length - 1) / 2) * 96, tone))
      .join('');
  const front: Draw = (c, hex) =>
    item.count === 1
      ? standing(
          group('translate(-40 0)', bullet(c, item, 200, hex)) +
            (item.liquid
              ? group(
                  'translate(300 150) rotate(14)',
                  rect(-5, 0, 10, 120, 3, metal(c, '#c5cad1')) +
                    path('M-8 116h16l-3 56q-5 8-10 0z', hex) +
                    rect(-26, -74, 52, 80, 8, round(c, item.case)),
                )
              : rect(252, 214, 72, 116, 6, round(c, item.case)) +
                rect(252, 214, 72, 7, 3, metal(c, item.collar))),
          { x: 160, y: 331, r: 38 },
          { x: 290, y: 331, r: 40 },
        )
      : standing(row(c, hex), { x: 200, y: 331, r: 138 });
  return {
    front,
    side: (c, hex) =>
      lying(
        group('translate(28 -18) rotate(58 200 200)', bullet(c, item, 200, hex)) +
          each(tones(hex), (tone, at) => swatch(c, tone, 110 + at * 12, 296 + at * 34)),
      ),
    detail: closeUp(row, [200, item.liquid ? 190 : 132], 2.3),
    box: boxed(row, {
      w: item.count === 1 ? 112 : 216,
      h: 224,
      d: item.count === 1 ? 100 : 80,
      colour: item.case,
      words: item.words,
    }),
  };
};

/** The glass of a mirror: it reflects a soft sky and a band of light. */
const silvered = (c: Canvas): string =>
  c.linear(
    50,
    [0, '#f7fbff'],
    [0.3, '#c9d8e4'],
    [0.34, '#f2f7fb'],
    [0.5, '#b9cad8'],
    [1, '#8ea3b5'],
  );

interface Compact {
  readonly kind: 'light' | 'powder' | 'table' | 'palette';
  readonly words: string;
}

const COMPACTS = {
  light: { kind: 'light', words: 'LED MIRROR' },
  powder: { kind: 'powder', words: 'PRESSED POWDER' },
  table: { kind: 'table', words: 'TABLE MIRROR' },
  palette: { kind: 'palette', words: 'BRIDAL PALETTE' },
} as const satisfies Record<string, Compact>;

const POWDER = '#c08a5c';
const EYES = [
  '#c98a4a',
  '#8f4a2c',
  '#3d2a26',
  '#d9a7b0',
  '#a23e5c',
  '#5b2a4e',
  '#2f4a7a',
  '#1f7a72',
  '#c7a24a',
  '#f0ddc0',
  '#6b6f78',
  '#22232a',
];

function compact(c: Canvas, { kind }: Compact, hex: string): string {
  if (kind === 'table')
    return [
      path('M186 286h28l6 30h-40z', metal(c, hex)) + oval(200, 322, 84, 14, metal(c, hex)),
      around(24, 200, 168, path('M200 34q9 12 0 22q-9-10 0-22z', metal(c, lit(hex, 0.1), 60))),
      oval(200, 168, 112, 118, metal(c, hex, 50)) +
        oval(200, 168, 98, 104, shaded(hex, 0.35)) +
        oval(200, 168, 94, 100, silvered(c)),
    ].join('');
  if (kind === 'palette')
    return [
      path('M66 84h268l8 118H58z', plastic(c, hex)) + path('M80 94h240l7 98H73z', silvered(c)),
      rect(50, 200, 300, 124, 10, plastic(c, hex)) + rect(60, 208, 280, 102, 5, '#191a1e'),
      each(EYES, (tone, at) => {
        const [x, y] = [70 + (at % 6) * 44.6, 216 + Math.floor(at / 6) * 46];
        return (
          rect(x, y, 38, 38, 5, c.linear(50, [0, lit(tone, 0.3)], [1, tone])) +
          stroke(`M${x + 8} ${y + 28}l20-18`, '#fff', 1, 'opacity=".25"')
        );
      }),
    ].join('');
  const pan =
    kind === 'powder'
      ? oval(200, 274, 102, 44, '#191a1e') +
        oval(200, 272, 94, 39, c.radial(0.4, 0.35, 0.8, [0, lit(POWDER, 0.25)], [1, POWDER])) +
        path(
          'M150 268q50-20 100 0M158 280q42 18 84 0',
          'none',
          `stroke="${shaded(POWDER, 0.2)}" stroke-width="2" opacity=".5"`,
        )
      : oval(200, 274, 102, 44, silvered(c));
  const bulbs =
    kind === 'light'
      ? disc(200, 140, 88, 'none', 'stroke="#fff6d8" stroke-width="9"') +
        around(20, 200, 140, disc(200, 52, 3.4, '#ffffff'))
      : '';
  return [
    disc(200, 140, 106, plastic(c, hex)) +
      disc(200, 140, 94, shaded(hex, 0.4)) +
      disc(200, 140, kind === 'light' ? 82 : 90, silvered(c)) +
      bulbs,
    rect(176, 236, 48, 14, 5, metal(c, '#d6a84c')),
    oval(200, 284, 116, 50, shaded(hex, 0.35)) + oval(200, 276, 116, 50, plastic(c, hex)) + pan,
  ].join('');
}

const vanity = (item: Compact): Drawn => {
  const front: Draw = (c, hex) =>
    standing(compact(c, item, hex), { x: 200, y: 330, r: item.kind === 'palette' ? 146 : 108 });
  const shut: Draw = (c, hex) => {
    if (item.kind === 'table')
      return standing(
        group(
          'translate(200 0) scale(.36 1) translate(-200 0)',
          compact(c, item, shaded(hex, 0.1)),
        ) + stroke('M214 60q34 100 6 210', shaded(hex, 0.3), 6),
        { x: 200, y: 330, r: 60 },
      );
    if (item.kind === 'palette')
      return lying(
        path(roundedPath(60, 130, 280, 150, 14), plastic(c, hex)) +
          rect(72, 142, 256, 126, 8, 'none', `stroke="${lit(hex, 0.5)}"`) +
          letters('BRIDE', 200, 186, 34, lit(hex, 0.7), { weight: 0.1 }) +
          rect(182, 276, 36, 10, 4, metal(c, '#d6a84c')),
      );
    return lying(
      disc(190, 190, 118, plastic(c, hex)) +
        disc(190, 190, 104, 'none', 'stroke="#d6a84c" stroke-width="2"') +
        around(
          12,
          190,
          190,
          path('M190 120q12 22 0 44q-12-22 0-44z', lit(hex, 0.3), 'opacity=".8"'),
        ) +
        disc(190, 190, 16, metal(c, '#d6a84c', 45)) +
        disc(304, 304, 52, c.radial(0.4, 0.35, 0.8, [0, '#fff7ee'], [1, '#e2c7a8'])) +
        stroke('M272 290q30-16 62 0', '#fff', 4, 'opacity=".7"'),
    );
  };
  return {
    front,
    side: shut,
    detail: closeUp(
      front,
      item.kind === 'palette' ? [160, 256] : item.kind === 'table' ? [270, 110] : [230, 250],
      2.2,
    ),
    box: boxed(front, {
      w: 190,
      h: 190,
      d: 80,
      colour: (hex) => mix(hex, '#f6d9df', 0.5),
      words: item.words,
    }),
  };
};

export const lipsticks: Models = models<Lipstick>(LIPSTICKS, lip);
export const compacts: Models = models<Compact>(COMPACTS, vanity);
