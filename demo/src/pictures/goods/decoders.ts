import type { Canvas } from '../studio/canvas.js';
import { lit, shaded } from '../studio/colours.js';
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
import { corner, disc, each, group, oval, path, rect, repeated, stroke } from '../studio/shapes.js';

/** What comes in the box: a decoder, something that receives, and a remote control. */
interface Kit {
  readonly decoder: {
    readonly w: number;
    readonly h: number;
    readonly mark: string;
    readonly shown: string;
  };
  readonly aerial: 'dish' | 'grid' | 'none';
  readonly band: string;
  readonly words: string;
}

const KITS = {
  gotv: {
    decoder: { w: 168, h: 30, mark: 'GOTV', shown: '0001' },
    aerial: 'grid',
    band: '#3f9b3d',
    words: 'GOTV',
  },
  dstv: {
    decoder: { w: 190, h: 38, mark: 'DSTV HD', shown: '205' },
    aerial: 'dish',
    band: '#1c7fd0',
    words: 'DSTV HD',
  },
  startimes: {
    decoder: { w: 176, h: 32, mark: 'STARTIMES', shown: '118' },
    aerial: 'none',
    band: '#e2711d',
    words: 'STARTIMES',
  },
  free: {
    decoder: { w: 184, h: 40, mark: 'FTA HD', shown: '0042' },
    aerial: 'none',
    band: '#5a4fc0',
    words: 'FREE TO AIR',
  },
  tstv: {
    decoder: { w: 170, h: 34, mark: 'TSTV', shown: '007' },
    aerial: 'dish',
    band: '#c2262d',
    words: 'TSTV',
  },
  explora: {
    decoder: { w: 216, h: 46, mark: 'EXPLORA', shown: '19 00' },
    aerial: 'dish',
    band: '#12306e',
    words: 'DSTV EXPLORA',
  },
} as const satisfies Record<string, Kit>;

/** A dish on its foot: its bowl seen a little from the side, the horn on its arm. */
function dish(c: Canvas, x: number, y: number, size: number, hex: string, horns: number): string {
  const bowl = c.radial(0.62, 0.4, 0.75, [0, shaded(hex, 0.22)], [0.5, hex], [1, lit(hex, 0.55)]);
  return group(
    `translate(${x} ${y}) scale(${size})`,
    path('M-8 60h16l4 84h-24z', metal(c, '#8b9199')) +
      path('M-62 150l56-26h12l56 26v8H-62z', metal(c, '#6b7079', 90)),
    group(
      'rotate(-24)',
      oval(8, 4, 88, 106, shaded(hex, 0.35)) +
        oval(0, 0, 88, 106, bowl, `stroke="${lit(hex, 0.5)}" stroke-width="3"`) +
        oval(0, 0, 60, 74, 'none', 'stroke="#000" stroke-opacity=".06" stroke-width="2"') +
        path('M-60-62q40-40 90-10q-60 4-90 10z', '#fff', 'opacity=".4"'),
    ),
    stroke('M-14 92L74-20', '#777d86', 6) +
      stroke('M-60 20L74-24', '#9aa0a8', 3) +
      stroke('M20-88L74-24', '#9aa0a8', 3),
    repeated(horns, (at) =>
      group(
        `translate(${74 + at * 4} ${-22 - at * 24}) rotate(-38)`,
        rect(-14, -9, 34, 19, 5, round(c, '#e6e7e4')) +
          oval(-14, 0.5, 5, 10, '#c9b98a') +
          rect(18, -4, 12, 8, 2, metal(c, '#c5a95b')),
      ),
    ),
  );
}

const grid = (c: Canvas, x: number, y: number): string =>
  group(
    `translate(${x} ${y})`,
    rect(-4, 30, 8, 120, 2, metal(c, '#a9aeb6')) +
      path('M-34 150h68v8h-68z', '#555b64') +
      rect(-66, 26, 140, 7, 3, metal(c, '#b8bdc5', 90)) +
      repeated(8, (at) =>
        rect(-60 + at * 17, -36 + at * 5, 4, 124 - at * 10, 2, metal(c, '#c9ced5')),
      ) +
      rect(58, -58, 5, 176, 2, metal(c, '#c9ced5')) +
      rect(44, 20, 22, 20, 3, '#2b2e34'),
  );

function decoderFace(c: Canvas, { w, h, mark, shown }: Kit['decoder'], band: string): string {
  return (
    rect(0, 0, w, h, 4, plastic(c, '#24262c')) +
    rect(0, h - 6, w, 6, 2, band) +
    rect(w * 0.42, h * 0.2, w * 0.32, h * 0.48, 2, '#0a0f0c') +
    letters(shown, w * 0.58, h * 0.27, h * 0.32, '#6df0a0', { most: w * 0.26, weight: 0.18 }) +
    letters(mark, w * 0.21, h * 0.3, h * 0.26, '#f1f2f4', { most: w * 0.32 }) +
    disc(w * 0.9, h * 0.42, h * 0.17, metal(c, '#9aa0a8', 45)) +
    disc(w * 0.8, h * 0.42, 2.2, '#e2402f')
  );
}

function decoder(c: Canvas, kit: Kit['decoder'], band: string, x: number, y: number): string {
  return corner(
    { x, y, w: kit.w, h: kit.h, d: 120 },
    {
      front: decoderFace(c, kit, band),
      right:
        rect(0, 0, 120, kit.h, 2, '#121317') +
        repeated(12, (at) => rect(14 + at * 8, 8, 3, kit.h - 18, 1, '#000')),
      top: '#3a3d44',
    },
  );
}

function remote(c: Canvas, band: string): string {
  return [
    rect(0, 0, 44, 168, 14, plastic(c, '#2a2c32')),
    disc(22, 16, 5.5, '#d9433a'),
    repeated(12, (at) =>
      rect(6.5 + (at % 3) * 11.4, 34 + Math.floor(at / 3) * 12, 8.4, 8, 3, '#eceef0'),
    ),
    disc(22, 104, 14, '#4a4d55') + disc(22, 104, 5.4, '#eceef0'),
    each([band, '#e2b13c', '#3f74d0'], (tone, at) => rect(6.5 + at * 11.4, 126, 8.4, 6, 3, tone)),
    letters('OJA', 22, 148, 6, '#9aa0a8'),
  ].join('');
}

/** A dish on sale by itself, with one horn or two. */
function dishAlone(horns: 1 | 2, words: string): Drawn {
  const front: Draw = (c, hex) =>
    horns === 2
      ? standing(dish(c, 192, 160, 1.12, hex, 2), { x: 194, y: 336, r: 76 })
      : standing(dish(c, 192, 160, 1.24, hex, 1), { x: 194, y: 354, r: 76 });
  return {
    front,
    side: dishFromBehind,
    detail: closeUp(front, [262, 138], 2.3),
    box: boxed(front, { w: 190, h: 184, d: 90, colour: '#8a9099', words }),
  };
}

/** With the bracket that holds it. */
const dishFromBehind: Draw = (c, hex) =>
  standing(
    group(
      'translate(400 0) scale(-1 1)',
      path('M186 200h18l6 130h-30z', metal(c, '#8b9199')) +
        oval(
          196,
          160,
          98,
          120,
          c.radial(0.4, 0.35, 0.8, [0, lit(hex, 0.3)], [0.6, hex], [1, shaded(hex, 0.4)]),
        ) +
        rect(160, 128, 72, 66, 6, metal(c, '#7d838c', 45)) +
        repeated(4, (at) =>
          disc(170 + (at % 2) * 52, 138 + Math.floor(at / 2) * 46, 5, '#3a3d44'),
        ) +
        stroke('M196 194v60', '#5d636c', 10) +
        path('M130 330l54-14h24l54 14v10H130z', metal(c, '#6b7079', 90)),
    ),
    { x: 204, y: 342, r: 72 },
  );

/** The sockets at the back of a decoder. */
const sockets = (c: Canvas): string =>
  group(
    'translate(58 96) scale(1.5)',
    rect(0, 0, 190, 46, 4, plastic(c, '#24262c')) +
      each(
        ['#e2b13c', '#eceef0', '#d9433a'],
        (tone, at) => disc(20 + at * 17, 24, 6, tone) + disc(20 + at * 17, 24, 2.6, '#111'),
      ) +
      rect(72, 18, 32, 12, 2, '#0a0b0d') +
      rect(112, 19, 16, 10, 1, '#0a0b0d') +
      disc(146, 24, 6.4, metal(c, '#d7b066', 45)) +
      disc(164, 24, 6.4, metal(c, '#d7b066', 45)) +
      disc(180, 24, 4, '#0a0b0d'),
  );

const footOf = ({ w, h }: Kit['decoder'], x: number, y: number) => ({
  x: x + w * 0.5 + 20,
  y: y + h + w * 0.1,
  r: w * 0.5,
});

function kit({ decoder: box, aerial, band, words }: Kit): Drawn {
  const front: Draw = (c, hex) => {
    if (aerial === 'none') {
      const [x, y] = [200 - box.w * 0.42 - 44, 232];
      return standing(
        decoder(c, box, band, x, y) + group('translate(296 168) rotate(12)', remote(c, band)),
        footOf(box, x, y),
        { x: 300, y: 340, r: 24 },
      );
    }
    return standing(
      (aerial === 'dish' ? dish(c, 238, 138, 1.02, hex, 1) : grid(c, 252, 132)) +
        decoder(c, box, band, 44, 268) +
        group('translate(316 176) rotate(10)', remote(c, band)),
      { x: 244, y: aerial === 'grid' ? 290 : 298, r: 60 },
      footOf(box, 44, 268),
      { x: 318, y: 340, r: 24 },
    );
  };
  const side: Draw = (c) =>
    lying(
      sockets(c) +
        group('translate(70 216) rotate(-4)', group('scale(.9)', remote(c, band))) +
        stroke(
          'M196 244q80-30 130 20q30 60-30 80q-80 20-120-20q-20-40 40-50q70 0 60 40',
          '#1c1e23',
          7,
        ) +
        rect(178, 236, 22, 16, 3, '#d9433a'),
    );
  return {
    front,
    side,
    detail: closeUp(
      (c) => group('translate(40 150) scale(1.6)', decoderFace(c, box, band)),
      [40 + box.w * 0.8, 150 + box.h * 0.8],
      1.5,
    ),
    box: boxed(front, { w: 226, h: 184, d: 90, colour: band, words }),
  };
}

export const decoders: Models = {
  ...models<Kit>(KITS, kit),
  dish: dishAlone(1, 'DISH'),
  twin: dishAlone(2, 'TWIN LNB'),
};
