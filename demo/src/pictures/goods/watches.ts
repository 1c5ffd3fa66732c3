import type { Canvas } from '../studio/canvas.js';
import { isLight, lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { metal, plastic, seam, weave } from '../studio/materials.js';
import {
  boxed,
  closeUp,
  type Draw,
  type Drawn,
  lying,
  type Models,
  models,
  standing,
} from '../studio/scene.js';
import {
  around,
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

interface Watch {
  readonly strap: 'canvas' | 'bracelet' | 'slim' | 'resin' | 'hide';
  readonly dial: 'field' | 'dress' | 'casio' | 'school' | 'skeleton' | 'plain';
  readonly r: number;
  readonly steel: string;
  readonly face?: string;
  readonly words: string;
}

const WATCHES = {
  field: {
    strap: 'canvas',
    dial: 'field',
    r: 74,
    steel: '#8d939c',
    face: '#22262b',
    words: 'NAVIFORCE',
  },
  dress: {
    strap: 'slim',
    dial: 'dress',
    r: 56,
    steel: '#d8ab62',
    face: '#fbf6ea',
    words: 'CURREN',
  },
  casio: {
    strap: 'resin',
    dial: 'casio',
    r: 66,
    steel: '#30343b',
    face: '#b9c3a8',
    words: 'CASIO',
  },
  school: {
    strap: 'resin',
    dial: 'school',
    r: 64,
    steel: '#dfe3e8',
    face: '#fdfdfb',
    words: 'SKMEI',
  },
  skeleton: {
    strap: 'hide',
    dial: 'skeleton',
    r: 78,
    steel: '#cfa14a',
    face: '#1b1a1a',
    words: 'FORSINING',
  },
  couple: { strap: 'bracelet', dial: 'plain', r: 66, steel: '#c5cad1', words: 'NAVIFORCE' },
} as const satisfies Record<string, Watch>;

const CY = 196;

function strapOf(c: Canvas, { strap, r, steel }: Watch, hex: string): string {
  const w = { canvas: 38, bracelet: 36, slim: 19, resin: 40, hide: 38 }[strap];
  const long =
    strap === 'bracelet'
      ? metal(c, steel)
      : c.linear(
          0,
          [0, shaded(hex, 0.35)],
          [0.3, lit(hex, 0.25)],
          [0.7, hex],
          [1, shaded(hex, 0.4)],
        );
  const upper = `M${200 - w} ${CY - r + 8}L${200 - w * 0.78} 26q0-10 10-10h${w * 1.56 - 20}q10 0 10 10L${200 + w} ${CY - r + 8}z`;
  const lower = `M${200 - w} ${CY + r - 8}L${200 - w * 0.78} 364q0 20 ${w * 0.78} 24q${w * 0.78}-4 ${w * 0.78}-24L${200 + w} ${CY + r - 8}z`;
  const both = path(upper, long) + path(lower, long);
  if (strap === 'bracelet') {
    const links = (from: number, count: number) =>
      repeated(count, (at) =>
        rect(200 - w * 0.94, from + at * 13, w * 1.88, 1.6, 0, '#333', 'opacity=".5"'),
      );
    return (
      both +
      links(22, 9) +
      links(CY + r + 2, 9) +
      rect(200 - w * 0.34, 18, 2, CY - r - 12, 0, '#333', 'opacity=".4"') +
      rect(200 + w * 0.34, 18, 2, CY - r - 12, 0, '#333', 'opacity=".4"') +
      rect(200 - w * 0.34, CY + r - 4, 2, 120, 0, '#333', 'opacity=".4"') +
      rect(200 + w * 0.34, CY + r - 4, 2, 120, 0, '#333', 'opacity=".4"')
    );
  }
  const texture =
    strap === 'canvas'
      ? weave(c, upper + lower, 'knit')
      : strap === 'hide'
        ? weave(c, upper + lower, 'hide')
        : '';
  const holes = repeated(5, (at) => oval(200, 300 + at * 16, 3, 4, shaded(hex, 0.7)));
  const edges =
    strap === 'resin'
      ? stroke(
          `M${200 - w * 0.5} 34v${CY - r - 40}M${200 + w * 0.5} 34v${CY - r - 40}M${200 - w * 0.5} ${CY + r + 4}v90M${200 + w * 0.5} ${CY + r + 4}v90`,
          shaded(hex, 0.45),
          3,
        )
      : seam(
          `M${200 - w * 0.72} 30L${200 - w * 0.84} ${CY - r}M${200 + w * 0.72} 30L${200 + w * 0.84} ${CY - r}M${200 - w * 0.84} ${CY + r}L${200 - w * 0.72} 358M${200 + w * 0.84} ${CY + r}L${200 + w * 0.72} 358`,
          lit(hex, 0.5),
        );
  return (
    both +
    texture +
    edges +
    (strap === 'slim' ? '' : holes) +
    rect(
      200 - w * 0.92,
      34,
      w * 1.84,
      13,
      3,
      'none',
      `stroke="${metal(c, steel)}" stroke-width="4"`,
    )
  );
}

function hands(r: number, colour: string, thin: boolean): string {
  const hand = (turn: number, long: number, wide: number, tone: string) =>
    group(
      `rotate(${turn} 200 ${CY})`,
      path(
        `M${200 - wide} ${CY + 8}L${200 - wide * 0.5} ${CY - long}h${wide}L${200 + wide} ${CY + 8}z`,
        tone,
      ),
    );
  return (
    group(
      'translate(1.5 2)',
      hand(-55, r * 0.5, thin ? 1.6 : 3.6, '#0005') + hand(58, r * 0.74, thin ? 1.3 : 2.8, '#0005'),
    ) +
    hand(-55, r * 0.5, thin ? 1.6 : 3.6, colour) +
    hand(58, r * 0.74, thin ? 1.3 : 2.8, colour) +
    hand(190, r * 0.78, 0.9, '#d23b30') +
    disc(200, CY, 3.6, colour)
  );
}

function dialOf(c: Canvas, { dial, r, steel, face }: Watch, hex: string): string {
  const ground = face ?? hex;
  const ink = isLight(ground) ? '#22252b' : '#f1efe6';
  const inner = r * 0.82;
  const plate = disc(
    200,
    CY,
    inner,
    c.radial(0.35, 0.3, 0.9, [0, lit(ground, 0.3)], [0.6, ground], [1, shaded(ground, 0.35)]),
  );
  const ticks = (count: number, long: number, wide: number) =>
    around(count, 200, CY, rect(200 - wide / 2, CY - inner + 3, wide, long, 0.6, ink));
  const numbers = repeated(12, (at) => {
    const turn = ((at + 1) * Math.PI) / 6;
    return letters(
      String(at + 1),
      200 + Math.sin(turn) * inner * 0.76,
      CY - Math.cos(turn) * inner * 0.76 - 5,
      10,
      ink,
      { weight: 0.18 },
    );
  });
  const faces: Readonly<Record<Watch['dial'], string>> = {
    field: plate + ticks(60, 4, 1) + numbers + hands(inner, '#f1efe6', false),
    dress:
      plate +
      around(12, 200, CY, path(`M200 ${CY - inner + 4}l3 5l-3 5l-3-5z`, '#c9984a')) +
      oval(200, CY + inner * 0.4, 3, 3, '#c9984a') +
      hands(inner, '#a87b33', true),
    plain:
      plate +
      ticks(12, 11, 3.4) +
      rect(200 + inner * 0.5, CY - 7, 17, 14, 1, '#fbfbf8') +
      letters('23', 200 + inner * 0.5 + 8.5, CY - 4, 8, '#222') +
      letters('NF', 200, CY - inner * 0.5, 9, ink) +
      hands(inner, ink, true),
    school:
      plate +
      ticks(60, 5, 1) +
      numbers +
      disc(200, CY, inner * 0.3, hex, 'opacity=".25"') +
      hands(inner, hex, false),
    casio: '',
    skeleton:
      plate +
      around(9, 200, CY, stroke(`M200 ${CY - inner * 0.2}V${CY - inner * 0.9}`, steel, 2)) +
      gear(c, 176, CY - 20, 19, steel) +
      gear(c, 222, CY + 18, 23, '#b5bac2') +
      gear(c, 184, CY + 30, 14, '#d7b066') +
      disc(200, CY, inner - 3, 'none', `stroke="${steel}" stroke-width="7"`) +
      around(12, 200, CY, rect(198.6, CY - inner, 2.8, 8, 0, '#1b1a1a')) +
      hands(inner, '#f4ead0', true),
  };
  return faces[dial];
}

const gear = (c: Canvas, x: number, y: number, r: number, hex: string): string =>
  around(14, x, y, rect(x - 1.6, y - r - 2.4, 3.2, 5, 0.5, hex)) +
  disc(x, y, r, metal(c, hex, 45)) +
  disc(x, y, r * 0.62, '#1b1a1a') +
  around(4, x, y, rect(x - 1.2, y - r * 0.7, 2.4, r * 0.7, 0, hex)) +
  disc(x, y, r * 0.18, '#d2303a');

function caseOf(c: Canvas, watch: Watch, hex: string): string {
  const { r, steel, dial } = watch;
  if (dial === 'casio') {
    const outer = roundedPath(200 - r - 6, CY - r - 6, 2 * r + 12, 2 * r + 12, 24);
    return (
      path(outer, plastic(c, steel)) +
      rect(200 - r + 4, CY - r + 4, 2 * r - 8, 2 * r - 8, 12, '#15171b') +
      rect(200 - r + 14, CY - 24, 2 * r - 28, 54, 4, watch.face ?? '#b9c3a8') +
      letters('10 58', 200, CY - 10, 30, '#1c2018', { weight: 0.16, most: r * 1.4 }) +
      letters('CASIO', 200, CY - r + 16, 9, '#f0f0ea') +
      letters('WATER RESIST', 200, CY + r - 22, 5, '#8fc3ea') +
      repeated(2, (at) => rect(200 + r + 4, CY - 36 + at * 54, 9, 18, 3, '#5d636c')) +
      stroke(`M${200 - r + 8} ${CY - r + 34}h${2 * r - 16}`, hex, 3)
    );
  }
  const lugs = path(
    `M${200 - 46} ${CY - r - 6}h14v20h-14zM${200 + 32} ${CY - r - 6}h14v20h-14zM${200 - 46} ${CY + r - 14}h14v20h-14zM${200 + 32} ${CY + r - 14}h14v20h-14z`,
    metal(c, steel, 90),
  );
  return [
    watch.strap === 'slim' ? '' : lugs,
    rect(200 + r - 3, CY - 8, 15, 16, 4, metal(c, steel, 90)),
    disc(200, CY, r, metal(c, steel, 50)),
    disc(200, CY, r * 0.9, metal(c, lit(steel, 0.2), 230)),
    dialOf(c, watch, hex),
    path(
      `M${200 - r * 0.68} ${CY - r * 0.36}a${r * 0.78} ${r * 0.78} 0 0 1 ${r} ${-r * 0.36}q-${r * 0.7} ${r * 0.1}-${r} ${r * 0.36}z`,
      '#fff',
      'opacity=".3"',
    ),
  ].join('');
}

function watch(item: Watch): Drawn {
  const whole = (c: Canvas, hex: string) => strapOf(c, item, hex) + caseOf(c, item, hex);
  const front: Draw = (c, hex) => lying(group('rotate(12 200 200)', whole(c, hex)));
  /** The watch around its cushion, seen from the crown. */
  const side: Draw = (c, hex) => {
    const w = item.strap === 'slim' ? 15 : 24;
    const band = item.strap === 'bracelet' ? item.steel : hex;
    return standing(
      [
        rect(132, 196, 136, 130, 30, c.linear(90, [0, '#fdfaf3'], [1, '#d9d0c0'])),
        oval(200, 262, 116, 66, 'none', `stroke="${shaded(band, 0.35)}" stroke-width="${w}"`),
        path('M84 262a116 66 0 0 0 232 0', 'none', `stroke="${band}" stroke-width="${w}"`),
        path(
          'M86 270a116 66 0 0 0 228 0',
          'none',
          'stroke="#fff" stroke-opacity=".25" stroke-width="3"',
        ),
        group(
          'translate(0 96) translate(200 0) scale(1 .74) translate(-200 0)',
          caseOf(c, item, hex),
        ),
      ].join(''),
      { x: 200, y: 334, r: 116 },
    );
  };
  return {
    front,
    side,
    detail: closeUp(front, [196, 186], 2.1),
    box: boxed(
      (c, hex) => group('translate(200 200) scale(.9) translate(-200 -200)', whole(c, hex)),
      { w: 178, h: 190, d: 150, colour: '#24262c', words: item.words },
    ),
  };
}

interface Timer {
  readonly laps: boolean;
}

function stopwatch(c: Canvas, { laps }: Timer, hex: string): string {
  const cord =
    stroke('M200 96q-70-60-120-10t30 70', shaded(hex, 0.5), 6) +
    stroke('M200 96q-70-60-120-10t30 70', lit(hex, 0.2), 3);
  if (laps)
    return (
      cord +
      rect(178, 84, 44, 24, 8, plastic(c, '#3a3d44')) +
      path('M128 120q72-44 144 0l24 60q16 90-40 146q-56 24-112 0q-56-56-40-146z', plastic(c, hex)) +
      path('M140 158q60-20 120 0v96H140z', '#17191d') +
      rect(148, 168, 104, 76, 4, '#bac6a9') +
      letters('12 48 07', 200, 178, 17, '#20251b', { most: 92 }) +
      letters('LAP 30', 200, 206, 10, '#20251b') +
      letters('0 58 21', 200, 224, 12, '#20251b') +
      each(
        [152, 248],
        (x) => disc(x, 284, 17, plastic(c, '#e7e9ec')) + disc(x, 284, 11, shaded(hex, 0.2)),
      )
    );
  return [
    cord,
    rect(188, 84, 24, 34, 5, metal(c, '#b8bdc5')) + rect(180, 74, 40, 18, 7, metal(c, '#d7dbe0')),
    group('rotate(38 200 222)', rect(190, 98, 20, 24, 5, metal(c, '#b8bdc5'))),
    disc(200, 222, 108, plastic(c, hex)) +
      disc(200, 222, 92, metal(c, '#c9ced6', 50)) +
      disc(200, 222, 84, c.radial(0.35, 0.3, 0.9, [0, '#ffffff'], [1, '#dedbd2'])),
    around(60, 200, 222, rect(199.4, 142, 1.2, 7, 0, '#222')) +
      around(12, 200, 222, rect(198.4, 142, 3.2, 13, 0, '#222')),
    repeated(12, (at) =>
      letters(
        String(at * 5 || 60),
        200 + Math.sin((at * Math.PI) / 6) * 58,
        217 - Math.cos((at * Math.PI) / 6) * 58,
        9,
        '#222',
      ),
    ),
    disc(200, 252, 20, 'none', 'stroke="#888" stroke-width="1.4"') +
      stroke('M200 252l8-12', '#222', 1.6),
    group('rotate(42 200 222)', path('M198 240L199.4 148h1.2L202 240z', '#d23b30')) +
      disc(200, 222, 5, '#d23b30'),
    path('M128 186a80 80 0 0 1 92-42q-62 10-92 42z', '#fff', 'opacity=".7"'),
  ].join('');
}

const timer = (item: Timer): Drawn => ({
  front: (c, hex) => lying(stopwatch(c, item, hex)),
  side: (c, hex) =>
    lying(
      group(
        'translate(200 215) rotate(24) scale(.34 1) translate(-200 -215)',
        stopwatch(c, item, shaded(hex, 0.1)),
      ) +
        group(
          'translate(60 60) rotate(24 200 215)',
          rect(214, 110, 34, 210, 16, plastic(c, shaded(hex, 0.2))),
        ),
    ),
  detail: closeUp((c, hex) => stopwatch(c, item, hex), [210, 200], 2.2),
  box: boxed((c, hex) => stopwatch(c, item, hex), {
    w: 160,
    h: 210,
    d: 74,
    colour: (hex) => hex,
    words: 'STOPWATCH',
  }),
});

export const watches: Models = {
  ...models<Watch>(WATCHES, watch),
  ...models<Timer>({ sports: { laps: false }, coach: { laps: true } }, timer),
};
