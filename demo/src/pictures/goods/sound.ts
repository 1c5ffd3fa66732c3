import type { Canvas } from '../studio/canvas.js';
import { lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { metal, plastic, wood } from '../studio/materials.js';
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
import { corner, disc, group, oval, rect, repeated, stroke } from '../studio/shapes.js';

interface Phones {
  readonly band: 'plain' | 'cushion' | 'neck' | 'steel';
  readonly cup: readonly [w: number, h: number];
  readonly microphone?: boolean;
  readonly cable?: boolean;
  readonly light?: boolean;
  readonly words: string;
}

const HEADPHONES = {
  oraimo: { band: 'plain', cup: [56, 78], words: 'ORAIMO' },
  gaming: {
    band: 'cushion',
    cup: [66, 92],
    microphone: true,
    cable: true,
    light: true,
    words: 'HAVIT GAMING',
  },
  jbl: { band: 'plain', cup: [48, 62], words: 'JBL TUNE' },
  player: { band: 'cushion', cup: [60, 74], words: 'ZEALOT' },
  sports: { band: 'neck', cup: [40, 46], words: 'HAVIT SPORT' },
  studio: { band: 'steel', cup: [70, 90], cable: true, words: 'SONY STUDIO' },
} as const satisfies Record<string, Phones>;

function headset(c: Canvas, item: Phones, hex: string): string {
  const {
    band,
    cup: [w, h],
    microphone,
    cable,
    light,
  } = item;
  const arcs = {
    plain: ['M92 240q-10-172 108-172t108 172', 17],
    cushion: ['M88 240q-14-178 112-178t112 178', 26],
    neck: ['M110 188q-34 128 90 132t90-132', 13],
    steel: ['M92 236q-8-166 108-166t108 166', 9],
  } as const;
  const [arc, width] = arcs[band];
  const cy = band === 'neck' ? 176 : 250;
  const cup = (x: number, flip: number) =>
    group(
      `translate(${x} ${cy}) scale(${flip} 1)`,
      rect(
        -w * 0.1,
        -h * 0.44,
        w * 0.62,
        h * 0.88,
        w * 0.26,
        c.linear(90, [0, '#4a4d55'], [0.5, '#1d1f24'], [1, '#0c0d10']),
      ),
      rect(-w * 0.52, -h * 0.5, w * 0.6, h, w * 0.28, plastic(c, hex)),
      oval(
        -w * 0.26,
        0,
        w * 0.18,
        h * 0.34,
        c.linear(60, [0, lit(hex, 0.4)], [1, shaded(hex, 0.3)]),
      ),
      light
        ? oval(-w * 0.26, 0, w * 0.14, h * 0.26, 'none', 'stroke="#59f0d0" stroke-width="3"')
        : stroke(`M${-w * 0.36} ${-h * 0.3}q-8 20-2 60`, '#fff', 2, 'opacity=".35"'),
    );
  const [left, right] = band === 'neck' ? [112, 288] : [96, 304];
  return [
    cable ? stroke('M86 296q-20 70 60 64t150 8', '#1c1e23', 5) : '',
    stroke(arc, shaded(hex, 0.5), width + 3) +
      stroke(arc, band === 'steel' ? metal(c, '#c5cad1') : hex, width) +
      group('translate(-2 -3)', stroke(arc, '#fff', width * 0.22, 'opacity=".32"')),
    band === 'cushion' || band === 'steel'
      ? stroke('M138 96q62-44 124 0', '#1b1d22', 17) +
        stroke('M140 93q60-40 120 0', '#fff', 3, 'opacity=".18"')
      : '',
    band === 'neck'
      ? ''
      : rect(82, 172, 20, 50, 6, metal(c, '#aab0b8')) +
        rect(298, 172, 20, 50, 6, metal(c, '#aab0b8')),
    cup(left, 1) + cup(right, -1),
    microphone
      ? stroke('M82 274q10 70 78 66', '#1b1d22', 6) + rect(150, 330, 34, 17, 8, '#2a2d33')
      : '',
  ].join('');
}

function folded(c: Canvas, item: Phones, hex: string): Scene {
  const {
    cup: [w, h],
  } = item;
  const cup = (x: number, y: number, turn: number) =>
    group(
      `translate(${x} ${y}) rotate(${turn})`,
      oval(0, 0, w * 1.06, h * 0.82, plastic(c, hex)) +
        oval(0, 0, w * 0.9, h * 0.68, '#15161a') +
        oval(0, 0, w * 0.88, h * 0.66, 'none', 'stroke="#43464e" stroke-width="14"') +
        oval(
          0,
          0,
          w * 0.5,
          h * 0.36,
          c.pattern(
            7,
            7,
            '<rect width="7" height="7" fill="#26282e"/><circle cx="3.5" cy="3.5" r="1.7" fill="#0a0b0d"/>',
          ),
        ),
    );
  const arc = 'M84 258q10-196 126-196t112 190';
  return lying(
    stroke(arc, shaded(hex, 0.5), 20) +
      stroke(arc, hex, 17) +
      stroke('M118 140q34-66 92-66t84 62', '#1b1d22', 12) +
      cup(112, 258, 16) +
      cup(292, 258, -16),
  );
}

/** Foldable headphones are shown lying first, the others standing. */
function overEar(item: Phones): Drawn {
  const foot = item.band === 'neck' ? 322 : item.cable ? 362 : 252 + item.cup[1] / 2;
  const upright: Draw = (c, hex) => standing(headset(c, item, hex), { x: 200, y: foot, r: 126 });
  const laid: Draw = (c, hex) => folded(c, item, hex);
  const folds = item.band === 'plain' || item.words === 'ZEALOT';
  return {
    front: folds ? laid : upright,
    side: folds ? upright : laid,
    detail: closeUp(laid, [140, 240], 1.9),
    box: boxed(upright, { w: 186, h: 214, d: 90, colour: (hex) => hex, words: item.words }),
  };
}

interface Radio {
  readonly w: number;
  readonly h: number;
  readonly d: number;
  readonly look: 'torch' | 'quran' | 'cube' | 'wood' | 'pocket';
  readonly words: string;
}

const RADIOS = {
  rechargeable: { w: 226, h: 150, d: 80, look: 'torch', words: 'SONIK' },
  quran: { w: 150, h: 176, d: 130, look: 'quran', words: 'EQUANTU' },
  church: { w: 184, h: 124, d: 76, look: 'cube', words: 'SAACHI' },
  wooden: { w: 252, h: 156, d: 100, look: 'wood', words: 'PANASONIC' },
  pocket: { w: 116, h: 196, d: 44, look: 'pocket', words: 'KCHIBO' },
} as const satisfies Record<string, Radio>;

function grille(c: Canvas, x: number, y: number, r: number): string {
  return (
    disc(x, y, r, metal(c, '#9da3ac', 45)) +
    disc(
      x,
      y,
      r * 0.9,
      c.pattern(
        6,
        6,
        '<rect width="6" height="6" fill="#2a2d33"/><circle cx="3" cy="3" r="1.7" fill="#0c0d10"/>',
      ),
    ) +
    disc(x, y, r * 0.34, c.radial(0.35, 0.3, 0.8, [0, '#6c717a'], [1, '#1c1e22']))
  );
}

function scale(x: number, y: number, w: number): string {
  return (
    rect(x, y, w, 24, 3, '#1a2330') +
    repeated(15, (at) =>
      stroke(`M${x + 6 + at * ((w - 12) / 14)} ${y + 4}v${at % 5 === 0 ? 9 : 5}`, '#f3d489', 1),
    ) +
    letters('FM 88 92 96 100 104', x + w / 2, y + 15, 5, '#f3d489', { most: w - 14 }) +
    stroke(`M${x + w * 0.62} ${y + 2}v20`, '#e2402f', 1.8)
  );
}

function radioFace(c: Canvas, { w, h, look }: Radio, hex: string): string {
  const knob = (x: number, y: number, r: number) =>
    disc(x, y, r, metal(c, '#c3c8cf', 45)) +
    disc(x, y, r * 0.7, '#33363d') +
    stroke(`M${x} ${y}l${r * 0.35}-${r * 0.5}`, '#fff', 1.8);
  const body = rect(0, 0, w, h, 8, look === 'wood' ? wood(c, hex) : plastic(c, hex));
  const keys = (x: number, y: number, count: number) =>
    repeated(count, (at) => rect(x + at * 19, y, 15, 9, 3, '#f0f1f3'));
  const faces: Readonly<Record<Radio['look'], string>> = {
    torch:
      grille(c, 58, 88, 46) +
      scale(116, 22, 96) +
      rect(116, 56, 96, 30, 3, '#0f1f17') +
      letters('MP3 0135', 164, 64, 13, '#6df0a0', { most: 84 }) +
      keys(118, 96, 5) +
      knob(194, 126, 13) +
      disc(36, 20, 9, '#fff7d6') +
      disc(60, 20, 9, '#fff7d6'),
    quran:
      rect(
        14,
        14,
        w - 28,
        h - 28,
        12,
        c.pattern(
          24,
          24,
          `<rect width="24" height="24" fill="${lit(hex, 0.18)}"/><path d="M12 0l3 9 9 3-9 3-3 9-3-9-9-3 9-3z" fill="none" stroke="#e2c06f" stroke-width="1.2"/>`,
        ),
      ) +
      rect(30, 62, w - 60, 54, 8, '#10231c') +
      letters('114', w / 2, 72, 26, '#7df0b5') +
      keys(40, 132, 4),
    cube:
      grille(c, 50, 64, 36) +
      grille(c, w - 50, 64, 36) +
      rect(w / 2 - 22, 22, 44, 20, 3, '#10202e') +
      letters('12', w / 2, 27, 10, '#7fd0ff') +
      keys(w / 2 - 18, 98, 2) +
      disc(w / 2, 66, 9, '#f0f1f3'),
    wood:
      rect(
        12,
        14,
        112,
        h - 28,
        5,
        c.pattern(
          5,
          5,
          '<rect width="5" height="5" fill="#d9c398"/><path d="M0 0l5 5M5 0L0 5" stroke="#8a6f42" stroke-width=".9"/>',
        ),
      ) +
      scale(136, 22, 104) +
      scale(136, 52, 104) +
      knob(162, 110, 22) +
      knob(218, 110, 15) +
      rect(8, 8, w - 16, h - 16, 6, 'none', 'stroke="#d7b066" stroke-width="2"'),
    pocket:
      grille(c, w / 2, 138, 44) +
      scale(12, 30, w - 24) +
      knob(w - 22, 74, 11) +
      rect(14, 66, 50, 16, 3, '#f0f1f3') +
      letters('KCHIBO', 39, 70, 7, '#333', { most: 44 }),
  };
  return body + faces[look];
}

function radio(item: Radio): Drawn {
  const { w, h, d, look } = item;
  const [x, y] = [200 - w * 0.42 - d * 0.25, 316 - h - w * 0.13];
  const rod =
    look === 'quran' || look === 'cube'
      ? ''
      : stroke(
          `M${x + w * 0.8} ${y + 8}L${x + w * 0.8 + 66} ${Math.max(28, y - 120)}`,
          '#b5bac2',
          3.4,
        ) + disc(x + w * 0.8 + 66, Math.max(28, y - 120), 4, '#dfe3e8');
  const grip =
    look === 'torch' || look === 'cube'
      ? stroke(`M${x + 26} ${y + 4}q6-40 40-40l${w * 0.5} 14q20 6 16 38`, '#2c2f36', 9)
      : '';
  const front: Draw = (c, hex) =>
    standing(
      rod +
        grip +
        corner(
          { x, y, w, h, d },
          {
            front: radioFace(c, item, hex),
            right:
              rect(0, 0, d, h, 0, c.linear(90, [0, shaded(hex, 0.3)], [1, shaded(hex, 0.5)])) +
              rect(d * 0.3, h * 0.6, d * 0.4, 12, 3, '#0d0e11') +
              disc(d * 0.5, h * 0.3, 5, '#0d0e11'),
            top: lit(hex, 0.35),
          },
        ),
      { x: 200, y: 308, r: w * 0.5 },
    );
  const flat: Draw = (c, hex) =>
    lying(
      group(`translate(${200 - w * 0.7} ${200 - h * 0.7}) scale(1.4)`, radioFace(c, item, hex)),
    );
  return {
    front,
    side: flat,
    detail: closeUp(flat, [200 + w * 0.32, 200 - h * 0.3], 1.9),
    box: boxed(front, { w: 206, h: 190, d: 100, colour: '#e7dcc8', words: item.words }),
  };
}

export const headphones: Models = models<Phones>(HEADPHONES, overEar);
export const radios: Models = models<Radio>(RADIOS, radio);
