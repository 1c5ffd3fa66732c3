import type { Canvas } from '../studio/canvas.js';
import { COLOURS, lit, mix, shaded } from '../studio/colours.js';
import { ball, cloth, metal, seam, weave } from '../studio/materials.js';
import { type Art, closeUp, type Drawn, lying, type Models, models } from '../studio/scene.js';
import { disc, each, group, oval, path, rect, repeated, stroke } from '../studio/shapes.js';
import { adire, waxPrint } from './fabrics.js';

/** A garment laid out flat, from the front and from the back. */
interface Garment {
  readonly outline: string;
  readonly fill: Art;
  readonly weave: 'cotton' | 'denim' | 'knit' | 'hide';
  /** Folds and creases, as lines of shade. */
  readonly folds: string;
  readonly seams: string;
  readonly front: Art;
  readonly back: Art;
  readonly focus: readonly [number, number];
}

const label = (y: number): string =>
  rect(187, y, 26, 11, 1.5, '#f6f3ea') + rect(192, y + 4.5, 16, 2, 1, '#9a9284');
const button = (c: Canvas, x: number, y: number, hex: string): string =>
  disc(x, y, 4, ball(c, hex)) + disc(x, y, 1, '#0006');
const collarBack = (y: number, r: number, hex: string): string =>
  path(
    `M${200 - r} ${y}q${r} ${r * 0.5} ${2 * r} 0q-${r * 0.3} ${-r * 0.3}-${r} ${-r * 0.3}t${-r} ${r * 0.3}z`,
    shaded(hex, 0.45),
  );

const TEE =
  'M148 62q52 22 104 0q40 12 62 34q28 32 44 84l-58 26q-8-22-16-36q-4 80 2 168q-86 16-172 0q6-88 2-168q-8 14-16 36l-58-26q16-52 44-84q22-22 62-34z';
const JEANS =
  'M128 48h144q8 60 14 120q8 100 4 186q-36 8-70 0q-8-96-20-176q-12 80-20 176q-34 8-70 0q-4-86 4-186q6-60 14-120z';
const DRESS =
  'M160 44q8 22 40 22t40-22l22 6q6 34 18 58q-10 14-16 46q34 92 54 190q-118 34-236 0q20-98 54-190q-6-32-16-46q12-24 18-58z';
const BOUBOU =
  'M162 42q38 24 76 0q70 20 116 66q22 40 20 96q-26 10-58 6q-8-10-14-20q2 84 14 152q-116 26-232 0q12-68 14-152q-6 10-14 20q-32 4-58-6q-2-56 20-96q46-46 116-66z';
const BLOUSE =
  'M156 58q44 40 88 0q44 10 66 30q20 30 30 76q-22 14-50 16q-8-14-16-26q0 70 14 158q-88 22-176 0q14-88 14-158q-8 12-16 26q-28-2-50-16q10-46 30-76q22-20 66-30z';
const COAT =
  'M150 40q50 24 100 0q46 12 64 34q24 70 36 176q-24 12-46 8q-8-44-20-90q-2 104 6 190q-90 14-180 0q8-86 6-190q-12 46-20 90q-22 4-46-8q12-106 36-176q18-22 64-34z';

const stripes = (hex: string): string => {
  const pale = mix(hex, '#ffffff', 0.78);
  return (
    rect(90, 226, 220, 22, 0, pale) +
    rect(90, 256, 220, 8, 0, pale) +
    rect(90, 212, 220, 6, 0, shaded(hex, 0.4))
  );
};

const lapels = (hex: string): string =>
  path(
    'M150 40q10 50 48 96q-30-8-56-30q-6-40 8-66z',
    lit(hex, 0.12),
    `stroke="${shaded(hex, 0.4)}" stroke-width="1.2"`,
  ) +
  path(
    'M250 40q-10 50-48 96q30-8 56-30q6-40-8-66z',
    lit(hex, 0.06),
    `stroke="${shaded(hex, 0.4)}" stroke-width="1.2"`,
  );

const pockets = (hex: string): string =>
  stroke('M136 78q6 30 44 34M264 78q-6 30-44 34', shaded(hex, 0.5), 2) +
  seam('M132 82q6 34 48 36M268 82q-6 34-48 36', '#d8a250');
const backPockets = (hex: string): string =>
  each(
    [150, 216],
    (x) =>
      path(`M${x - 8} 92h52v40l-26 12l-26-12z`, lit(hex, 0.08), `stroke="${shaded(hex, 0.4)}"`) +
      seam(`M${x - 4} 96h44v34l-22 10l-22-10zM${x - 4} 110q22 14 44 0`, '#d8a250'),
  ) + rect(238, 62, 36, 22, 2, '#7a4a25');
const waist = (c: Canvas, hex: string): string =>
  rect(127, 46, 146, 20, 3, shaded(hex, 0.14)) +
  each([140, 172, 222, 254], (x) => rect(x, 43, 8, 27, 2, lit(hex, 0.14))) +
  disc(200, 56, 6, metal(c, '#c08a4a', 45)) +
  seam('M130 62h140', '#d8a250');
const worn = (c: Canvas): string =>
  oval(160, 150, 22, 50, c.radial(0.5, 0.5, 0.5, [0, '#fff', 0.4], [1, '#fff', 0])) +
  oval(240, 150, 22, 50, c.radial(0.5, 0.5, 0.5, [0, '#fff', 0.4], [1, '#fff', 0])) +
  stroke('M228 236l22 4M228 242l20 2M232 230l14 6', '#eef2f6', 2.4) +
  stroke('M134 350h64M206 350h78', '#eaf0f6', 3, 'stroke-dasharray="2 4"');

const GARMENTS = {
  ankara: {
    outline: DRESS,
    fill: waxPrint,
    weave: 'cotton',
    folds: 'M164 174q-14 90-36 170M200 178q2 90-6 176M236 174q14 90 34 170M180 180q-4 60-14 120',
    seams: 'M138 154q62 22 124 0',
    focus: [200, 140],
    front: (_, hex) =>
      path('M136 148q64 24 128 0l2 18q-66 24-132 0z', shaded(hex, 0.35)) +
      path('M160 44q8 22 40 22t40-22l-6-2q-8 14-34 14t-34-14z', shaded(hex, 0.5)) +
      label(50),
    back: (_, hex) =>
      stroke('M200 62v150', shaded(hex, 0.6), 3) +
      rect(197, 62, 6, 12, 2, '#d9dce0') +
      path('M136 148q64 24 128 0l2 18q-66 24-132 0z', shaded(hex, 0.35)),
  },
  tee: {
    outline: TEE,
    fill: cloth,
    weave: 'cotton',
    folds: 'M132 150q10 40 4 80M268 150q-10 40-4 80M160 300q30-20 60-60M250 310q-10-30-40-44',
    seams: 'M116 330q84 14 168 0M60 170l56 26M340 170l-56 26',
    focus: [200, 80],
    front: (_, hex) =>
      path('M148 62q52 44 104 0q-8-4-12-4q-40 26-80 0q-6 1-12 4z', shaded(hex, 0.4)) +
      stroke('M144 64q56 52 112 0', lit(hex, 0.14), 9) +
      stroke('M144 64q56 52 112 0', shaded(hex, 0.3), 1) +
      label(64),
    back: (_, hex) => collarBack(64, 52, hex) + stroke('M146 63q54 24 108 0', lit(hex, 0.14), 8),
  },
  jeans: {
    outline: JEANS,
    fill: cloth,
    weave: 'denim',
    folds:
      'M140 120q20 18 52 14M262 120q-20 18-54 14M146 240q20 8 34 0M222 240q20 8 40 0M150 300q14 6 30 2',
    seams: 'M114 350q36 8 66 0M220 350q34 8 66 0M200 66v100',
    focus: [200, 90],
    front: (c, hex) =>
      waist(c, hex) +
      pockets(hex) +
      stroke('M200 68q10 46-4 90', shaded(hex, 0.4), 1.6) +
      seam('M214 68q8 56-16 88', '#d8a250'),
    back: (c, hex) => waist(c, hex) + backPockets(hex),
  },
  coat: {
    outline: COAT,
    fill: cloth,
    weave: 'hide',
    folds: 'M128 180q6 80-2 160M272 180q-6 80 2 160M170 160q-6 100 0 190',
    seams: 'M112 346q88 12 176 0M60 244l42 8M340 244l-42 8',
    focus: [200, 140],
    front: (c, hex) =>
      path('M158 44q42 66 42 92q0-26 42-92q-42 18-84 0z', '#e9dcc4') +
      lapels(hex) +
      stroke('M200 134v224', shaded(hex, 0.55), 2) +
      each([160, 206, 252, 298], (y) => button(c, 211, y, '#4a3220')) +
      stroke('M128 250l42 12M272 250l-42 12', shaded(hex, 0.5), 5),
    back: (_, hex) =>
      collarBack(46, 50, hex) +
      stroke('M200 60v292', shaded(hex, 0.4), 1.6) +
      rect(150, 196, 100, 16, 5, lit(hex, 0.08), `stroke="${shaded(hex, 0.4)}"`),
  },
  blouse: {
    outline: BLOUSE,
    fill: cloth,
    weave: 'cotton',
    folds:
      'M160 130q-8 90-30 176M196 120q4 100-4 200M240 130q10 90 30 176M120 110q14 20 10 50M280 110q-14 20-10 50',
    seams: 'M112 312q88 22 176 0',
    focus: [200, 120],
    front: (c, hex) =>
      path('M156 58q44 40 88 0q-6-3-10-3q-34 22-68 0q-4 0-10 3z', shaded(hex, 0.42)) +
      path('M172 82q28 26 28 60q-32-20-44-66zM228 82q-28 26-28 60q32-20 44-66z', lit(hex, 0.22)) +
      path(
        'M190 130q10 12 20 0l14 60q-12 6-20-6q-10 14-26 6z',
        lit(hex, 0.3),
        `stroke="${shaded(hex, 0.25)}"`,
      ) +
      button(c, 200, 128, lit(hex, 0.6)),
    back: (c, hex) =>
      collarBack(60, 44, hex) +
      stroke('M200 70v60', shaded(hex, 0.4), 2) +
      button(c, 200, 74, lit(hex, 0.6)),
  },
  boubou: {
    outline: BOUBOU,
    fill: adire,
    weave: 'cotton',
    folds:
      'M150 120q-14 120-34 214M250 120q14 120 34 214M200 150v196M90 130q20 30 14 70M310 130q-20 30-14 70',
    seams: 'M84 342q116 26 232 0',
    focus: [200, 104],
    front: (_, hex) =>
      path('M162 42q38 24 76 0l-16 70q-22 44-44 0z', lit(hex, 0.1)) +
      path('M176 46q24 12 48 0q-4 40-24 62q-20-22-24-62z', shaded(hex, 0.55)) +
      stroke('M170 46q4 54 30 80q26-26 30-80', '#e6c67a', 5) +
      stroke('M200 128v50', '#e6c67a', 5) +
      repeated(5, (at) => disc(200, 136 + at * 10, 2.4, shaded(hex, 0.5))) +
      stroke('M178 150q22 40 44 0', '#e6c67a', 3),
    back: (_, hex) => collarBack(46, 38, hex) + stroke('M164 48q36 18 72 0', '#e6c67a', 4),
  },
  polo: {
    outline: TEE,
    fill: cloth,
    weave: 'knit',
    folds: 'M132 220q10 40 4 80M268 220q-10 40-4 80',
    seams: 'M116 330q84 14 168 0M60 170l56 26M340 170l-56 26',
    focus: [200, 100],
    front: (c, hex) =>
      c.within(TEE, stripes(hex)) +
      path('M188 74h24v70h-24z', lit(hex, 0.16), `stroke="${shaded(hex, 0.35)}"`) +
      each([92, 112, 132], (y) => button(c, 200, y, '#f4f1e8')) +
      path(
        'M148 62q10-10 20-8q14 14 32 18l-14 30q-32-14-38-40zM252 62q-10-10-20-8q-14 14-32 18l14 30q32-14 38-40z',
        lit(hex, 0.2),
        `stroke="${shaded(hex, 0.35)}"`,
      ),
    back: (c, hex) =>
      c.within(TEE, stripes(hex)) +
      path(
        'M148 62q52-16 104 0q4 16-4 26q-48-14-96 0q-8-10-4-26z',
        lit(hex, 0.2),
        `stroke="${shaded(hex, 0.35)}"`,
      ),
  },
  thrift: {
    outline: JEANS,
    fill: (c, hex) =>
      c.radial(0.4, 0.3, 0.9, [0, lit(hex, 0.45)], [0.6, lit(hex, 0.12)], [1, shaded(hex, 0.2)]),
    weave: 'denim',
    folds: 'M140 130q20 18 52 14M262 130q-20 18-54 14M142 246q24 8 40 0M222 250q20 8 40 0',
    seams: 'M114 350q36 8 66 0M220 350q34 8 66 0',
    focus: [234, 236],
    front: (c, hex) =>
      waist(c, hex) + pockets(hex) + worn(c) + stroke('M200 68q10 46-4 90', shaded(hex, 0.4), 1.6),
    back: (c, hex) => waist(c, hex) + backPockets(hex) + worn(c),
  },
} as const satisfies Record<string, Garment>;

export const garments: Models = models<Garment>(GARMENTS, (garment): Drawn => {
  const laid = (c: Canvas, hex: string, side: 'front' | 'back'): string => {
    const { outline, folds, seams } = garment;
    const light = c.linear(28, [0, '#fff', 0.2], [0.45, '#fff', 0], [1, '#0d0f1c', 0.26]);
    return [
      path(outline, garment.fill(c, hex)),
      weave(c, outline, garment.weave),
      c.within(
        outline,
        c.soft(
          4,
          stroke(folds, COLOURS.black, 9, 'opacity=".24"') +
            group('translate(-7 -3)', stroke(folds, '#ffffff', 6, 'opacity=".26"')),
        ),
      ),
      seam(seams, lit(hex, 0.45)),
      garment[side](c, hex),
      path(outline, light),
    ].join('');
  };
  return {
    front: (c, hex) => lying(laid(c, hex, 'front')),
    side: (c, hex) => lying(group('rotate(-7 200 200)', laid(c, hex, 'back'))),
    detail: closeUp((c, hex) => laid(c, hex, 'front'), garment.focus, 2.4),
  };
});
