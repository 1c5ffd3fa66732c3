import type { Canvas } from '../studio/canvas.js';
import { lit, mix, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { cloth, round, wood } from '../studio/materials.js';
import {
  type Art,
  closeUp,
  type Drawn,
  lying,
  type Models,
  models,
  type Scene,
  standing,
} from '../studio/scene.js';
import { around, disc, each, group, oval, path, rect, repeated, stroke } from '../studio/shapes.js';

/** Resist dye: pale signs on a deep ground, a different one in each field. */
export function adire(c: Canvas, hex: string): string {
  const pale = mix(hex, '#f2f6ff', 0.82);
  const deep = shaded(hex, 0.22);
  const line = `fill="none" stroke="${pale}" stroke-width="1.8"`;
  return c.pattern(
    64,
    64,
    `<rect width="64" height="64" fill="${deep}"/><path d="M0 32h64M32 0v64" ${line} stroke-opacity=".7"/><g ${line}><circle cx="16" cy="16" r="4"/><circle cx="16" cy="16" r="10" stroke-dasharray="2 3"/><path d="M37 6q5 6 0 11t0 11M45 6q5 6 0 11t0 11M53 6q5 6 0 11t0 11M16 36l12 12-12 12L4 48zM16 43l5 5-5 5-5-5z"/><path d="M48 60V42M48 46l-9-6M48 46l9-6M48 54l-9-6M48 54l9-6"/></g>`,
    'rotate(4)',
  );
}

/** Wax print: large bright medallions, with the fine cracks that the wax leaves. */
export function waxPrint(c: Canvas, hex: string): string {
  const second = mix(hex, '#f3b63a', 0.85);
  const dark = shaded(hex, 0.66);
  const petals = around(
    8,
    36,
    36,
    `<path d="M36 33q-8-12 0-25q8 13 0 25z" fill="${second}" stroke="${dark}" stroke-width="1"/>`,
  );
  return c.pattern(
    72,
    72,
    `<rect width="72" height="72" fill="${hex}"/><path d="M0 12L12 0M60 72L72 60M0 60l12 12M60 0l12 12" stroke="#fff6df" stroke-width="3"/><circle cx="36" cy="36" r="31" fill="${dark}"/><circle cx="36" cy="36" r="28" fill="none" stroke="#fff6df" stroke-width="1.6" stroke-dasharray="1 4"/>${petals}<circle cx="36" cy="36" r="7" fill="#fff6df"/><circle cx="36" cy="36" r="3.6" fill="${hex}"/><circle cx="0" cy="0" r="8" fill="${second}"/><circle cx="72" cy="0" r="8" fill="${second}"/><circle cx="0" cy="72" r="8" fill="${second}"/><circle cx="72" cy="72" r="8" fill="${second}"/><path d="M5 40l7 3-2 6M60 25l6-4" stroke="#fff" stroke-opacity=".5" stroke-width=".6" fill="none"/>`,
  );
}

/** Woven strips, with metal thread. */
function asoOke(c: Canvas, hex: string): string {
  const gold = '#e2bd62';
  return c.pattern(
    46,
    30,
    `<rect width="46" height="30" fill="${hex}"/><rect width="4" height="30" fill="${gold}"/><rect x="9" width="2" height="30" fill="${lit(hex, 0.5)}"/><rect x="40" width="2" height="30" fill="${lit(hex, 0.5)}"/><path d="M18 4h14M18 10h14M18 16h14M18 22h14" stroke="${gold}" stroke-width="2.4"/><path d="M0 0h46" stroke="${shaded(hex, 0.5)}" stroke-width="1"/>`,
  );
}

const suiting = (c: Canvas, hex: string): string =>
  c.pattern(
    18,
    6,
    `<rect width="18" height="6" fill="${hex}"/><path d="M0 0l6 6M6 0l6 6M12 0l6 6" stroke="${shaded(hex, 0.3)}" stroke-width="1"/><rect x="0" width="1" height="6" fill="${lit(hex, 0.45)}" opacity=".8"/>`,
  );

interface Print {
  readonly paint: Art;
  readonly tag: string;
  readonly strips?: boolean;
}

const PRINTS = {
  adire: { paint: adire, tag: 'ADIRE' },
  wax: { paint: waxPrint, tag: 'HOLLANDAIS' },
  asooke: { paint: asoOke, tag: 'ASO OKE', strips: true },
  senator: { paint: suiting, tag: 'SENATOR' },
} as const satisfies Record<string, Print>;

/** Folded lengths of the same cloth, one on the other. */
function folded(c: Canvas, { paint, tag }: Print, hex: string): Scene {
  const layer = (at: number) => {
    const y = 262 - at * 42;
    const x = 72 + (at % 2) * 5;
    const shape = `M${x + 8} ${y + 6}h${246}q12 2 12 18t-12 20H${x + 8}q-14-2-14-19t14-19z`;
    return (
      path(shape, paint(c, at % 2 === 0 ? hex : lit(hex, 0.06))) +
      path(shape, c.linear(90, [0, '#fff', 0.28], [0.4, '#fff', 0], [1, '#0a0c18', 0.5])) +
      stroke(`M${x + 4} ${y + 25}h250`, '#0a0c18', 2, 'opacity=".4"') +
      stroke(`M${x + 6} ${y + 36}h246`, '#fff', 1, 'opacity=".25"')
    );
  };
  const top = 'M78 140l40-62h196q10 2 14 8l6 54q-4 8-14 8H86q-10 0-8-8z';
  return standing(
    [
      repeated(4, layer),
      path(top, paint(c, hex)),
      path(top, c.linear(60, [0, '#fff', 0.32], [0.6, '#fff', 0.02], [1, '#0a0c18', 0.2])),
      group(
        'rotate(-4 262 112)',
        rect(226, 94, 72, 34, 2, '#fbf7ea', 'stroke="#cdbf9a"') +
          letters(tag, 262, 102, 8, '#54401f', { most: 60 }) +
          stroke('M238 118h48', '#54401f', 1.4),
      ),
    ].join(''),
    { x: 200, y: 308, r: 136 },
  );
}

/** One length, hung in folds. */
function hung(c: Canvas, { paint, strips }: Print, hex: string): Scene {
  const drape =
    'M70 54h260q6 120 0 262q-30 14-52 2q-26 16-52 2q-26 14-52 0q-28 14-54-2q-26 10-50-2q-8-140 0-262z';
  const valley = (at: number) =>
    path(
      `M${96 + at * 52} 60q10 120-4 262h26q10-140-6-262z`,
      c.linear(0, [0, '#0a0c18', 0], [0.5, '#0a0c18', 0.42], [1, '#0a0c18', 0]),
    );
  const ridge = (at: number) =>
    path(
      `M${74 + at * 52} 60q6 120-2 258h18q8-140-4-258z`,
      c.linear(0, [0, '#fff', 0], [0.5, '#fff', 0.3], [1, '#fff', 0]),
    );
  return lying(
    [
      path(drape, paint(c, hex)),
      c.within(drape, repeated(5, valley) + repeated(5, ridge)),
      strips
        ? repeated(34, (at) => stroke(`M${76 + at * 7.6} 320v14`, lit(hex, 0.3), 2))
        : stroke(
            'M72 310q24 12 50 2q26 16 54 2q26 14 52 0q26 14 52-2q22 12 50-2',
            '#fff',
            2.4,
            'opacity=".55"',
          ),
      rect(56, 44, 288, 14, 7, wood(c, '#a9713c')),
    ].join(''),
  );
}

const print = (item: Print): Drawn => ({
  front: (c, hex) => folded(c, item, hex),
  side: (c, hex) => hung(c, item, hex),
  detail: closeUp((c, hex) => hung(c, item, hex), [180, 170], 2.6),
});

function cone(c: Canvas, x: number, y: number, hex: string, big: number): string {
  const wound = `M${x - 15 * big} ${y - 92 * big}h${30 * big}l${16 * big} ${84 * big}q-${31 * big} ${14 * big}-${62 * big} 0z`;
  return [
    path(
      `M${x - 34 * big} ${y - 6 * big}q${34 * big} ${18 * big} ${68 * big} 0l2 6q-${36 * big} ${18 * big}-${72 * big} 0z`,
      '#f2efe6',
    ),
    rect(x - 7 * big, y - 106 * big, 14 * big, 18 * big, 2, '#efeadd'),
    path(wound, round(c, hex)),
    c.within(
      wound,
      repeated(22, (at) =>
        stroke(
          `M${x - 34 * big} ${y - 90 * big + at * 4.4 * big}q${34 * big} ${(at % 2 ? 9 : -3) * big} ${68 * big} 0`,
          at % 2 ? '#fff' : '#000',
          0.9,
          'opacity=".2"',
        ),
      ),
    ),
  ].join('');
}

function wool(c: Canvas, x: number, y: number, r: number, hex: string): string {
  const strands = (turn: number) =>
    group(
      `rotate(${turn} ${x} ${y})`,
      repeated(7, (at) =>
        stroke(
          `M${x - r * 0.95} ${y - r * 0.5 + at * r * 0.17}q${r * 0.95}-${r * 0.5} ${r * 1.9} 0`,
          at % 2 ? lit(hex, 0.35) : shaded(hex, 0.3),
          r * 0.07,
          'opacity=".8"',
        ),
      ),
    );
  const outline = `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  return (
    disc(
      x,
      y,
      r,
      c.radial(0.35, 0.3, 0.85, [0, lit(hex, 0.4)], [0.5, hex], [1, shaded(hex, 0.5)]),
    ) + c.within(outline, strands(20) + strands(82) + strands(150))
  );
}

const needles = (c: Canvas): string =>
  each([-32, -58], (turn) =>
    group(
      `rotate(${turn} 200 200)`,
      rect(60, 196, 280, 7, 3.5, wood(c, '#c79a5d')) + disc(60, 199, 10, '#8a5a34'),
    ),
  );

/** An upright skein in its two bands. */
const skein = (c: Canvas, x: number, hex: string): string =>
  rect(x, 116, 26, 168, 12, round(c, hex)) +
  repeated(9, (line) =>
    stroke(`M${x + 4} ${128 + line * 18}q9 6 18 0`, '#000', 0.8, 'opacity=".2"'),
  ) +
  rect(x - 1, 160, 28, 16, 1, '#1f2230') +
  rect(x - 1, 226, 28, 16, 1, '#1f2230');

export const prints: Models = models<Print>(PRINTS, print);
export const yarns: Models = {
  cones: {
    front: (c, hex) =>
      standing(
        cone(c, 122, 316, shaded(hex, 0.3), 1.3) +
          cone(c, 278, 316, lit(hex, 0.35), 1.3) +
          cone(c, 200, 330, hex, 1.9),
        { x: 122, y: 318, r: 48 },
        { x: 278, y: 318, r: 48 },
        { x: 200, y: 334, r: 70 },
      ),
    side: (c, hex) =>
      lying(
        around(
          6,
          200,
          200,
          group(
            'translate(200 118)',
            disc(0, 0, 44, cloth(c, hex)) +
              repeated(5, (at) =>
                disc(0, 0, 40 - at * 6, 'none', `stroke="${shaded(hex, 0.35)}" stroke-width="1.2"`),
              ) +
              disc(0, 0, 12, '#f3eee2') +
              disc(0, 0, 6, '#4b443a'),
          ),
        ) +
          disc(200, 200, 34, cloth(c, lit(hex, 0.3))) +
          disc(200, 200, 9, '#f3eee2'),
      ),
    detail: closeUp((c, hex) => cone(c, 200, 330, hex, 1.9), [200, 230], 2.4),
  },
  skeins: {
    front: (c, hex) =>
      lying(
        rect(54, 96, 292, 210, 10, wood(c, '#c49a62')) +
          rect(66, 108, 268, 186, 4, '#f3ead6') +
          each(
            [
              hex,
              lit(hex, 0.4),
              shaded(hex, 0.3),
              mix(hex, '#e7b23c', 0.6),
              mix(hex, '#d0496a', 0.6),
              mix(hex, '#2f8f7a', 0.6),
              lit(hex, 0.65),
              mix(hex, '#5a4fc0', 0.6),
            ],
            (tone, at) => skein(c, 74 + at * 32.4, tone),
          ),
      ),
    side: (c, hex) =>
      lying(
        repeated(3, (at) =>
          group(
            `rotate(${-22 + at * 22} 200 330) translate(0 ${at === 1 ? -14 : 0})`,
            rect(176, 70, 48, 250, 22, round(c, at === 1 ? hex : mix(hex, '#e7b23c', at * 0.25))) +
              repeated(12, (line) =>
                stroke(`M184 ${90 + line * 18}q16 9 32 0`, '#000', 1, 'opacity=".2"'),
              ) +
              rect(174, 130, 52, 26, 1, '#1f2230') +
              letters('DMC', 200, 137, 11, '#e9d9a8') +
              rect(174, 238, 52, 26, 1, '#1f2230'),
          ),
        ),
      ),
    detail: closeUp(
      (c, hex) =>
        rect(100, 60, 48, 280, 22, round(c, lit(hex, 0.3))) +
        rect(156, 60, 48, 280, 22, round(c, hex)) +
        rect(212, 60, 48, 280, 22, round(c, shaded(hex, 0.3))) +
        repeated(45, (at) =>
          stroke(
            `M${108 + (at % 3) * 56} ${80 + Math.floor(at / 3) * 17}q16 8 32 0`,
            '#000',
            1,
            'opacity=".2"',
          ),
        ),
      [180, 200],
      1.7,
    ),
  },
  wool: {
    front: (c, hex) =>
      standing(
        wool(c, 268, 226, 70, lit(hex, 0.3)) +
          wool(c, 140, 232, 74, shaded(hex, 0.18)) +
          needles(c) +
          wool(c, 204, 250, 82, hex),
        { x: 204, y: 328, r: 120 },
      ),
    side: (c, hex) =>
      lying(
        wool(c, 200, 200, 128, hex) +
          stroke('M310 268q60 30 40 66q-30 30-120 16q-80-10-130 24', hex, 8) +
          stroke('M310 266q58 30 38 64', lit(hex, 0.5), 2),
      ),
    detail: closeUp((c, hex) => wool(c, 200, 200, 128, hex), [180, 170], 2.2),
  },
  crochet: {
    front: (c, hex) =>
      standing(
        cone(c, 142, 326, hex, 1.7) +
          wool(c, 262, 268, 58, lit(hex, 0.4)) +
          group(
            'rotate(-20 250 250)',
            rect(196, 244, 150, 6, 3, '#c9ced6') + rect(196, 240, 60, 14, 7, '#c45a86'),
          ),
        { x: 142, y: 330, r: 62 },
        { x: 262, y: 326, r: 50 },
      ),
    side: (_, hex) =>
      lying(
        repeated(6, (ring) =>
          around(
            8 + ring * 8,
            200,
            200,
            oval(
              200,
              200 - 16 - ring * 22,
              7,
              12,
              'none',
              `stroke="${ring % 2 ? lit(hex, 0.35) : hex}" stroke-width="5"`,
            ),
          ),
        ) + disc(200, 200, 10, hex),
      ),
    detail: closeUp((c, hex) => cone(c, 142, 326, hex, 1.7), [142, 240], 2.6),
  },
};
