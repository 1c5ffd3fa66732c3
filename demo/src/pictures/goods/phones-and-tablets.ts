import type { Canvas } from '../studio/canvas.js';
import { isLight, lit, shaded } from '../studio/colours.js';
import { letters } from '../studio/lettering.js';
import { ball, metal, sheen, wallpaper } from '../studio/materials.js';
import {
  boxed,
  closeUp,
  type Draw,
  type Drawn,
  type Models,
  models,
  standing,
} from '../studio/scene.js';
import { disc, group, path, rect, repeated, roundedPath } from '../studio/shapes.js';
import { type Lens, PHONES, type Slate, TABLETS } from './slate-models.js';

function lensOf(c: Canvas, [x, y, r]: Lens): string {
  return [
    disc(x, y, r, metal(c, '#4d525c', 50)),
    disc(x, y, r * 0.86, '#0b0d13'),
    disc(
      x,
      y,
      r * 0.55,
      c.radial(0.35, 0.3, 0.8, [0, '#5d79a8'], [0.45, '#1b2743'], [1, '#05070c']),
    ),
    disc(x - r * 0.2, y - r * 0.24, r * 0.16, '#dfe9ff', 'opacity=".9"'),
  ].join('');
}

function sleeve(c: Canvas, { w, h }: Slate, hex: string): string {
  const body = rect(
    -13,
    -13,
    w + 26,
    h + 26,
    26,
    c.linear(60, [0, lit(hex, 0.35)], [0.5, hex], [1, shaded(hex, 0.3)]),
  );
  const grip = rect(w / 2 - 46, -34, 92, 40, 18, c.linear(90, [0, lit(hex, 0.4)], [1, hex]));
  return grip + rect(w / 2 - 30, -22, 60, 16, 8, shaded(hex, 0.55)) + body;
}

function eyeOf({ w, h, eye, bezel, chin = 0 }: Slate): string {
  if (eye === 'punch')
    return disc(w / 2, bezel + 10, 4, '#06070a') + disc(w / 2 - 1, bezel + 9, 1.2, '#37496f');
  if (eye === 'drop')
    return path(`M${w / 2 - 13} ${bezel - 0.5}q7 1 8 6a5.4 5.4 0 0 0 10 0q1-5 8-6z`, '#08090c');
  if (eye === 'notch')
    return path(
      `M${w / 2 - 35} ${bezel - 1}h70q-4 1-4 5q-1 9-9 9h-46q-8 0-9-9q0-4-4-5z`,
      '#08090c',
    );
  if (eye === 'home')
    return disc(w - chin / 2, h / 2, 8, 'none', 'stroke="#9aa0aa" stroke-width="1.6"');
  return disc(w / 2, bezel / 2, 1.8, '#3b4458');
}

/** The front, with its upper left corner at 0, 0. */
function face(c: Canvas, slate: Slate, hex: string): string {
  const { w, h, radius, bezel, chin = bezel, hue } = slate;
  const sideways = slate.eye === 'home';
  const [left, bottom] = sideways ? [chin, bezel] : [bezel, chin];
  const screen = [left, bezel, w - 2 * left, h - bezel - bottom] as const;
  const glass = roundedPath(...screen, sideways ? 2 : Math.max(3, radius - bezel));
  const tile = Math.min(w, h) * 0.085;
  const apps = repeated(4, (at) =>
    rect(
      w / 2 - 2.35 * tile * 1.3 + at * tile * 1.62,
      h - bottom - tile * 1.75,
      tile,
      tile,
      tile * 0.28,
      lit(hue, 0.2 + at * 0.2),
      'opacity=".92"',
    ),
  );
  return [
    slate.bumper ? sleeve(c, slate, hex) : '',
    rect(0, 0, w, h, radius, slate.bumper ? '#1b1d22' : metal(c, hex, 90)),
    rect(1.8, 1.8, w - 3.6, h - 3.6, radius - 1.6, '#0a0b0f'),
    wallpaper(c, glass, [...screen], hue),
    apps,
    letters('1245', w / 2, bezel + h * 0.14, h * (w > h ? 0.1 : 0.062), '#ffffff', { weight: 0.1 }),
    eyeOf(slate),
    sheen(c, roundedPath(1.8, 1.8, w - 3.6, h - 3.6, radius - 1.6), 0.2),
  ].join('');
}

function rear(c: Canvas, slate: Slate, hex: string): string {
  const { w, h, radius, plate, plateTone = 'body', mark } = slate;
  const outline = roundedPath(0, 0, w, h, radius);
  const tones = { body: lit(hex, 0.12), dark: '#15171d', metal: '#2b2e36' };
  const tone = tones[plateTone];
  const edge = shaded(hex, 0.4);
  const island = plate
    ? c.within(
        outline,
        rect(
          ...plate,
          c.linear(50, [0, lit(tone, 0.2)], [1, shaded(tone, 0.12)]),
          `stroke="${edge}" stroke-opacity=".55" stroke-width="1.2"`,
        ),
      ) +
      (plateTone === 'metal'
        ? disc(
            plate[0] + plate[2] / 2,
            plate[1] + plate[3] / 2,
            plate[2] / 2 - 3,
            'none',
            'stroke="#d8b26a" stroke-width="2.4"',
          )
        : '')
    : '';
  const ink = isLight(hex) ? shaded(hex, 0.4) : lit(hex, 0.5);
  const middle = w > h ? h * 0.47 : h * 0.56;
  return [
    slate.bumper ? sleeve(c, slate, hex) : '',
    path(
      outline,
      c.linear(
        62,
        [0, lit(hex, 0.42)],
        [0.35, hex],
        [0.62, lit(hex, 0.16)],
        [1, shaded(hex, 0.32)],
      ),
      `stroke="${edge}" stroke-width="1.2"`,
    ),
    sheen(c, outline, 0.16),
    island,
    ...slate.lenses.map((lens) => lensOf(c, lens)),
    slate.flash[0] > 0 ? disc(...slate.flash, 4, ball(c, '#fff3cf')) : '',
    letters(mark, w / 2, middle, mark.length === 1 ? 17 : 9, ink, {
      weight: mark.length === 1 ? 0.22 : 0.14,
    }),
  ].join('');
}

/** The right edge, which shows the thickness. */
function edge(c: Canvas, { h }: Slate, hex: string): string {
  return [
    rect(0, 0, 13, h, 5.5, metal(c, hex)),
    rect(11.5, h * 0.2, 3.4, h * 0.16, 1.5, shaded(hex, 0.35)),
    rect(11.5, h * 0.41, 3.4, h * 0.09, 1.5, shaded(hex, 0.35)),
  ].join('');
}

const pen = (c: Canvas, x: number, y: number): string =>
  group(
    `translate(${x} ${y}) rotate(7)`,
    rect(0, 0, 9, 150, 4, metal(c, '#c9ced6')),
    path('M1 150h7l-3.5 14z', '#3a3d45'),
    rect(2.5, 100, 4, 18, 2, '#9298a2'),
  );

function phone(slate: Slate): Drawn {
  const front: Draw = (c, hex) => {
    const top = 330 - slate.h;
    return standing(
      group(`translate(72 ${top - 8})`, rear(c, slate, hex)) +
        rect(186, top + 6, 20, slate.h - 6, 9, '#000', 'opacity=".2"') +
        group(`translate(192 ${top})`, face(c, slate, hex)),
      { x: 140, y: 322, r: 70 },
      { x: 260, y: 331, r: 70 },
    );
  };
  const side: Draw = (c, hex) =>
    standing(
      group(`translate(88 ${330 - slate.h})`, rear(c, slate, hex)) +
        group(`translate(276 ${330 - slate.h})`, edge(c, slate, hex)),
      { x: 154, y: 331, r: 70 },
      { x: 283, y: 331, r: 14 },
    );
  const alone: Draw = (c, hex) =>
    standing(group(`translate(${200 - slate.w * 0.7} ${12}) scale(1.36)`, face(c, slate, hex)));
  return {
    front,
    side,
    detail: closeUp(side, [126, 390 - slate.h], 2.3),
    box: boxed(alone, { w: 176, h: 256, d: 66, colour: slate.carton, words: slate.words }),
  };
}

function tablet(slate: Slate): Drawn {
  const left = 200 - slate.w / 2;
  const top = 304 - slate.h;
  const large = (art: string): string => group('translate(-36 -52) scale(1.18)', art);
  const front: Draw = (c, hex) =>
    standing(
      large(
        group(`translate(${left - 26} ${top - 44})`, rear(c, slate, hex)) +
          rect(left + 12, top - 4, slate.w, slate.h, slate.radius, '#000', 'opacity=".18"') +
          group(`translate(${left + 16} ${top + 4})`, face(c, slate, hex)) +
          (slate.pen ? pen(c, 350, top + 10) : ''),
      ),
      { x: 214, y: 314 + (slate.bumper ? 14 : 0), r: slate.w * 0.56 },
    );
  const side: Draw = (c, hex) =>
    standing(
      large(
        group(`translate(${left - 22} ${top - 24})`, rear(c, slate, hex)) +
          group(
            `translate(${left + slate.w + (slate.bumper ? 8 : 0)} ${top - 24})`,
            edge(c, slate, hex),
          ),
      ),
      { x: 184, y: 281 + (slate.bumper ? 14 : 0), r: slate.w * 0.56 },
    );
  const alone: Draw = (c, hex) =>
    standing(
      group(
        `translate(${200 - slate.w * 0.66} ${200 - slate.h * 0.66}) scale(1.32)`,
        face(c, slate, hex),
      ),
    );
  return {
    front,
    side,
    detail: closeUp(front, [left + slate.w + 4, top + slate.h - 46], 2),
    box: boxed(alone, { w: 236, h: 206, d: 64, colour: slate.carton, words: slate.words }),
  };
}

export const phones: Models = models<Slate>(PHONES, phone);
export const tablets: Models = models<Slate>(TABLETS, tablet);
