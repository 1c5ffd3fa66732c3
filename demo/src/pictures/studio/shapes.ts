import { ARTBOARD, type Canvas } from './canvas.js';
import { lit, shaded } from './colours.js';

/** A path filled with a paint. `more` are further attributes. */
export const path = (d: string, fill: string, more = ''): string =>
  `<path d="${d}" fill="${fill}" ${more}/>`;

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: string,
  more = '',
): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" ${more}/>`;

export const oval = (
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  fill: string,
  more = '',
): string => `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;

export const disc = (cx: number, cy: number, r: number, fill: string, more = ''): string =>
  oval(cx, cy, r, r, fill, more);

/** A line along a path, with round ends. */
export const stroke = (d: string, colour: string, width: number, more = ''): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;

export const group = (transform: string, ...parts: readonly string[]): string =>
  `<g transform="${transform}">${parts.join('')}</g>`;

/** The outline of a rectangle with round corners, for clips and paths. */
export function roundedPath(x: number, y: number, w: number, h: number, r: number): string {
  return `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}z`;
}

/** `count` copies, each made from its index: for keys, teeth, grilles and stitches. */
export const repeated = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join('');

/** One drawing for each of some things. */
export const each = <T>(things: readonly T[], one: (thing: T, index: number) => string): string =>
  things.map(one).join('');

/** `count` copies rotated around a centre. */
export const around = (count: number, cx: number, cy: number, one: string): string =>
  repeated(count, (index) => group(`rotate(${(360 / count) * index} ${cx} ${cy})`, one));

/** Half widths of a turned body, from the top down. */
export type Profile = readonly (readonly [y: number, r: number])[];

/** A profile in SVG's notation of points: `y,r y,r …`. */
export const profile = (points: string): Profile =>
  points.split(' ').map((point) => {
    const [y = 0, r = 0] = point.split(',').map(Number);
    return [y, r] as const;
  });

/**
 * The outline of a turned body: half widths from the top down, mirrored about the middle of the artboard.
 * Curves join the points and leave and reach them vertically.
 */
export function turned(profile: Profile): string {
  const cx = ARTBOARD / 2;
  const [first = [0, 0]] = profile;
  const side = (sign: number, points: Profile): string =>
    points
      .slice(1)
      .map(([y, r], at) => {
        const [y0 = 0, r0 = 0] = points[at] ?? [];
        const middle = (y + y0) / 2;
        return `C${cx + sign * r0} ${middle} ${cx + sign * r} ${middle} ${cx + sign * r} ${y}`;
      })
      .join('');
  const upwards = [...profile].reverse();
  const [last = [0, 0]] = upwards;
  return `M${cx + first[1]} ${first[0]}${side(1, profile)}L${cx - last[1]} ${last[0]}${side(-1, upwards)}Z`;
}

/** The projection of a box that is seen from the right and a little from above. */
const FRONT = { across: 0.84, down: 0.13 };
const RIGHT = { across: 0.5, up: 0.2 };

interface Box {
  /** Upper left corner of the front. */
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly d: number;
}

/** A box seen from a corner; the drawings of its faces begin at 0, 0. */
export function corner(
  { x, y, w, h, d }: Box,
  faces: { readonly front: string; readonly right: string; readonly top: string },
): string {
  const [bx, by] = [x + w * FRONT.across, y + w * FRONT.down];
  const [dx, dy] = [d * RIGHT.across, -d * RIGHT.up];
  const lid = `M${x} ${y}L${bx} ${by}l${dx} ${dy}L${x + dx} ${y + dy}z`;
  return [
    path(lid, faces.top),
    group(`matrix(${RIGHT.across} ${-RIGHT.up} 0 1 ${bx} ${by})`, faces.right),
    group(`matrix(${FRONT.across} ${FRONT.down} 0 1 ${x} ${y})`, faces.front),
    path(`M${bx} ${by}v${h}`, 'none', 'stroke="#fff" stroke-opacity=".25" stroke-width="1.2"'),
  ].join('');
}

/** The width and height of a box on the artboard, for centring it and for its shadow. */
export const reach = ({ w, h, d }: Pick<Box, 'w' | 'h' | 'd'>) => ({
  width: w * FRONT.across + d * RIGHT.across,
  height: h + w * FRONT.down,
});

/** The faces of a box of one colour, for `corner`. */
export const bodyFaces = (c: Canvas, { w, h, d }: Pick<Box, 'w' | 'h' | 'd'>, hex: string) => ({
  front: rect(0, 0, w, h, 0, c.linear(20, [0, lit(hex, 0.22)], [1, hex])),
  right: rect(0, 0, d, h, 0, c.linear(90, [0, shaded(hex, 0.26)], [1, shaded(hex, 0.42)])),
  top: lit(hex, 0.45),
});
