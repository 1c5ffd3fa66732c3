import type { Canvas } from '../studio/canvas.js';
import { lit, mix, shaded } from '../studio/colours.js';
import { cloth, metal, plastic, seam, weave } from '../studio/materials.js';
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

const CROWN = 'M92 236q-6-126 112-130q112 4 112 122q-60 30-120 30q-60 0-104-22z';
const cap: Art = (c, hex) => {
  const eyelet = (x: number, y: number) => disc(x, y, 3.4, shaded(hex, 0.5));
  return [
    path(
      'M180 240q96-30 156 8q34 30 20 50q-70-30-176-22z',
      c.linear(80, [0, lit(hex, 0.2)], [1, shaded(hex, 0.35)]),
    ),
    seam('M196 252q80-22 136 6M200 262q78-18 142 14', lit(hex, 0.45)),
    path(CROWN, cloth(c, hex)) + weave(c, CROWN, 'cotton'),
    stroke(
      'M204 106q-40 60-36 148M204 106q44 50 60 140M204 106q-90 40-110 128',
      shaded(hex, 0.35),
      2,
    ) + seam('M210 110q-40 60-36 140M210 108q46 50 62 134', lit(hex, 0.4)),
    disc(204, 106, 8, shaded(hex, 0.2)) + eyelet(146, 168) + eyelet(222, 156) + eyelet(276, 182),
    path('M94 226q50 26 104 26q62-2 118-28l2 14q-56 28-120 28q-58-2-104-26z', shaded(hex, 0.18)),
  ].join('');
};
const capBehind: Art = (c, hex) => {
  const crown = 'M88 244q-8-140 112-142q120 2 112 142q-50 30-112 30t-112-30z';
  return (
    path(crown, cloth(c, hex)) +
    weave(c, crown, 'cotton') +
    stroke('M200 102v90M200 102q-70 40-84 130M200 102q70 40 84 130', shaded(hex, 0.35), 2) +
    path('M146 270q0-74 54-74t54 74q-54 12-108 0z', '#efeae0') +
    path('M142 236q58 22 116 0v20q-58 22-116 0z', shaded(hex, 0.25)) +
    rect(186, 244, 28, 18, 3, metal(c, '#c5cad1')) +
    disc(200, 102, 8, shaded(hex, 0.2))
  );
};
/** A fila: soft, tall, folded to one side, embroidered all over. */
const fila: Art = (c, hex) => {
  const body = 'M98 276q-6-96 10-140q60-50 130-30q70 24 78 90q6 44-6 80q-106 34-212 0z';
  const needle = around(8, 200, 212, path('M200 172q10 16 0 32q-10-16 0-32z', '#e6c67a'));
  return (
    path(body, cloth(c, hex)) +
    weave(c, body, 'knit') +
    path('M108 136q60-50 130-30q70 24 78 90q-60-60-130-56q-50 0-78-4z', lit(hex, 0.1)) +
    stroke('M108 138q110-14 206 62', shaded(hex, 0.45), 3) +
    needle +
    disc(200, 212, 8, '#e6c67a') +
    repeated(9, (at) =>
      group(
        `translate(${112 + at * 22} ${262 + Math.sin((at / 8) * Math.PI) * 14})`,
        path('M-8 0q8-14 16 0q-8 10-16 0z', '#e6c67a'),
      ),
    ) +
    stroke('M102 250q100 32 208 0', '#e6c67a', 2.4) +
    stroke('M100 276q104 34 212 0', '#e6c67a', 2.4)
  );
};
const scarf: Art = (c, hex) => {
  const fringe = (x: number, y: number) =>
    repeated(13, (at) =>
      stroke(`M${x + at * 6.4} ${y}l${-2 + (at % 3) * 2} 26`, at % 2 ? hex : shaded(hex, 0.2), 3.4),
    );
  const wrap = 'M96 128q104-70 208 0q16 60-18 92q-86 50-172 0q-34-32-18-92z';
  const tail = 'M150 200h82l10 140h-84z';
  const other = 'M206 206l76-14l34 120l-80 16z';
  return (
    fringe(236, 318) +
    path(other, cloth(c, shaded(hex, 0.12))) +
    weave(c, other, 'knit') +
    fringe(159, 338) +
    path(tail, cloth(c, hex)) +
    weave(c, tail, 'knit') +
    repeated(3, (at) => rect(152, 268 + at * 20, 90, 8, 0, lit(hex, 0.6), 'opacity=".85"')) +
    path(wrap, cloth(c, hex)) +
    weave(c, wrap, 'knit') +
    c.soft(
      3,
      stroke(
        'M108 148q92 60 184 0M108 186q92 54 184-4M150 120q50 26 110 0',
        '#000',
        6,
        'opacity=".25"',
      ),
    ) +
    path('M140 122q60-36 120 0q-60 40-120 0z', shaded(hex, 0.55))
  );
};
const silk: Art = (c, hex) => {
  const square = 'M80 92q120-22 240 0q18 108 0 216q-120 20-240 0q-18-108 0-216z';
  const gold = mix(hex, '#f0c66a', 0.85);
  return (
    path(
      square,
      c.linear(
        35,
        [0, lit(hex, 0.3)],
        [0.25, hex],
        [0.42, lit(hex, 0.5)],
        [0.6, hex],
        [0.8, lit(hex, 0.25)],
        [1, shaded(hex, 0.3)],
      ),
    ) +
    path(
      'M96 108q104-18 208 0q14 92 0 184q-104 16-208 0q-14-92 0-184z',
      'none',
      `stroke="${gold}" stroke-width="6"`,
    ) +
    path(
      'M110 122q90-14 180 0q10 78 0 156q-90 12-180 0q-10-78 0-156z',
      'none',
      `stroke="${shaded(hex, 0.5)}" stroke-width="3"`,
    ) +
    around(10, 200, 200, path('M200 136q16 30 0 56q-16-26 0-56z', gold, 'opacity=".85"')) +
    disc(200, 200, 16, shaded(hex, 0.5)) +
    disc(200, 200, 8, gold) +
    c.soft(5, stroke('M110 110q60 90 20 180M250 104q-30 100 30 190', '#fff', 12, 'opacity=".3"'))
  );
};
const headTie: Art = (c, hex) => {
  const sheen = c.linear(
    30,
    [0, lit(hex, 0.35)],
    [0.35, hex],
    [0.55, lit(hex, 0.4)],
    [1, shaded(hex, 0.4)],
  );
  return (
    path('M110 300q-10-70 24-110q66-40 132 0q34 40 24 110q-90 30-180 0z', sheen) +
    path(
      'M128 214q-50-90 20-120q40-14 56 60q20-80 66-56q60 34 4 116q-70 30-146 0z',
      sheen,
      `stroke="${shaded(hex, 0.35)}"`,
    ) +
    stroke(
      'M204 160q-30 20-70 50M204 160q30 20 66 50M112 260q90 30 178-2M118 232q84 26 166 0',
      shaded(hex, 0.4),
      3,
      'opacity=".6"',
    )
  );
};
const glove = (c: Canvas, hex: string, palm: boolean): string => {
  const hand =
    'M-52 96q-6-50-4-86q-20-16-38-44q-8-16 6-20q12-2 24 12l16 20q-6-50-6-86q2-12 12-12t12 12l6 56l4-74q2-12 13-12t12 12l2 76l10-62q4-12 14-10t8 14l-4 66l12-36q6-10 14-6t6 14q-6 60-14 88q-6 26-4 78z';
  const dots = c.pattern(9, 9, '<circle cx="4.5" cy="4.5" r="2" fill="#111" fill-opacity=".5"/>');
  return (
    path(hand, cloth(c, hex)) +
    weave(c, hand, 'cotton') +
    (palm
      ? path('M-46 20q50-24 92 0q-2 40-16 60h-64q-12-20-12-60z', '#1c1e22') +
        path('M-46 20q50-24 92 0q-2 40-16 60h-64q-12-20-12-60z', dots)
      : rect(-40, -4, 78, 18, 8, '#1c1e22') +
        repeated(4, (at) => rect(-36 + at * 20, -2, 14, 14, 6, plastic(c, '#33363d'))) +
        seam('M-36 30h72M-30 46h62', lit(hex, 0.5))) +
    rect(-54, 92, 106, 30, 6, shaded(hex, 0.4)) +
    rect(10, 96, 42, 22, 4, '#1c1e22')
  );
};
const gloves: Art = (c, hex) =>
  group('translate(116 196) rotate(-10)', glove(c, hex, false)) +
  group('translate(284 196) rotate(10) scale(-1 1)', glove(c, hex, false));
const palms: Art = (c, hex) =>
  group('translate(126 200) rotate(8)', glove(c, hex, true)) +
  group('translate(280 206) rotate(-16) scale(-1 1)', glove(c, hex, false));
const sock = (c: Canvas, hex: string): string => {
  const leg = 'M-30-140h62l4 170q4 30 40 50q34 22 26 44q-8 24-50 20q-50-8-82-44q-16-20-8-60z';
  return (
    path(leg, cloth(c, hex)) +
    weave(c, leg, 'knit') +
    c.within(
      leg,
      rect(-40, -142, 90, 26, 0, lit(hex, 0.65)) +
        rect(-40, -104, 90, 9, 0, lit(hex, 0.65)) +
        rect(-40, -88, 90, 9, 0, lit(hex, 0.65)) +
        oval(92, 132, 42, 34, shaded(hex, 0.35)) +
        oval(-26, 92, 28, 34, shaded(hex, 0.35)),
    ) +
    repeated(10, (at) => stroke(`M${-24 + at * 6} -138v18`, '#000', 1, 'opacity=".2"'))
  );
};
const socks: Art = (c, hex) =>
  group('translate(120 186) rotate(4)', sock(c, shaded(hex, 0.08))) +
  group('translate(214 206) rotate(-6)', sock(c, hex));

/** Glasses: lenses in a frame, or with `wire` the drop-shaped lenses of driving glasses. */
const glasses = (c: Canvas, hex: string, wire: boolean): string => {
  const lens = wire
    ? 'M-66-34q62-18 124 0q10 60-40 88q-30 12-60-10q-34-30-24-78z'
    : 'M-64-36q62-12 126 0q8 40-8 66q-20 26-56 24q-44-2-58-40q-10-26-4-50z';
  const pane = c.linear(70, [0, shaded(hex, 0.55)], [0.6, shaded(hex, 0.1)], [1, lit(hex, 0.35)]);
  const one = (x: number, flip: number) =>
    group(
      `translate(${x} 196) scale(${flip} 1)`,
      path(lens, pane) +
        path(
          lens,
          'none',
          wire
            ? `stroke="${metal(c, '#c9a254')}" stroke-width="5"`
            : `stroke="${shaded(hex, 0.62)}" stroke-width="12" stroke-linejoin="round"`,
        ) +
        path('M-52-26q40-10 70-6L-30 30q-20-20-22-56z', '#fff', 'opacity=".24"'),
    );
  const arms = wire
    ? stroke('M58 168q-22-40 10-74M342 168q22-40-10-74', '#c9a254', 4)
    : stroke('M54 168q-20-34 4-70M346 168q20-34-4-70', shaded(hex, 0.6), 10);
  return (
    arms +
    one(126, 1) +
    one(274, -1) +
    stroke('M186 180q14-16 28 0', wire ? '#c9a254' : shaded(hex, 0.6), wire ? 4 : 10) +
    (wire ? stroke('M176 162h48', '#c9a254', 4) : '')
  );
};
const cased = (c: Canvas, hex: string, wire: boolean): string =>
  path('M60 236q0-30 40-30h200q40 0 40 30v56q0 34-40 34H100q-40 0-40-34z', cloth(c, '#3a2a20')) +
  seam('M72 240q0-22 30-22h196q30 0 30 22', '#c9a254') +
  path('M240 330l90-54l34 40l-84 40z', '#7fb3df') +
  group('translate(40 -36) scale(.8)', glasses(c, hex, wire));

const laid = (front: Art, side: Art, focus: readonly [number, number]): Drawn => ({
  front: (c, hex) => lying(front(c, hex)),
  side: (c, hex) => lying(side(c, hex)),
  detail: closeUp(front, focus, 2.3),
});
const stood = (front: Art, side: Art, focus: readonly [number, number]): Drawn => {
  const scene =
    (art: Art): Draw =>
    (c, hex) =>
      standing(group('translate(-20 18) scale(1.08)', art(c, hex)), { x: 206, y: 322, r: 116 });
  return { front: scene(front), side: scene(side), detail: closeUp(scene(front), focus, 2.3) };
};

export const accessories: Models = {
  cap: stood(cap, capBehind, [230, 190]),
  scarf: laid(
    scarf,
    (c, hex) => group('rotate(90 200 200) translate(20 -6)', scarf(c, hex)),
    [190, 300],
  ),
  gloves: laid(gloves, palms, [118, 200]),
  shades: laid(
    (c, hex) => glasses(c, hex, false),
    (c, hex) => cased(c, hex, false),
    [120, 190],
  ),
  socks: laid(socks, (c, hex) => group('translate(176 214) rotate(-4)', sock(c, hex)), [216, 120]),
  fila: stood(
    fila,
    (c, hex) =>
      group(
        'translate(400 0) scale(-1 1)',
        group('translate(40 70) scale(.8)', fila(c, shaded(hex, 0.12))),
      ),
    [200, 220],
  ),
  silk: laid(silk, headTie, [200, 200]),
  drivers: laid(
    (c, hex) => glasses(c, hex, true),
    (c, hex) => cased(c, hex, true),
    [274, 200],
  ),
};
