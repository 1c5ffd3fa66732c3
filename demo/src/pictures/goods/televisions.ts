import type { Canvas } from '../studio/canvas.js';
import { lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { metal, plastic, sheen, wallpaper } from '../studio/materials.js';
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
  around,
  disc,
  group,
  path,
  rect,
  repeated,
  roundedPath,
  stroke,
} from '../studio/shapes.js';

interface Panel {
  readonly w: number;
  readonly h: number;
  readonly bezel: number;
  readonly foot: 'feet' | 'blades' | 'stand' | 'plate';
  readonly mark: string;
  readonly hue: string;
  readonly words: string;
  readonly keyboard?: boolean;
  /** Depth at the back; cheaper sets are deeper. */
  readonly deep: number;
}

const PANELS = {
  hisense: {
    w: 330,
    h: 190,
    bezel: 4,
    foot: 'feet',
    mark: 'HISENSE',
    hue: '#1d8f92',
    words: 'HISENSE VIDAA',
    deep: 26,
  },
  lg: {
    w: 342,
    h: 196,
    bezel: 3,
    foot: 'blades',
    mark: 'LG',
    hue: '#b03060',
    words: 'LG 4K UHD',
    deep: 20,
  },
  samsung: {
    w: 342,
    h: 196,
    bezel: 2.4,
    foot: 'plate',
    mark: 'SAMSUNG',
    hue: '#6237b8',
    words: 'CRYSTAL UHD',
    deep: 16,
  },
  tcl: {
    w: 330,
    h: 190,
    bezel: 3.4,
    foot: 'blades',
    mark: 'TCL',
    hue: '#c4472e',
    words: 'TCL GOOGLE TV',
    deep: 24,
  },
  polystar: {
    w: 296,
    h: 176,
    bezel: 8,
    foot: 'stand',
    mark: 'POLYSTAR',
    hue: '#2b62b8',
    words: 'POLYSTAR LED',
    deep: 34,
  },
  monitor: {
    w: 258,
    h: 158,
    bezel: 6,
    foot: 'stand',
    mark: 'HP',
    hue: '#2d7fb8',
    words: 'HP MONITOR',
    deep: 28,
    keyboard: true,
  },
} as const satisfies Record<string, Panel>;

const FLOOR = 322;
const LEG = 34;

function foot(c: Canvas, { w, foot }: Panel, hex: string, y: number): string {
  const steel = metal(c, lit(hex, 0.15), 90);
  const [left, right] = [200 - w * 0.34, 200 + w * 0.34];
  if (foot === 'feet') {
    const leg = (x: number, s: number) =>
      path(
        `M${x - 5} ${y - 4}h10l${s * 10} ${FLOOR - y + 4}h${-8}l${-s * 6}-12l${-s * 12} 12h-8z`,
        steel,
      );
    return leg(left, -1) + leg(right, 1);
  }
  if (foot === 'blades') {
    const blade = (x: number) =>
      path(`M${x - 4} ${y - 4}h8l16 ${FLOOR - y}q2 6-5 6h-30q-7 0-5-6z`, steel) +
      path(`M${x} ${y + 8}l9 ${FLOOR - y - 12}h-18z`, '#e9e4da', 'opacity=".8"');
    return blade(left) + blade(right);
  }
  const neck = foot === 'plate' ? 58 : 34;
  const base = foot === 'plate' ? 116 : 76;
  return (
    path(
      `M${200 - neck / 2} ${y - 6}h${neck}l6 ${FLOOR - y}h${-neck - 12}z`,
      c.linear(0, [0, shaded(hex, 0.3)], [0.35, lit(hex, 0.35)], [1, shaded(hex, 0.4)]),
    ) +
    path(
      `M${200 - base} ${FLOOR + 2}q0-10 16-11h${base * 2 - 32}q16 1 16 11q0 4-8 4h${16 - base * 2}q-8 0-8-4z`,
      steel,
    )
  );
}

function panel(c: Canvas, { w, h, bezel, mark, hue }: Panel, hex: string): string {
  const screen = [bezel, bezel, w - 2 * bezel, h - 2 * bezel - 5] as const;
  const glass = roundedPath(...screen, 1);
  const tiles = repeated(5, (at) =>
    rect(
      w * 0.07 + at * w * 0.178,
      h * 0.7,
      w * 0.155,
      h * 0.15,
      3,
      lit(hue, 0.1 + at * 0.17),
      'opacity=".94"',
    ),
  );
  return [
    rect(0, 0, w, h, 3.5, plastic(c, hex)),
    wallpaper(c, glass, [...screen], hue),
    tiles,
    rect(w * 0.07, h * 0.1, w * 0.2, h * 0.045, 2, '#fff', 'opacity=".9"') +
      rect(w * 0.07, h * 0.175, w * 0.3, h * 0.022, 1.5, '#fff', 'opacity=".6"'),
    sheen(c, glass, 0.2),
    letters(mark, w / 2, h - bezel * 0.5 - 5.4, 4.4, '#cfd3d9'),
  ].join('');
}

const deskKeys = (hex: string): string =>
  path('M92 330h216l12 24H80z', lit(hex, 0.1)) +
  repeated(3, (row) =>
    repeated(16, (at) =>
      rect(100 - row * 4 + at * (12.6 + row * 0.5), 333 + row * 6.6, 10.6, 4.8, 1, lit(hex, 0.42)),
    ),
  );

function flat(set: Panel): Drawn {
  const { w, h, deep, keyboard } = set;
  const y = FLOOR - LEG - h;
  const front: Draw = (c, hex) =>
    standing(
      group(
        keyboard ? 'translate(0 -26)' : '',
        foot(c, set, hex, y + h),
        group(`translate(${200 - w / 2} ${y})`, panel(c, set, hex)),
      ) + (keyboard ? deskKeys(hex) : ''),
      { x: 200, y: keyboard ? 352 : FLOOR + 2, r: keyboard ? 112 : w * 0.38 },
    );
  /** From the back right: the thin edge, the bulge with its vents and sockets. */
  const side: Draw = (c, hex) => {
    const x = 200 - w * 0.43;
    const back = shaded(hex, 0.08);
    return standing(
      [
        foot(c, set, hex, y + h + 6),
        group(
          `matrix(.86 -.045 0 1 ${x} ${y + 12})`,
          rect(
            0,
            0,
            w,
            h,
            4,
            c.linear(30, [0, lit(back, 0.22)], [0.6, back], [1, shaded(back, 0.4)]),
          ),
          rect(
            w * 0.13,
            h * 0.33,
            w * 0.74,
            h * 0.6,
            9,
            c.linear(40, [0, lit(back, 0.3)], [0.2, lit(back, 0.08)], [1, shaded(back, 0.45)]),
            `stroke="${shaded(back, 0.5)}"`,
          ),
          repeated(26, (at) =>
            rect(w * 0.2 + at * w * 0.023, h * 0.4, 3, 20, 1.4, '#0c0d11', 'opacity=".6"'),
          ),
          repeated(4, (at) =>
            disc(w * (0.42 + (at % 2) * 0.16), h * (at < 2 ? 0.58 : 0.8), 3.4, '#0b0c10'),
          ),
          repeated(3, (at) => rect(w * 0.77, h * (0.55 + at * 0.1), 15, 6, 1, '#0a0b0e')),
          letters(set.mark, w / 2, h * 0.14, 11, lit(back, 0.4)),
        ),
        path(
          `M${x + w * 0.86} ${y + 12 - w * 0.045}l${deep * 0.28} 5v${h - 6}l${-deep * 0.28} 1z`,
          shaded(hex, 0.5),
        ),
      ].join(''),
      { x: 200, y: FLOOR + 2, r: w * 0.36 },
    );
  };
  return {
    front,
    side,
    detail: closeUp(front, keyboard ? [200, 306] : [200 + w * 0.3, y + h - 18], 2.3),
    box: boxed(front, { w: 286, h: 190, d: 46, colour: '#c8a070', words: set.words }),
  };
}

interface Tube {
  readonly portable: boolean;
}

/** A set with a picture tube: its curved glass, loudspeaker and knobs. */
function tubeFace(c: Canvas, { portable }: Tube, hex: string): string {
  const [w, h] = portable ? [236, 176] : [262, 214];
  const glass = portable
    ? 'M22 24q66-8 132 0q8 64 0 128q-66 8-132 0q-8-64 0-128z'
    : 'M24 24q107-10 214 0q9 74 0 148q-107 10-214 0q-9-74 0-148z';
  const tube = c.radial(0.4, 0.35, 0.8, [0, '#66737b'], [0.45, '#2f3940'], [1, '#12171b']);
  const dial = (x: number, y: number, r: number) =>
    disc(x, y, r, metal(c, '#cfd2d6', 45)) +
    disc(x, y, r * 0.68, '#3a3d44') +
    around(10, x, y, rect(x - 0.5, y - r * 0.95, 1, r * 0.2, 0, '#666')) +
    stroke(`M${x} ${y}l${r * 0.4}-${r * 0.4}`, '#fff', 1.6);
  return [
    rect(
      0,
      0,
      w,
      h,
      portable ? 24 : 12,
      portable
        ? plastic(c, hex)
        : c.linear(70, [0, lit(hex, 0.22)], [0.5, hex], [1, shaded(hex, 0.4)]),
    ),
    rect(
      7,
      7,
      w - 14,
      h - 14,
      portable ? 18 : 7,
      'none',
      `stroke="${shaded(hex, 0.4)}" stroke-width="2" opacity=".6"`,
    ),
    path(glass, tube, 'stroke="#0b0d10" stroke-width="5"'),
    path(
      glass,
      c.linear(50, [0, '#fff', 0.4], [0.3, '#fff', 0.08], [0.32, '#fff', 0], [1, '#fff', 0]),
    ),
    portable
      ? dial(195, 46, 19) +
        dial(195, 92, 15) +
        repeated(7, (at) => rect(176, 118 + at * 5.6, 40, 2.6, 1.3, '#14161b', 'opacity=".7"'))
      : repeated(26, (at) => rect(18 + at * 3.3, 186, 1.8, 15, 0.9, '#0e0f13', 'opacity=".8"')) +
        repeated(4, (at) => rect(166 + at * 15, 189, 11, 6, 2, '#14161b')) +
        disc(240, 192, 5, '#b3262a') +
        letters('LG', 132, 189, 9, '#d6d9dd'),
  ].join('');
}

function tube(kind: Tube): Drawn {
  const [w, h] = kind.portable ? [236, 176] : [262, 214];
  const [x, y] = [200 - w / 2, 322 - h];
  const rods =
    stroke(`M200 ${y + 6}L136 52M204 ${y + 6}L282 64`, '#a9adb4', 3) +
    disc(136, 52, 4, '#d7dade') +
    disc(282, 64, 4, '#d7dade');
  const grip = stroke(`M${x + 44} ${y + 4}q4-26 30-26h76q26 0 30 26`, '#33363d', 7);
  const front: Draw = (c, hex) =>
    standing(
      (kind.portable ? rods + grip : rods) +
        group(`translate(${x} ${y})`, tubeFace(c, kind, hex)) +
        rect(x + 22, 320, 26, 8, 3, '#22242a') +
        rect(x + w - 48, 320, 26, 8, 3, '#22242a'),
      { x: 200, y: 328, r: w / 2 },
    );
  const side: Draw = (c, hex) => {
    const bulge = `M214 ${y + 12}l74 26q20 8 20 28v${h - 104}q0 14-18 20l-76 24z`;
    return standing(
      [
        kind.portable ? rods : '',
        path(
          bulge,
          c.linear(0, [0, shaded(hex, 0.5)], [0.3, shaded(hex, 0.15)], [1, shaded(hex, 0.55)]),
        ),
        repeated(9, (at) =>
          stroke(
            `M${262 + (at % 3) * 12} ${y + 70 + Math.floor(at / 3) * 26}v15`,
            '#0b0c10',
            3,
            'opacity=".55"',
          ),
        ),
        group(`matrix(.62 .04 0 1 ${216 - w * 0.62} ${y - 4})`, tubeFace(c, kind, hex)),
        rect(214, y + 6, 7, h - 4, 3, shaded(hex, 0.42)),
      ].join(''),
      { x: 200, y: 326, r: w * 0.46 },
    );
  };
  return {
    front,
    side,
    detail: closeUp(front, kind.portable ? [x + 190, y + 80] : [x + 180, y + 176], 2.3),
  };
}

export const televisions: Models = {
  ...models<Panel>(PANELS, flat),
  ...models<Tube>({ retro: { portable: true }, crt: { portable: false } }, tube),
};
