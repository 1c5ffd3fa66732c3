import type { Canvas } from '../studio/canvas.js';
import { lit, mix, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { cloth, metal, plastic, round, wood } from '../studio/materials.js';
import {
  type Art,
  closeUp,
  type Draw,
  type Drawn,
  lying,
  type Models,
  standing,
} from '../studio/scene.js';
import { around, disc, group, oval, path, rect, repeated, stroke } from '../studio/shapes.js';

/** A bar of soap; `worn` adds foam. */
function bar(c: Canvas, hex: string, words: string, y: number, worn: boolean): string {
  const x = 104;
  const top = `M${x + 24} ${y}h152q30 0 34 20q4 24-22 26H${x + 12}q-30-2-26-26q6-20 38-20z`;
  return (
    rect(x - 14, y + 20, 224, 66, 30, c.linear(90, [0, hex], [1, shaded(hex, 0.4)])) +
    path(top, c.linear(70, [0, lit(hex, 0.45)], [1, hex])) +
    oval(x + 98, y + 22, 78, 15, lit(hex, 0.18), `stroke="${shaded(hex, 0.15)}"`) +
    group(
      `translate(0 0) matrix(1 0 0 .6 0 ${y * 0.4 + 8})`,
      letters(words, x + 98, y + 8, 18, shaded(hex, 0.4), { most: 120 }),
    ) +
    (worn
      ? repeated(7, (at) =>
          disc(
            x + 10 + at * 34,
            y + 84 + (at % 3) * 6,
            7 + (at % 3) * 4,
            c.radial(
              0.35,
              0.3,
              0.8,
              [0, '#ffffff', 0.95],
              [0.7, '#eaf4fb', 0.6],
              [1, '#c5dcea', 0.9],
            ),
          ),
        )
      : '')
  );
}

const soap = (words: string, wrap: string): Drawn => ({
  front: (c, hex) =>
    standing(
      group(
        'translate(6 -30)',
        rect(70, 150, 196, 96, 4, plastic(c, wrap)) +
          path('M266 150l34-24v92l-34 28z', shaded(wrap, 0.4)) +
          path('M70 150l34-24h196l-34 24z', lit(wrap, 0.3)) +
          oval(168, 198, 74, 34, '#fffaf0', 'opacity=".94"') +
          letters(words, 168, 190, 17, shaded(wrap, 0.3), { most: 118 }),
      ) + bar(c, hex, words, 238, false),
      { x: 202, y: 324, r: 132 },
    ),
  side: (c, hex) =>
    standing(path('M66 296h268l-20 34H86z', wood(c, '#a9713c')) + bar(c, hex, words, 216, true), {
      x: 200,
      y: 330,
      r: 128,
    }),
  detail: closeUp((c, hex) => bar(c, hex, words, 200, false), [190, 230], 1.9),
});

const holes = (count: number, r: number, tone: string): string =>
  repeated(count, (at) => {
    const turn = at * 2.4;
    const far = Math.sqrt((at + 0.5) / count) * r;
    return oval(
      200 + Math.cos(turn) * far,
      200 + Math.sin(turn) * far * 0.8,
      3 + (at % 4) * 1.8,
      2.4 + (at % 3) * 1.6,
      tone,
      'opacity=".55"',
    );
  });
const sea = (c: Canvas, hex: string): string =>
  path(
    'M78 214q-12-60 46-88q60-40 130-14q72 18 76 96q0 70-64 92q-70 24-130 0q-52-22-58-86z',
    cloth(c, hex),
  ) + holes(130, 112, shaded(hex, 0.55));
const net = (c: Canvas, hex: string): string =>
  disc(200, 206, 108, cloth(c, hex)) +
  repeated(9, (ring) =>
    around(
      10 + ring * 3,
      200,
      206,
      oval(
        200,
        206 - 8 - ring * 12,
        13,
        9,
        'none',
        `stroke="${ring % 2 ? lit(hex, 0.5) : shaded(hex, 0.2)}" stroke-width="2.6" opacity=".85"`,
      ),
    ),
  ) +
  stroke('M200 100q-10-66 24-66t-10 66', '#fbfbf8', 5);
const sponge = (draw: Art): Drawn => ({
  front: (c, hex) => lying(draw(c, hex)),
  side: (c, hex) =>
    standing(
      group('translate(0 108) matrix(1 0 0 .72 0 0)', draw(c, hex)) +
        group('translate(168 150) scale(.42)', draw(c, lit(hex, 0.2))),
      { x: 200, y: 326, r: 112 },
    ),
  detail: closeUp(draw, [180, 180], 2.4),
});

/** Combs and picks: a handle above, long teeth below. */
const comb = (c: Canvas, hex: string, teeth: number, kind: 'pick' | 'wig' | 'set'): string => {
  const w = 150;
  const gap = w / teeth;
  const pins = kind === 'wig';
  const prongs = repeated(teeth, (at) =>
    rect(
      125 + at * gap + gap * 0.22,
      196,
      gap * 0.5,
      pins ? 120 : 150 - Math.abs(at - (teeth - 1) / 2) * 5,
      gap * 0.25,
      pins ? metal(c, '#c5cad1') : round(c, hex),
    ),
  );
  const handle =
    kind === 'pick'
      ? 'M128 206q-8-70 24-84q20-8 22-44q4-30 26-30t26 30q2 36 22 44q32 14 24 84z'
      : 'M122 206q-6-54 20-74q20-14 30-70q6-22 28-22t28 22q10 56 30 70q26 20 20 74z';
  return (
    prongs +
    path(handle, plastic(c, hex)) +
    (kind === 'pick'
      ? path('M178 120q22-34 44 0q14 30-22 50q-36-20-22-50z', shaded(hex, 0.5)) +
        path('M186 124q14-20 28 0q6 18-14 30q-20-12-14-30z', '#f5f2ea')
      : oval(200, 70, 9, 14, '#f5f2ea') + stroke('M140 190h120', lit(hex, 0.4), 3)) +
    path(handle, c.linear(40, [0, '#fff', 0.3], [0.4, '#fff', 0], [1, '#000', 0.15]))
  );
};
const combs = (teeth: number, kind: 'pick' | 'wig' | 'set'): Drawn => {
  const front: Draw = (c, hex) => {
    const ofSet = (turn: number, y: number, tone: string, many: number) =>
      group(`rotate(${turn} 200 380) translate(50 ${y}) scale(.74)`, comb(c, tone, many, 'set'));
    return kind === 'set'
      ? lying(
          ofSet(-26, 60, lit(hex, 0.3), 14) +
            ofSet(0, 64, hex, 9) +
            ofSet(26, 68, mix(hex, '#d9643a', 0.6), 6),
        )
      : lying(group('rotate(10 200 200)', comb(c, hex, teeth, kind)));
  };
  return {
    front,
    side: (c, hex) =>
      lying(
        group('translate(-70 0) rotate(-30 200 200)', comb(c, hex, teeth, kind)) +
          group(
            'translate(110 20)',
            rect(188, 60, 17, 150, 8, plastic(c, hex)) +
              rect(
                192,
                200,
                9,
                130,
                4,
                kind === 'wig' ? metal(c, '#c5cad1') : round(c, shaded(hex, 0.2)),
              ),
          ),
      ),
    detail: closeUp(front, [210, 210], 2.3),
  };
};

export const soaps: Models = {
  black: soap('DUDU OSUN', '#1f3a2a'),
  oat: soap('SHEA OAT', '#c79a5d'),
  neem: soap('NEEM', '#2f7d4f'),
};
export const sponges: Models = { natural: sponge(sea), net: sponge(net) };
export const hairCombs: Models = {
  afro: combs(9, 'pick'),
  wig: combs(22, 'wig'),
  set: combs(9, 'set'),
};
