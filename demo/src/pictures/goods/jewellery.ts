import type { Canvas } from '../studio/canvas.js';
import { lit, mix, shaded } from '../studio/colours.js';
import { ball, cloth, metal } from '../studio/materials.js';
import { closeUp, type Draw, type Drawn, lying, type Models, standing } from '../studio/scene.js';
import { around, disc, group, oval, path, rect, repeated, stroke } from '../studio/shapes.js';

const GOLD = '#d6a84c';

/** A cut stone from above: a table, and facets that each take the light differently. */
function stone(c: Canvas, x: number, y: number, r: number, hex: string): string {
  const facet = (at: number) => {
    const tone =
      [
        lit(hex, 0.7),
        lit(hex, 0.25),
        hex,
        shaded(hex, 0.25),
        shaded(hex, 0.12),
        lit(hex, 0.45),
        hex,
        lit(hex, 0.85),
      ][at % 8] ?? hex;
    return group(
      `rotate(${at * 45} ${x} ${y})`,
      path(`M${x} ${y}L${x - r * 0.4} ${y - r * 0.95}L${x + r * 0.4} ${y - r * 0.95}z`, tone),
    );
  };
  const table = repeated(8, (at) => {
    const [a, b] = [(at * Math.PI) / 4 + 0.39, ((at + 1) * Math.PI) / 4 + 0.39];
    return `${at === 0 ? 'M' : 'L'}${(x + Math.cos(a) * r * 0.52).toFixed(1)} ${(y + Math.sin(a) * r * 0.52).toFixed(1)}L${(x + Math.cos(b) * r * 0.52).toFixed(1)} ${(y + Math.sin(b) * r * 0.52).toFixed(1)}`;
  });
  return (
    repeated(8, facet) +
    path(
      `${table}z`,
      c.linear(40, [0, lit(hex, 0.85)], [0.5, lit(hex, 0.25)], [1, shaded(hex, 0.1)]),
      'stroke="#fff" stroke-opacity=".6"',
    ) +
    path(
      `M${x - r * 0.3} ${y - r * 0.34}l${r * 0.32} ${-r * 0.06}l${-r * 0.2} ${r * 0.3}z`,
      '#fff',
      'opacity=".85"',
    )
  );
}

const glint = (x: number, y: number, r: number): string =>
  path(
    `M${x} ${y - r}q${r * 0.1} ${r * 0.9} ${r} ${r}q${-r * 0.9} ${r * 0.1}-${r} ${r}q${-r * 0.1}-${r * 0.9}-${r}-${r}q${r * 0.9}-${r * 0.1} ${r}-${r}z`,
    '#ffffff',
  );

function ring(c: Canvas, stones: number, hex: string): string {
  const band = (d: string, wide: number) =>
    stroke(d, shaded(hex, 0.5), wide + 2) + stroke(d, metal(c, hex, 60), wide);
  const top =
    stones === 1
      ? path(
          'M176 146l8-26M224 146l-8-26M192 150l2-30M208 150l-2-30',
          'none',
          `stroke="${metal(c, hex)}" stroke-width="5"`,
        ) +
        group(
          'translate(0 -4)',
          path(
            'M160 100l24-26h32l24 26l-40 48z',
            c.linear(60, [0, '#ffffff'], [0.5, '#cfe4f5'], [1, '#8fb6d6']),
          ) +
            path(
              'M160 100h80M184 74l-8 26l24 48l24-48l-8-26M184 74l16 26l16-26',
              'none',
              'stroke="#fff" stroke-width="1.6"',
            ),
        ) +
        glint(176, 84, 15)
      : repeated(stones, (at) =>
          stone(
            c,
            158 + at * 21,
            146 - Math.sin(((at + 0.5) / stones) * Math.PI) * 14,
            12,
            '#dfeefa',
          ),
        ) + glint(190, 124, 11);
  return (
    band('M104 236a96 90 0 1 0 192 0a96 90 0 1 0-192 0', stones === 1 ? 15 : 19) +
    stroke('M118 262a84 76 0 0 0 120 44', '#fff', 4, 'opacity=".55"') +
    top
  );
}

const rings = (stones: number): Drawn => {
  const front: Draw = (c, hex) => standing(ring(c, stones, hex), { x: 200, y: 334, r: 62 });
  return {
    front,
    side: (c, hex) =>
      standing(
        path('M86 210h228l-14 118H100z', cloth(c, '#5b1f33')) +
          path(
            'M86 210l24-96q4-12 16-12h148q12 0 16 12l24 96z',
            c.linear(90, [0, '#7a2b46'], [1, '#3d1222']),
          ) +
          path('M112 204l16-80h144l16 80z', '#f5efe4') +
          oval(200, 222, 92, 18, '#f7f2e8') +
          group('translate(90 78) scale(.55)', ring(c, stones, hex)) +
          path('M96 232h208l-10 94H106z', c.linear(30, [0, '#7a2b46'], [1, '#3d1222'])) +
          rect(188, 254, 24, 14, 3, metal(c, GOLD)),
        { x: 200, y: 330, r: 104 },
      ),
    detail: closeUp(front, [204, 136], 2.5),
  };
};

/** Beads along a curve given as points from 0 to 1; one of `every` so many is smaller, and of gold. */
const strung = (
  c: Canvas,
  count: number,
  at: (t: number) => readonly [number, number],
  r: number,
  hex: string,
  every: number,
): string =>
  repeated(count, (index) => {
    const [x, y] = at(index / count);
    const other = index % every === 0;
    return disc(x, y, other ? r * 0.8 : r, ball(c, other ? GOLD : hex));
  });

const loop =
  (cx: number, cy: number, rx: number, ry: number, from = -Math.PI / 2) =>
  (t: number) =>
    [
      cx + Math.cos(from + t * Math.PI * 2) * rx,
      cy + Math.sin(from + t * Math.PI * 2) * ry,
    ] as const;

type Beads = 'coral' | 'waist' | 'bridal' | 'prayer';

function beads(c: Canvas, kind: Beads, hex: string): string {
  if (kind === 'coral')
    return (
      repeated(3, (at) =>
        strung(
          c,
          40 + at * 6,
          loop(200, 164, 88 + at * 17, 92 + at * 22),
          7.6,
          mix(hex, '#ffffff', at * 0.05),
          9,
        ),
      ) +
      strung(c, 22, loop(128, 350, 44, 20), 6, hex, 5) +
      strung(c, 22, loop(272, 350, 44, 20), 6, hex, 5) +
      disc(200, 304, 15, ball(c, GOLD))
    );
  if (kind === 'waist')
    return (
      repeated(3, (at) =>
        strung(
          c,
          74,
          loop(200, 190 + at * 13, 146 - at * 5, 96 - at * 3),
          4.4,
          [hex, '#f3efe2', shaded(hex, 0.3)][at] ?? hex,
          4,
        ),
      ) + rect(192, 312, 16, 9, 3, metal(c, GOLD))
    );
  if (kind === 'prayer')
    return (
      strung(c, 33, loop(200, 160, 118, 112, Math.PI / 2), 10, hex, 11) +
      disc(200, 284, 12, ball(c, GOLD)) +
      stroke('M200 294v26', GOLD, 3) +
      repeated(11, (at) =>
        stroke(
          `M200 318q${-15 + at * 3} 20 ${-20 + at * 4} 62`,
          at % 2 ? hex : shaded(hex, 0.3),
          2.6,
        ),
      ) +
      rect(192, 316, 16, 12, 4, GOLD)
    );
  return (
    repeated(4, (at) =>
      strung(
        c,
        38 + at * 5,
        (t) =>
          [
            200 + Math.cos(Math.PI * (0.06 + t * 0.88)) * (150 - at * 22) * -1,
            70 + Math.sin(Math.PI * (0.06 + t * 0.88)) * (250 - at * 40),
          ] as const,
        8.6 - at * 0.7,
        at % 2 ? lit(hex, 0.65) : hex,
        6,
      ),
    ) +
    stone(c, 200, 322, 24, lit(hex, 0.1)) +
    disc(200, 322, 27, 'none', `stroke="${GOLD}" stroke-width="4"`) +
    around(12, 200, 322, disc(200, 291, 3.4, '#fbf6ea'))
  );
}

const beaded = (kind: Beads): Drawn => {
  const laid: Draw = (c, hex) => lying(group('translate(0 -8)', beads(c, kind, hex)));
  return {
    front: laid,
    side: (c, hex) =>
      lying(
        rect(50, 60, 300, 284, 20, '#2b1420') +
          rect(64, 74, 272, 256, 12, c.radial(0.35, 0.3, 0.9, [0, '#8a4460'], [1, '#3d1526'])) +
          group('translate(60 52) scale(.7)', beads(c, kind, hex)) +
          path('M50 80q0-20 20-20h260q20 0 20 20l-14 6H64z', '#fff', 'opacity=".08"'),
      ),
    detail: closeUp(laid, kind === 'bridal' ? [200, 300] : [262, 250], 2.5),
  };
};

function pendant(c: Canvas, hex: string): string {
  return (
    stroke('M120 40q6 120 80 176q74-56 80-176', '#b9bec6', 3) +
    repeated(46, (at) => {
      const t = at / 45;
      const x = 120 + 160 * t;
      return disc(x, 40 + 176 * Math.sin(Math.PI * t) ** 0.8, 2, '#e9ecf0');
    }) +
    oval(200, 222, 8, 12, 'none', `stroke="${metal(c, '#c5cad1')}" stroke-width="5"`) +
    path(
      'M200 232l42 52l-42 78l-42-78z',
      c.linear(30, [0, lit(hex, 0.7)], [0.5, hex], [1, shaded(hex, 0.35)]),
    ) +
    path(
      'M200 232l16 52l-16 78l-16-78zM158 284h84',
      'none',
      'stroke="#fff" stroke-opacity=".7" stroke-width="1.6"',
    ) +
    path('M200 232l-42 52h26z', '#fff', 'opacity=".5"') +
    path('M196 226h8l4 12h-16z', metal(c, '#c5cad1')) +
    glint(176, 268, 13)
  );
}

export const jewels: Models = {
  engagement: rings(1),
  promise: rings(5),
  coral: beaded('coral'),
  waist: beaded('waist'),
  bridal: beaded('bridal'),
  prayer: beaded('prayer'),
  pendant: {
    front: (c, hex) => lying(pendant(c, hex)),
    side: (c, hex) =>
      standing(
        path(
          'M112 330q8-70 60-106q-6-40-2-74q30-24 60 0q4 34-2 74q52 36 60 106z',
          cloth(c, '#3a2733'),
        ) + group('translate(80 104) scale(.6)', pendant(c, hex)),
        { x: 200, y: 332, r: 92 },
      ),
    detail: closeUp(pendant, [200, 286], 2.2),
  },
  loose: {
    front: (c, hex) => lying(stone(c, 200, 200, 108, hex) + glint(150, 136, 24)),
    side: (c, hex) =>
      standing(
        path(
          'M92 196l46-58h124l46 58l-108 130z',
          c.linear(50, [0, lit(hex, 0.75)], [0.45, hex], [1, shaded(hex, 0.4)]),
        ) +
          path(
            'M92 196h216M138 138l-6 58l68 130l68-130l-6-58M138 138l62 58l62-58M200 196v130',
            'none',
            'stroke="#fff" stroke-opacity=".65" stroke-width="2"',
          ) +
          path('M138 138l-46 58h40z', '#fff', 'opacity=".5"') +
          path('M200 196l68 0l-68 130z', shaded(hex, 0.3), 'opacity=".35"') +
          glint(150, 156, 18),
        { x: 200, y: 330, r: 34 },
      ),
    detail: closeUp((c, hex) => stone(c, 200, 200, 108, hex), [170, 160], 2.2),
  },
};
