import type { Canvas } from '../studio/canvas.js';
import { lit, shaded } from '../studio/colours.js';
import { cloth, plastic, seam, sheen, weave } from '../studio/materials.js';
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
import { group, oval, path, rect, repeated, stroke } from '../studio/shapes.js';

/** A shoe seen from its outer side, toe to the right, on a floor at 300; and its sole from below. */
interface Shoe {
  readonly draw: Art;
  readonly sole: 'grooved' | 'smooth' | 'heel';
  readonly focus: readonly [number, number];
  readonly words: string;
  /** A pair seen from above, shown instead of the sole. */
  readonly above?: Art;
}

const laces = (
  from: readonly [number, number],
  to: readonly [number, number],
  colour: string,
  count = 5,
): string =>
  repeated(count, (at) => {
    const t = at / (count - 1);
    const [x, y] = [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
    return (
      stroke(`M${x} ${y}q-9 3-16 14`, '#000', 5.6, 'opacity=".18"') +
      stroke(`M${x} ${y - 1}q-9 3-16 14`, colour, 4.6)
    );
  });

const RUNNER =
  'M62 262q-8-44 4-92q4-14 18-12q14 3 26-3q12 6 14 24q2 12 12 10q20-4 38-24q10-8 20-2q28 34 70 52q50 10 66 28q10 12 8 30z';

function runner(c: Canvas, hex: string): string {
  return [
    path(
      'M56 258q-6 22 4 40q6 8 24 8h226q30 0 40-18q6-14-2-30z',
      c.linear(90, [0, '#ffffff'], [0.6, '#e9e7e2'], [1, '#b9b5ad']),
    ),
    path('M60 286q130 18 288-6q-2 16-14 22q-8 4-26 4H84q-18 0-24-20z', shaded(hex, 0.35)),
    repeated(15, (at) => rect(70 + at * 18, 299, 11, 7, 2, '#1d1f24')),
    path(RUNNER, cloth(c, hex)),
    weave(c, RUNNER, 'cotton'),
    path(
      'M256 224q46 10 64 26q10 8 10 14q-40 6-78-4q-10-22 4-36z',
      shaded(hex, 0.22),
      'opacity=".75"',
    ),
    path('M62 262q-6-30-2-62q30 6 38 62z', shaded(hex, 0.28), 'opacity=".8"'),
    path('M112 262q0-44 26-66q20-4 34-18l24 28q-30 22-34 56z', lit(hex, 0.28), 'opacity=".9"'),
    stroke('M128 256q22-42 70-46M150 258q16-30 60-34', '#fff', 6, 'opacity=".92"'),
    seam('M118 256q4-40 26-56M252 258q-4-22 6-32', lit(hex, 0.5)),
    path('M70 164q12-12 40-8q12 6 14 22q-30-6-54-14z', shaded(hex, 0.6)),
    path('M172 170q14-16 26-14q30 34 62 50l-14 10q-48-18-74-46z', lit(hex, 0.14)),
    laces([196, 166], [248, 206], '#f8f6f0'),
    stroke('M66 166q-10-18 4-22', lit(hex, 0.3), 7),
    sheen(c, RUNNER, 0.2),
  ].join('');
}

const COURT =
  'M64 268q-6-54 2-104q4-12 20-8q18 4 34-4q10 6 12 22q3 12 14 8q20-8 36-24q8-6 16 0q24 38 72 58q44 6 62 22q10 10 10 30z';

function court(c: Canvas, hex: string): string {
  const upper = '#f4f2ed';
  return [
    path(
      'M60 262h284q6 20-2 34q-4 8-18 8H80q-14 0-18-10q-6-16-2-32z',
      c.linear(90, [0, '#fbfaf7'], [1, '#cfcbc2']),
    ),
    stroke('M62 284h280', hex, 3),
    repeated(34, (at) => rect(66 + at * 8, 291, 3.4, 12, 1, '#a7a299', 'opacity=".55"')),
    path(COURT, c.radial(0.35, 0.2, 0.95, [0, '#ffffff'], [0.6, upper], [1, '#c9c4ba'])),
    weave(c, COURT, 'hide'),
    path('M64 268q-5-44 1-84q34 2 40 34q4 26 0 50z', cloth(c, hex)),
    path('M120 266q20-62 60-84l28 26q-46 18-58 58z', cloth(c, hex), 'opacity=".95"'),
    path('M262 222q44 2 62 20q8 8 10 26h-76q-10-28 4-46z', '#e6e2d9'),
    repeated(12, (at) =>
      oval(284 + (at % 4) * 10, 236 + Math.floor(at / 4) * 8, 1.4, 1.4, '#8d887e'),
    ),
    seam('M124 264q18-58 56-78M258 266q-8-28 6-42M106 264q2-30-4-52', '#9d978c'),
    path('M72 160q14-8 48-10q8 6 10 20q-34-2-58-10z', shaded(hex, 0.5)),
    path('M176 160q8-8 16-4q26 38 62 52l-12 12q-46-20-66-60z', '#e9e6df'),
    laces([190, 164], [244, 206], '#ffffff', 6),
    sheen(c, COURT, 0.25),
  ].join('');
}

const OXFORD = 'M66 262q-4-56 2-88q40-12 84-4q18 26 62 34q64 4 98 24q26 12 28 34z';

function oxford(c: Canvas, hex: string, school: boolean): string {
  const shine = c.linear(65, [0, lit(hex, 0.45)], [0.35, hex], [1, shaded(hex, 0.5)]);
  return [
    path(
      'M62 262h282q2 12-6 16H142q-6 20-12 22H66q-6-18-4-38z',
      school ? '#191a1e' : shaded(hex, 0.65),
    ),
    rect(62, 260, 282, 6, 3, school ? '#2a2b30' : '#b98a55'),
    path(OXFORD, shine),
    path(
      'M236 208q56 4 84 24q18 12 20 30h-96q-24-28-8-54z',
      c.linear(60, [0, lit(hex, 0.35)], [0.5, hex], [1, shaded(hex, 0.45)]),
    ),
    path('M66 262q-4-44 0-76q34 16 38 76z', shaded(hex, 0.25), 'opacity=".7"'),
    path('M70 172q40-14 80-6q4 8 0 14q-44-6-80 4z', shaded(hex, 0.7)),
    path(
      'M150 172q18 30 66 38l-18 34q-48-10-66-54z',
      lit(hex, 0.1),
      `stroke="${shaded(hex, 0.5)}" stroke-width="1.4"`,
    ),
    repeated(5, (at) =>
      stroke(
        `M${156 + at * 12} ${184 + at * 6.4}l-14 10`,
        school ? '#0f1013' : shaded(hex, 0.6),
        3.4,
      ),
    ),
    seam('M238 210q-16 28 6 50M106 260q-4-44-36-70', lit(hex, 0.35)),
    school
      ? ''
      : repeated(9, (at) =>
          oval(
            252 + at * 8.4,
            222 + at * 3.4 + (at > 5 ? at - 5 : 0) * 2,
            1.7,
            1.7,
            shaded(hex, 0.7),
          ),
        ),
    path('M252 218q44 4 70 26q-40-10-70-8z', '#fff', 'opacity=".3"'),
    path('M84 190q30-8 56-4q-34 8-52 30z', '#fff', 'opacity=".16"'),
  ].join('');
}

function heels(c: Canvas, hex: string): string {
  const gloss = c.linear(60, [0, lit(hex, 0.55)], [0.4, hex], [1, shaded(hex, 0.45)]);
  return [
    path(
      'M72 196q2 50 14 108h13q-2-56 16-96z',
      c.linear(0, [0, lit(hex, 0.3)], [0.5, hex], [1, shaded(hex, 0.5)]),
    ),
    rect(84, 300, 17, 6, 2, '#22191a'),
    path(
      'M100 206q60 0 116 60q30 34 68 38h60q6 0 6-6q-30 2-56-12q-40-24-84-66q-40-34-110-30z',
      '#dfc39a',
    ),
    path(
      'M66 158q-6 20 4 44q10 10 40 10q46 8 92 56q34 30 76 32h62q12-4 4-16q-22-28-68-36q-30-2-56-26q-44-36-96-40q-26-4-40-26q-10-8-18 2z',
      gloss,
    ),
    path(
      'M80 164q20 30 52 34q44 6 84 40q26 22 50 24q-22 12-56-14q-40-34-90-38q-32-4-40-46z',
      shaded(hex, 0.62),
    ),
    path('M276 254q40 6 58 28q-30-6-58-4z', '#fff', 'opacity=".42"'),
    path('M72 166q4 22 16 34q-14-4-16-34z', '#fff', 'opacity=".45"'),
  ].join('');
}

function slides(c: Canvas, hex: string): string {
  const band = 'M196 216q34-36 74-20q40 22 56 66q-10 16-34 18q-30-34-96-64z';
  return [
    path(
      'M70 212h66q-2 50 4 92H74q-8-44-4-92z',
      c.linear(0, [0, '#c99b66'], [0.4, '#e6c28f'], [1, '#93653a']),
    ),
    path(
      'M66 200q60-4 110 36q50 44 110 44h54q10 6 2 20q-4 6-14 6h-60q-50-2-98-44q-40-36-100-40q-10-14-4-22z',
      c.linear(90, [0, '#e8c796'], [1, '#a9783f']),
    ),
    path(
      'M66 200q60-4 110 36q50 44 110 44h54q-2-8-10-12q-60 0-110-42q-44-38-100-36q-6 2-4 10z',
      '#f2dcb8',
    ),
    path(band, cloth(c, hex)),
    weave(c, band, 'hide'),
    seam('M204 218q32-28 62-14q36 20 50 56', lit(hex, 0.45)),
    rect(
      246,
      214,
      30,
      24,
      4,
      'none',
      'stroke="#d9b35c" stroke-width="4.5" transform="rotate(32 261 226)"',
    ),
    sheen(c, band, 0.25),
  ].join('');
}

/** A slipper from above, its toe upwards, its middle at 0, 0. */
const footbed = (c: Canvas, fill: string): string =>
  path(
    'M0-118q44 0 46 56q2 34-8 66q-6 30 2 60q4 52-40 52t-42-52q8-30 0-60q-10-34-6-66q4-56 48-56z',
    fill,
    `stroke="${c.linear(0, [0, '#00000055'], [1, '#000000'])}" stroke-opacity=".25" stroke-width="2"`,
  );

function palmAbove(c: Canvas, hex: string): string {
  const one =
    footbed(c, c.linear(60, [0, '#d9a566'], [1, '#9c6a34'])) +
    path(
      'M-46-40q14-50 46-58q32 8 46 58q4 22 2 30q-22-20-48-22q-26 2-48 22q-2-8 2-30z',
      cloth(c, hex),
    ) +
    seam('M-42-28q18-18 42-20q24 2 42 20M-36-48q12-34 36-42q24 8 36 42', lit(hex, 0.5)) +
    repeated(5, (at) => stroke(`M${-20 + at * 10} -66l4 20`, lit(hex, 0.3), 3)) +
    seam('M-30 30q-6 30 0 60q8 34 30 34t32-34q4-30-2-60', '#6b431d');
  return (
    group('translate(140 208) rotate(-8)', one) +
    group('translate(260 204) rotate(8) scale(-1 1)', one)
  );
}

function bathAbove(c: Canvas, hex: string): string {
  const dots = c.pattern(
    9,
    9,
    '<circle cx="4.5" cy="4.5" r="1.6" fill="#000" fill-opacity=".14"/>',
  );
  const strap = 'M0-66q-4 24-40 62l-8-14q30-24 42-52q6-6 12 0q12 28 42 52l-8 14q-36-38-40-62z';
  const one =
    footbed(c, plastic(c, lit(hex, 0.55))) +
    footbed(c, dots) +
    path(strap, plastic(c, hex)) +
    stroke('M-4-60q-8 20-34 44M4-60q8 20 34 44', lit(hex, 0.5), 2, 'opacity=".8"');
  return (
    group('translate(140 208) rotate(-7)', one) +
    group('translate(260 204) rotate(7) scale(-1 1)', one)
  );
}

/** From the side, low on the floor. */
const low = (c: Canvas, hex: string, bed: string): string =>
  path(
    'M58 274h286q10 8 2 24q-4 8-16 8H72q-18 0-18-18q0-10 4-14z',
    c.linear(90, [0, lit(bed, 0.3)], [1, shaded(bed, 0.4)]),
  ) +
  path('M60 272h284q-2-8-14-8H76q-14 0-16 8z', lit(bed, 0.45)) +
  path('M170 272q34-62 90-58q44 8 62 58z', cloth(c, hex)) +
  seam('M182 270q30-50 78-46q34 6 50 44', lit(hex, 0.5));

const SHOES = {
  runner: { draw: runner, sole: 'grooved', focus: [210, 210], words: 'ABA RUNNER' },
  oxford: {
    draw: (c, hex) => oxford(c, hex, false),
    sole: 'heel',
    focus: [272, 226],
    words: 'OXFORD',
  },
  heels: { draw: heels, sole: 'heel', focus: [130, 206], words: 'COURT HEELS' },
  slides: { draw: slides, sole: 'heel', focus: [258, 230], words: 'BLOCK SLIDES' },
  palm: {
    draw: (c, hex) => low(c, hex, '#b98047'),
    sole: 'smooth',
    focus: [136, 150],
    words: 'PALM',
    above: palmAbove,
  },
  court: { draw: court, sole: 'grooved', focus: [226, 206], words: 'COURT TRAINER' },
  school: {
    draw: (c, hex) => oxford(c, hex, true),
    sole: 'grooved',
    focus: [190, 210],
    words: 'SCHOOL SHOE',
  },
  bath: {
    draw: (c, hex) => low(c, hex, hex),
    sole: 'smooth',
    focus: [140, 160],
    words: 'SLIPPERS',
    above: bathAbove,
  },
} as const satisfies Record<string, Shoe>;

function fromBelow(c: Canvas, kind: Shoe['sole'], hex: string): string {
  const rubber = kind === 'grooved' ? '#e7e3da' : '#c79a63';
  const outline =
    'M0-128q46 0 46 62q0 34-12 62q-6 24 2 54q6 62-36 66q-42-4-36-66q8-30 2-54q-12-28-12-62q0-62 46-62z';
  const tread =
    kind === 'grooved'
      ? repeated(9, (at) => stroke(`M-36 ${-104 + at * 13}q36 14 72 0`, hex, 4.4)) +
        repeated(4, (at) => stroke(`M-26 ${58 + at * 14}q26 10 52 0`, hex, 4.4))
      : path('M-32 44h64q8 66-32 70q-40-4-32-70z', '#2a2420') +
        oval(0, -60, 30, 40, '#fff', 'opacity=".12"') +
        seam('M-38-66q0-50 38-50t38 50q0 30-10 58', '#7a5527');
  return (
    path(outline, c.linear(40, [0, lit(rubber, 0.4)], [1, shaded(rubber, 0.25)])) +
    c.within(outline, tread)
  );
}

export const shoes: Models = models<Shoe>(SHOES, (shoe): Drawn => {
  const pair: Draw = (c, hex) =>
    standing(
      group('translate(46 -34) scale(.9)', shoe.draw(c, shaded(hex, 0.12))) +
        group('translate(-18 22)', shoe.draw(c, hex)),
      { x: 250, y: 242, r: 126 },
      { x: 188, y: 326, r: 138 },
    );
  const top: Draw = (c, hex) => (shoe.above ? lying(shoe.above(c, hex)) : pair(c, hex));
  const profile: Draw = (c, hex) =>
    shoe.above
      ? pair(c, hex)
      : lying(
          group('translate(128 214) rotate(-9) scale(1.18)', fromBelow(c, shoe.sole, hex)) +
            group('translate(270 214) rotate(9) scale(-1.18 1.18)', fromBelow(c, shoe.sole, hex)),
        );
  const single: Draw = (c, hex) =>
    shoe.above ? top(c, hex) : standing(shoe.draw(c, hex), { x: 200, y: 306, r: 140 });
  return {
    front: top,
    side: profile,
    detail: closeUp(single, shoe.focus, 2.2),
    box: boxed(single, {
      w: 250,
      h: 152,
      d: 130,
      colour: (hex) => shaded(hex, 0.1),
      words: shoe.words,
    }),
  };
});
