import type { Canvas } from '../studio/canvas.js';
import { lit, shaded } from '../studio/colours.js';
import { cloth, metal, seam, sheen, weave } from '../studio/materials.js';
import { closeUp, type Draw, type Drawn, type Models, models, standing } from '../studio/scene.js';
import {
  disc,
  each,
  group,
  oval,
  path,
  rect,
  repeated,
  roundedPath,
  stroke,
} from '../studio/shapes.js';
import { waxPrint } from './fabrics.js';

const FLOOR = 328;
const BRASS = '#cfa14a';

/** A bag from the front or the back; `half` is half the width of its foot. */
interface Bag {
  readonly face: (c: Canvas, hex: string, back: boolean) => string;
  readonly half: number;
  readonly focus: readonly [number, number];
}

const handle = (d: string, c: Canvas, hex: string, width = 13): string =>
  stroke(d, shaded(hex, 0.5), width + 2) +
  stroke(d, c.linear(90, [0, lit(hex, 0.3)], [1, shaded(hex, 0.2)]), width) +
  seam(d, lit(hex, 0.5));
const ring = (c: Canvas, x: number, y: number): string =>
  disc(x, y, 10, 'none', `stroke="${metal(c, BRASS, 45)}" stroke-width="4.5"`);
const feet = (...xs: readonly number[]): string => each(xs, (x) => disc(x, FLOOR, 4, BRASS));
const zip = (d: string): string =>
  stroke(d, '#25272d', 6) + stroke(d, BRASS, 3, 'stroke-dasharray="1.6 2.4"');

function hide(c: Canvas, d: string, hex: string): string {
  return (
    path(d, cloth(c, hex), `stroke="${shaded(hex, 0.45)}" stroke-width="1.4"`) +
    weave(c, d, 'hide') +
    sheen(c, d, 0.13)
  );
}

function handbag(c: Canvas, hex: string, back: boolean): string {
  const body = 'M82 178q118-22 236 0q16 70 22 134q2 14-16 14H76q-18 0-16-14q6-64 22-134z';
  const flap = 'M80 178q120-24 240 0q6 36 4 62q-124 44-248 0q-2-26 4-62z';
  return [
    handle('M138 180q0-104 62-104t62 104', c, shaded(hex, 0.12)),
    hide(c, body, hex),
    back
      ? zip('M110 214h180') + seam('M98 204h204v92H98z', lit(hex, 0.4))
      : hide(c, flap, lit(hex, 0.05)) +
        seam('M84 234q116 42 232 0', lit(hex, 0.45)) +
        rect(182, 236, 36, 34, 5, metal(c, BRASS, 40)) +
        disc(200, 250, 6, '#4d3510') +
        rect(198, 250, 4, 12, 1, '#4d3510'),
    ring(c, 138, 182) + ring(c, 262, 182),
    stroke('M74 300q126 14 252 0', shaded(hex, 0.4), 2, 'opacity=".7"'),
    feet(92, 308),
  ].join('');
}

function tote(c: Canvas, hex: string, back: boolean): string {
  const body = 'M84 150h232l22 172q0 6-8 6H70q-8 0-8-6z';
  const leather = '#8a532c';
  return [
    handle('M140 156q-6-112 60-112t60 112', c, shaded(leather, 0.3), 9),
    path('M84 150q116-16 232 0v10H84z', shaded(hex, 0.6)),
    path(body, waxPrint(c, hex)),
    path(body, c.linear(20, [0, '#fff', 0.22], [0.4, '#fff', 0], [1, '#0a0c18', 0.36])),
    path('M84 150h232l2 16H82z', shaded(hex, 0.4)),
    back ? '' : handle('M132 186q-8-96 68-96t68 96', c, leather, 10),
    each(
      [132, 268],
      (x) =>
        rect(x - 10, 170, 20, 38, 4, leather) + disc(x, 180, 3, BRASS) + disc(x, 198, 3, BRASS),
    ),
    path('M64 302h272l2 20q0 6-8 6H70q-8 0-8-6z', cloth(c, leather)) +
      seam('M66 306h268', lit(leather, 0.5)),
    back ? rect(176, 224, 48, 26, 3, leather) : '',
  ].join('');
}

function clutch(c: Canvas, hex: string, back: boolean): string {
  const body = roundedPath(62, 176, 276, 150, 16);
  const satin = c.linear(
    28,
    [0, lit(hex, 0.25)],
    [0.25, hex],
    [0.42, lit(hex, 0.5)],
    [0.6, hex],
    [1, shaded(hex, 0.35)],
  );
  const chain = repeated(30, (at) => {
    const t = at / 29;
    return oval(
      78 + 244 * t,
      178 - 104 * Math.sin(Math.PI * t),
      6,
      3.6,
      'none',
      `stroke="${BRASS}" stroke-width="2.2" transform="rotate(${-50 + 100 * t + (at % 2) * 60} ${78 + 244 * t} ${178 - 104 * Math.sin(Math.PI * t)})"`,
    );
  });
  return [
    chain,
    path(body, satin, `stroke="${shaded(hex, 0.4)}"`),
    repeated(6, (at) => stroke(`M${84 + at * 46} 190q-12 60 4 128`, '#fff', 5, 'opacity=".12"')),
    back
      ? stroke('M80 214h240', shaded(hex, 0.4), 2)
      : path(
          'M62 196q0-20 16-20h244q16 0 16 20l-138 76z',
          satin,
          `stroke="${shaded(hex, 0.45)}" stroke-width="1.4"`,
        ),
    rect(58, 170, 284, 13, 6, metal(c, BRASS, 90)),
    disc(190, 168, 9, metal(c, BRASS, 45)) + disc(208, 166, 9, metal(c, '#e5c47a', 45)),
  ].join('');
}

function pouches(c: Canvas, hex: string, back: boolean): string {
  const one = (x: number, y: number, w: number, h: number, tone: string) => {
    const d = `M${x + 8} ${y}h${w - 16}q14 0 18 16l8 ${h - 40}q2 24-20 24H${x + 2}q-22 0-20-24l8-${h - 40}q4-16 18-16z`;
    return (
      path(d, cloth(c, tone), `stroke="${shaded(tone, 0.4)}"`) +
      weave(c, d, 'cotton') +
      zip(`M${x + 4} ${y + 14}h${w - 8}`) +
      (back ? '' : rect(x + w / 2 - 20, y + h * 0.5, 40, 18, 2, lit(tone, 0.6))) +
      disc(x + w - 2, y + 14, 5, metal(c, BRASS)) +
      stroke(`M${x + w - 2} ${y + 18}q10 8 6 24`, BRASS, 3)
    );
  };
  return (
    one(78, 120, 196, 150, lit(hex, 0.45)) +
    one(104, 170, 192, 130, lit(hex, 0.12)) +
    one(148, 226, 164, 102, shaded(hex, 0.12))
  );
}

function rucksack(c: Canvas, hex: string, back: boolean, office: boolean): string {
  const body = office
    ? roundedPath(96, 66, 208, 262, 34)
    : 'M100 138q0-76 100-76t100 76l10 168q0 22-22 22H112q-22 0-22-22z';
  const trim = shaded(hex, 0.42);
  const straps = each(
    [
      'M140 96q-24 60-14 130l-4 84h22l4-86q-8-64 22-124z',
      'M260 96q24 60 14 130l4 84h-22l-4-86q8-64-22-124z',
    ],
    (d) => path(d, cloth(c, shaded(hex, 0.25)), `stroke="${shaded(hex, 0.6)}"`),
  );
  const mesh = c.pattern(6, 6, '<circle cx="3" cy="3" r="1.3" fill="#000" fill-opacity=".35"/>');
  return [
    stroke('M172 68q0-28 28-28t28 28', trim, 10),
    back
      ? ''
      : path(
          'M92 190q-22 20-18 70q2 40 16 56l14-8V180zM308 190q22 20 18 70q-2 40-16 56l-14-8V180z',
          cloth(c, shaded(hex, 0.3)),
        ),
    path(body, cloth(c, hex), `stroke="${shaded(hex, 0.5)}" stroke-width="1.4"`) +
      weave(c, body, 'cotton'),
    back
      ? rect(126, 100, 148, 200, 16, lit(hex, 0.05)) + rect(126, 100, 148, 200, 16, mesh) + straps
      : office
        ? zip('M108 130q92-14 184 0') +
          rect(116, 206, 168, 106, 12, cloth(c, lit(hex, 0.08)), `stroke="${trim}"`) +
          zip('M126 222h148') +
          rect(184, 154, 32, 20, 3, trim) +
          disc(286, 250, 3, '#111') +
          rect(276, 246, 16, 9, 2, '#17181c')
        : zip('M112 158q88-24 176 0') +
          path(
            'M112 212q88-14 176 0l6 92q0 12-14 12H120q-14 0-14-12z',
            cloth(c, lit(hex, 0.1)),
            `stroke="${trim}"`,
          ) +
          zip('M122 230q78-10 156 0') +
          rect(180, 96, 40, 34, 5, trim) +
          disc(200, 113, 9, lit(hex, 0.5)),
    back ? '' : seam(office ? 'M112 196h176' : 'M110 204q90-16 180 0', lit(hex, 0.4)),
    sheen(c, body, 0.14),
  ].join('');
}

function briefcase(c: Canvas, hex: string, back: boolean, hard: boolean): string {
  const body = roundedPath(52, 138, 296, 190, hard ? 12 : 18);
  const lock = (x: number) =>
    rect(x - 17, 206, 34, 22, 4, metal(c, hard ? '#c9ced6' : BRASS, 40)) +
    (hard
      ? repeated(3, (at) => rect(x - 12 + at * 8.4, 211, 6.4, 12, 1, '#22252b'))
      : rect(x - 5, 212, 10, 10, 2, '#4d3510'));
  const corner = (x: number, y: number) => disc(x, y, 7, metal(c, '#c9ced6', 45));
  return [
    handle(
      hard ? 'M158 140v-26q0-10 10-10h64q10 0 10 10v26' : 'M150 142q0-52 50-52t50 52',
      c,
      shaded(hex, 0.2),
      14,
    ),
    hide(c, body, hex),
    hard
      ? rect(52, 214, 296, 7, 0, metal(c, '#b8bdc5', 90)) +
        seam('M66 152h268v54H66zM66 230h268v84H66z', lit(hex, 0.35))
      : back
        ? zip('M80 188h240') + seam('M74 176h252v126H74z', lit(hex, 0.45))
        : hide(c, 'M52 156q0-18 18-18h260q18 0 18 18v72q-148 20-296 0z', lit(hex, 0.05)) +
          seam('M58 222q142 18 284 0', lit(hex, 0.45)),
    back ? '' : lock(112) + lock(288),
    hard ? corner(60, 146) + corner(340, 146) + corner(60, 320) + corner(340, 320) : '',
    feet(84, 316),
  ].join('');
}

const BAGS = {
  handbag: { face: handbag, half: 136, focus: [200, 240] },
  school: {
    face: (c, hex, back) => rucksack(c, hex, back, false),
    half: 108,
    focus: [200, 214],
  },
  clutch: { face: clutch, half: 138, focus: [206, 196] },
  briefcase: {
    face: (c, hex, back) => briefcase(c, hex, back, false),
    half: 146,
    focus: [112, 214],
  },
  tote: { face: tote, half: 134, focus: [140, 206] },
  pouches: { face: pouches, half: 110, focus: [240, 240] },
  laptop: {
    face: (c, hex, back) => rucksack(c, hex, back, true),
    half: 104,
    focus: [250, 236],
  },
  document: {
    face: (c, hex, back) => briefcase(c, hex, back, true),
    half: 146,
    focus: [288, 216],
  },
} as const satisfies Record<string, Bag>;

export const bags: Models = models<Bag>(BAGS, (bag): Drawn => {
  const front: Draw = (c, hex) =>
    standing(bag.face(c, hex, false), { x: 200, y: FLOOR, r: bag.half });
  /** Turned away a little, showing its back. */
  const behind: Draw = (c, hex) =>
    standing(group('matrix(-.86 .05 0 .94 372 8)', bag.face(c, shaded(hex, 0.06), true)), {
      x: 200,
      y: FLOOR - 2,
      r: bag.half * 0.86,
    });
  return { front, side: behind, detail: closeUp(front, bag.focus, 2.3) };
});
