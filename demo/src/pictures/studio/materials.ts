import type { Canvas } from './canvas.js';
import { lit, mix, shaded } from './colours.js';
import { path, rect, stroke } from './shapes.js';

/** Matt plastic and paint: the light comes from the upper left. */
export const plastic = (c: Canvas, hex: string): string =>
  c.linear(55, [0, lit(hex, 0.3)], [0.4, hex], [1, shaded(hex, 0.28)]);

/** A round upright body: a bright stripe at the left third, shade at both edges. */
export const round = (c: Canvas, hex: string): string =>
  c.linear(
    0,
    [0, shaded(hex, 0.36)],
    [0.14, hex],
    [0.3, lit(hex, 0.5)],
    [0.46, lit(hex, 0.1)],
    [0.78, shaded(hex, 0.22)],
    [0.94, shaded(hex, 0.42)],
    [1, shaded(hex, 0.25)],
  );

/** Brushed or polished metal along `degrees`. */
export const metal = (c: Canvas, hex: string, degrees = 0): string =>
  c.linear(
    degrees,
    [0, shaded(hex, 0.3)],
    [0.12, lit(hex, 0.55)],
    [0.3, hex],
    [0.48, lit(hex, 0.7)],
    [0.62, hex],
    [0.85, shaded(hex, 0.35)],
    [1, lit(hex, 0.2)],
  );

/** A ball, a bead, a knob. */
export const ball = (c: Canvas, hex: string): string =>
  c.radial(
    0.35,
    0.3,
    0.75,
    [0, lit(hex, 0.75)],
    [0.3, lit(hex, 0.15)],
    [0.75, shaded(hex, 0.25)],
    [1, shaded(hex, 0.5)],
  );

/** Coloured glass with something in it. */
export const glass = (c: Canvas, hex: string): string =>
  c.linear(
    0,
    [0, shaded(hex, 0.3), 0.95],
    [0.08, lit(hex, 0.35), 0.9],
    [0.25, lit(hex, 0.62), 0.85],
    [0.5, hex, 0.9],
    [0.85, shaded(hex, 0.14), 0.95],
    [0.95, lit(hex, 0.45), 0.9],
    [1, shaded(hex, 0.3), 0.95],
  );

/** Cloth and leather that lies or hangs: light from the upper left over the whole piece. */
export const cloth = (c: Canvas, hex: string): string =>
  c.radial(0.3, 0.2, 0.95, [0, lit(hex, 0.24)], [0.5, hex], [1, shaded(hex, 0.3)]);

/** The threads of a cloth or the grain of leather, laid over its colour within an outline. */
export function weave(c: Canvas, d: string, kind: 'cotton' | 'denim' | 'knit' | 'hide'): string {
  const tile = {
    cotton: c.pattern(
      3,
      3,
      '<path d="M0 .5h3M.5 0v3" stroke="#000" stroke-opacity=".09" stroke-width=".7"/>',
    ),
    denim: c.pattern(
      3,
      3,
      '<path d="M0 3 3 0" stroke="#fff" stroke-opacity=".22" stroke-width=".8"/>',
    ),
    knit: c.pattern(
      7,
      6,
      '<path d="M0 0 3.5 5 7 0" fill="none" stroke="#000" stroke-opacity=".2" stroke-width="1.4"/>',
    ),
    hide: c.pattern(
      9,
      7,
      '<path d="M0 2q2-2 4 0t5-1M1 6q3-2 5 0t3-1" fill="none" stroke="#000" stroke-opacity=".12" stroke-width=".9"/>',
    ),
  }[kind];
  return path(d, tile);
}

/** Boards of wood. */
export const wood = (c: Canvas, hex: string): string =>
  c.pattern(
    90,
    26,
    `<rect width="90" height="26" fill="${hex}"/><path d="M0 5q22-4 45 0t45 0M0 12q30 5 60 0t30 2M0 20q18-4 40 0t50-1" fill="none" stroke="${shaded(hex, 0.35)}" stroke-opacity=".5" stroke-width="1.3"/>`,
  );

/** A hard reflection across the upper left of a pane, within an outline. */
export const sheen = (c: Canvas, d: string, opacity: number): string =>
  path(
    d,
    c.linear(
      35,
      [0, '#fff', opacity],
      [0.38, '#fff', opacity * 0.35],
      [0.385, '#fff', 0],
      [1, '#fff', 0],
    ),
  );

/** A picture on a screen: hills at evening, in the tones of `hue`. */
export function wallpaper(
  c: Canvas,
  d: string,
  [x, y, w, h]: readonly [number, number, number, number],
  hue: string,
): string {
  const far = mix(hue, '#ffd9a0', 0.55);
  const hill = (top: number, swing: number, fill: string) =>
    path(
      `M${x} ${y + h * top}q${w * 0.25} ${-h * swing} ${w * 0.5} 0t${w * 0.5} ${-h * swing * 0.4}V${y + h}H${x}z`,
      fill,
    );
  return c.within(
    d,
    [
      rect(
        x,
        y,
        w,
        h,
        0,
        c.linear(80, [0, shaded(hue, 0.15)], [0.45, mix(hue, '#f59a5b', 0.5)], [1, '#ffe3b4']),
      ),
      `<circle cx="${x + w * 0.64}" cy="${y + h * 0.43}" r="${Math.min(w, h) * 0.13}" fill="#fff0cf" opacity=".9"/>`,
      hill(0.6, 0.16, mix(far, hue, 0.55)),
      hill(0.74, 0.2, shaded(hue, 0.25)),
      hill(0.88, 0.12, shaded(hue, 0.55)),
    ].join(''),
  );
}

/** Stitches along a seam. */
export const seam = (d: string, colour: string): string =>
  stroke(d, colour, 1.4, 'stroke-dasharray="4 3.4" opacity=".8"');
