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
  type Scene,
  standing,
} from '../studio/scene.js';
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

interface Fan {
  readonly stand: 'floor' | 'table' | 'industrial' | 'solar';
  readonly blades: number;
  readonly words: string;
}

const FANS = {
  ox: { stand: 'floor', blades: 5, words: 'OX RECHARGEABLE' },
  binatone: { stand: 'table', blades: 3, words: 'BINATONE' },
  qasa: { stand: 'solar', blades: 5, words: 'QASA SOLAR' },
  orl: { stand: 'industrial', blades: 3, words: 'ORL' },
} as const satisfies Record<string, Fan>;

/** Centre and radius of the cage, by kind of stand. */
const CAGES = {
  floor: [200, 122, 92],
  table: [200, 150, 108],
  industrial: [200, 126, 104],
  solar: [200, 128, 90],
} as const;

function cage(c: Canvas, { stand, blades }: Fan, hex: string): string {
  const [cx, cy, r] = CAGES[stand];
  const wire = stand === 'industrial' ? '#9ca1a8' : shaded(hex, 0.42);
  const blade = path(
    `M${cx} ${cy - r * 0.1}q${r * 0.1}-${r * 0.62} ${r * 0.5}-${r * 0.72}q${r * 0.34} ${r * 0.3}-${r * 0.34} ${r * 0.68}z`,
    stand === 'industrial'
      ? metal(c, '#c4c8ce', 40)
      : c.linear(60, [0, lit(hex, 0.6), 0.95], [1, hex, 0.95]),
  );
  return [
    disc(
      cx,
      cy,
      r,
      c.radial(0.4, 0.35, 0.75, [0, '#fff', 0.45], [0.7, '#8e99a6', 0.16], [1, '#20262e', 0.3]),
    ),
    around(blades, cx, cy, blade),
    around(
      stand === 'industrial' ? 30 : 46,
      cx,
      cy,
      stroke(
        `M${cx} ${cy - r * 0.2}q${r * 0.05}-${r * 0.4} 0-${r * 0.78}`,
        wire,
        stand === 'industrial' ? 1.4 : 0.95,
      ),
    ),
    disc(cx, cy, r * 0.62, 'none', `stroke="${wire}" stroke-width="1.4"`),
    disc(
      cx,
      cy,
      r,
      'none',
      `stroke="${shaded(wire, 0.1)}" stroke-width="${stand === 'industrial' ? 5 : 4}"`,
    ),
    disc(cx, cy, r - 1, 'none', 'stroke="#fff" stroke-opacity=".45" stroke-width="1.2"'),
    disc(cx, cy, r * 0.21, plastic(c, stand === 'industrial' ? '#3a3e45' : hex)),
    disc(cx - r * 0.06, cy - r * 0.07, r * 0.09, '#fff', 'opacity=".35"'),
  ].join('');
}

function standOf(c: Canvas, { stand }: Fan, hex: string): string {
  const pole = metal(c, '#cfd3d8');
  const panel =
    rect(158, 258, 84, 44, 9, plastic(c, hex)) +
    rect(168, 265, 34, 12, 2, '#17241c') +
    letters('25 C', 185, 268, 6.5, '#7df0a4') +
    repeated(4, (at) => disc(173 + at * 18, 290, 4.6, '#f4f5f6')) +
    disc(226, 271, 5, '#ffe9a8');
  if (stand === 'table')
    return (
      path('M182 236h36l6 66h-48z', plastic(c, hex)) +
      path('M120 326q0-26 34-28h92q34 2 34 28q0 6-8 6H128q-8 0-8-6z', plastic(c, hex)) +
      repeated(4, (at) => rect(160 + at * 21, 308, 15, 9, 4, '#f3f4f5'))
    );
  if (stand === 'industrial')
    return (
      rect(194, 224, 12, 92, 2, pole) +
      rect(188, 236, 24, 36, 4, '#2c2f36') +
      disc(200, 254, 7, '#d0342c') +
      path('M200 300l-86 28h14l72-20 72 20h14z', metal(c, '#7d828a', 90)) +
      oval(200, 326, 92, 10, 'none', 'stroke="#5d6168" stroke-width="6"')
    );
  if (stand === 'solar')
    return (
      rect(194, 212, 12, 56, 2, pole) +
      panel +
      rect(193, 300, 14, 18, 2, pole) +
      oval(200, 322, 74, 13, round(c, hex)) +
      group(
        'matrix(.9 .1 -.18 .8 286 206)',
        rect(0, 0, 86, 122, 4, metal(c, '#b9bec6', 45)) +
          rect(5, 5, 76, 112, 1, c.linear(50, [0, '#3a5ea8'], [0.5, '#1b2f66'], [1, '#142250'])) +
          repeated(3, (at) => stroke(`M${24 + at * 19} 6v110`, '#9db4e6', 1)) +
          repeated(5, (at) => stroke(`M6 ${24 + at * 18.5}h74`, '#9db4e6', 1)),
      ) +
      stroke('M306 314q-30 24-70 4', '#23262c', 2.4)
    );
  return (
    rect(195, 212, 10, 50, 2, pole) +
    panel +
    rect(196, 300, 8, 18, 1, pole) +
    oval(200, 324, 82, 14, round(c, hex)) +
    oval(200, 320, 70, 10, lit(hex, 0.25), 'opacity=".7"')
  );
}

function fan(item: Fan): Drawn {
  const [cx, cy, r] = CAGES[item.stand];
  const front: Draw = (c, hex) =>
    standing(
      standOf(c, item, hex) + cage(c, item, hex),
      { x: 200, y: 330, r: 84 },
      ...(item.stand === 'solar' ? [{ x: 312, y: 324, r: 40 }] : []),
    );
  /** From the side: the cage is a lens, and the motor stands behind it. */
  const side: Draw = (c, hex) =>
    standing(
      [
        standOf(c, { ...item, stand: item.stand === 'solar' ? 'floor' : item.stand }, hex),
        path(
          `M${cx + 4} ${cy - 26}h34q34 4 34 26q0 24-34 26h-34z`,
          plastic(c, item.stand === 'industrial' ? '#3a3e45' : hex),
        ),
        repeated(5, (at) => rect(cx + 44 + at * 5, cy - 16, 2, 32, 1, '#15171c', 'opacity=".45"')),
        group(`translate(${cx - 14} 0) scale(.34 1) translate(${-cx} 0)`, cage(c, item, hex)),
        oval(
          cx - 14 + r * 0.05,
          cy,
          r * 0.36,
          r,
          'none',
          `stroke="${shaded(hex, 0.5)}" stroke-width="3"`,
        ),
      ].join(''),
      { x: 200, y: 330, r: 84 },
    );
  return {
    front,
    side,
    detail: closeUp(
      front,
      item.stand === 'floor' || item.stand === 'solar' ? [200, 262] : [cx, cy],
      2.3,
    ),
    box: boxed(front, { w: 190, h: 232, d: 110, colour: '#c9a273', words: item.words }),
  };
}

interface Fridge {
  readonly w: number;
  readonly h: number;
  readonly d: number;
  /** Position of the gap between the doors, as a fraction of the height; absent for a single door. */
  readonly gap?: number;
  readonly water?: boolean;
  readonly mark: string;
}

const FRIDGES = {
  thermocool: { w: 142, h: 268, d: 118, gap: 0.3, mark: 'HAIER' },
  hisense: { w: 138, h: 186, d: 122, mark: 'HISENSE' },
  lg: { w: 158, h: 286, d: 124, gap: 0.36, water: true, mark: 'LG' },
} as const satisfies Record<string, Fridge>;

/** The doors, drawn straight from the front; their upper left corner is at 0, 0. */
function doors(c: Canvas, { w, h, gap, water, mark }: Fridge, hex: string): string {
  const steel = c.linear(
    12,
    [0, lit(hex, 0.35)],
    [0.3, hex],
    [0.45, lit(hex, 0.5)],
    [0.7, hex],
    [1, shaded(hex, 0.22)],
  );
  const split = gap === undefined ? 0 : h * gap;
  const grip = (y: number, long: number) =>
    rect(8, y, 6, long, 3, metal(c, '#a6acb4')) +
    rect(14, y + 2, 2, long - 4, 1, '#000', 'opacity=".22"');
  return [
    rect(0, 0, w, h, 5, shaded(hex, 0.3)),
    gap === undefined
      ? rect(0, 0, w, h, 5, steel) +
        grip(h * 0.3, h * 0.3) +
        rect(w * 0.3, 5, w * 0.4, 5, 2, shaded(hex, 0.3))
      : rect(0, 0, w, split - 2, 5, steel) +
        rect(0, split + 2, w, h - split - 2, 5, steel) +
        grip(split - 54, 44) +
        grip(split + 12, 76),
    letters(mark, w * 0.5, gap === undefined ? h * 0.13 : split * 0.22, 9, '#6a7078', {
      most: w * 0.4,
    }),
    water
      ? rect(w * 0.4, split + 34, w * 0.34, 62, 5, '#30353d') +
        rect(w * 0.44, split + 40, w * 0.26, 12, 2, '#0b1c2b') +
        letters('4C', w * 0.57, split + 43, 6, '#7fd0ff') +
        rect(w * 0.47, split + 66, w * 0.2, 6, 2, '#5b626c')
      : '',
  ].join('');
}

/** The fridge with its larger door open, and what is in it. */
function openFridge(c: Canvas, { w, h, gap = 0 }: Fridge, hex: string): Scene {
  const y = 322 - h;
  const x = 200 - w * 0.72;
  const shelf = (at: number) => rect(x + 8, y + h * at, w - 16, 4, 1, '#cfe7f2', 'opacity=".9"');
  const bottle = (bx: number, at: number, tall: number, tone: string) =>
    path(`M${bx} ${y + h * at}v${-tall}q0-8 5-10v-8h6v8q5 2 5 10v${tall}z`, round(c, tone));
  return standing(
    [
      rect(x + 8, 318, 16, 10, 2, '#25282e') + rect(x + w - 24, 318, 16, 10, 2, '#25282e'),
      rect(x, y, w, h, 6, plastic(c, hex)),
      rect(x + 6, y + 7, w - 12, h - 16, 4, c.linear(90, [0, '#fbfeff'], [1, '#d5e2ea'])),
      rect(x + 6, y + h * (gap || 0.22), w - 12, 7, 0, '#b9c7d1'),
      each([0.55, 0.7, 0.84], shelf),
      bottle(x + 18, 0.55, 24, '#2f8f4d') +
        bottle(x + 40, 0.55, 24, '#c2382f') +
        bottle(x + 62, 0.55, 20, '#e0902d') +
        bottle(x + 86, 0.55, 26, '#d9e6ee'),
      repeated(4, (at) =>
        disc(
          x + 26 + at * 24,
          y + h * 0.7 - 10,
          10,
          c.radial(0.35, 0.3, 0.8, [0, '#ffb08a'], [0.5, '#e0492d'], [1, '#8d1f14']),
        ),
      ),
      rect(x + 14, y + h * 0.84 - 26, 46, 26, 3, '#f3d27a') +
        rect(x + 68, y + h * 0.84 - 20, 52, 20, 3, '#7fb4d8'),
      rect(x + 12, y + h * 0.86, w - 24, h * 0.09, 4, '#bfe0ea', 'opacity=".85"'),
      rect(x + w * 0.36, y + 12, w * 0.28, 5, 2, '#fff8d8'),
      group(
        `matrix(.52 .1 0 1 ${x + w} ${y + h * gap})`,
        rect(0, 0, w, h * (1 - gap), 6, c.linear(0, [0, '#eef4f7'], [1, '#c4d0d8'])) +
          each([0.2, 0.48, 0.76], (at) =>
            rect(14, h * (1 - gap) * at, w - 28, 24, 3, '#d6e8ef', 'stroke="#a9bcc6"'),
          ),
      ),
      gap === 0
        ? ''
        : group(
            `matrix(1 0 0 1 ${x} ${y})`,
            rect(
              0,
              0,
              w,
              h * gap - 2,
              5,
              c.linear(12, [0, lit(hex, 0.35)], [0.45, lit(hex, 0.5)], [1, shaded(hex, 0.22)]),
            ),
          ),
    ].join(''),
    { x: 214, y: 326, r: w * 0.78 },
  );
}

function fridge(item: Fridge): Drawn {
  const { w, h, d, gap } = item;
  const y = 322 - h;
  const front: Draw = (c, hex) => {
    const x = 200 - w * 0.42 - d * 0.25;
    const top = y - 12;
    return standing(
      corner(
        { x, y: top, w, h, d },
        {
          front: doors(c, item, hex),
          right:
            rect(0, 0, d, h, 0, c.linear(0, [0, shaded(hex, 0.16)], [1, shaded(hex, 0.36)])) +
            stroke(`M7 0v${h}`, shaded(hex, 0.45), 1.6),
          top: lit(hex, 0.4),
        },
      ),
      { x: 202, y: 316, r: w * 0.66 },
    );
  };
  return {
    front,
    side: (c, hex) => openFridge(c, item, hex),
    detail: closeUp(
      (c, hex) => group(`translate(${200 - w / 2} ${y})`, doors(c, item, hex)),
      [200, y + h * (gap ?? 0.3) + (item.water ? 40 : 0)],
      2,
    ),
    box: boxed(front, { w: 176, h: 250, d: 130, colour: '#c9a273', words: item.mark }),
  };
}

/** A pleated fan of paper and bamboo for occasions. */
function pleats(c: Canvas, hex: string): string {
  const leaf = (at: number) => {
    const turn = -66 + at * 7.4;
    return group(
      `rotate(${turn} 200 306)`,
      path(
        'M193 172L187 72q13-6 26 0L207 172z',
        at % 2 === 0
          ? c.linear(0, [0, lit(hex, 0.28)], [1, hex])
          : c.linear(0, [0, hex], [1, shaded(hex, 0.25)]),
      ) +
        disc(200, 104, 5.5, '#f6e3b0', 'opacity=".9"') +
        disc(200, 128, 3, '#f6e3b0', 'opacity=".8"'),
    );
  };
  const rib = (at: number) =>
    group(
      `rotate(${-66 + at * 7.4} 200 306)`,
      path('M197 306L194 168h12l-3 138z', c.linear(0, [0, '#e6c68e'], [1, '#a8763c'])),
    );
  return (
    repeated(19, rib) +
    repeated(19, leaf) +
    disc(200, 304, 9, metal(c, '#cfa14a', 45)) +
    stroke('M200 312q-8 24 4 44', '#b4552d', 3) +
    path('M196 352h16l5 34q-13 6-26 0z', c.linear(0, [0, lit(hex, 0.3)], [1, shaded(hex, 0.2)]))
  );
}

export const fans: Models = models<Fan>(FANS, fan);
export const fridges: Models = models<Fridge>(FRIDGES, fridge);
export const handFans: Models = {
  paper: {
    front: (c, hex) => lying(group('translate(0 -12)', pleats(c, hex))),
    side: (c, hex) =>
      lying(
        group(
          'rotate(-24 200 200) translate(0 10)',
          group('translate(184 0) scale(.13 1) translate(-200 0)', pleats(c, hex)),
          group('translate(220 0) scale(.13 1) translate(-200 0)', pleats(c, shaded(hex, 0.15))),
          rect(166, 58, 70, 16, 4, shaded(hex, 0.35)),
        ),
      ),
    detail: closeUp(pleats, [226, 130], 2.2),
  },
};
