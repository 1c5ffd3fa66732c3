import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawSample, photograph, SAMPLE_SIDE } from './draw.js';
import { GOODS } from './goods/index.js';
import { drawingOf, hexOf, parseShot, shotName, viewsOf } from './shots.js';

const drawings = Object.entries(GOODS).flatMap(([type, models]) =>
  Object.keys(models).map((model) => `${type}/${model}`),
);

/** Upper bound for the file of a 640-pixel picture; most are a quarter of it. */
const MOST_BYTES = 60_000;
/** Side in pixels for comparing pictures: small enough to be quick, large enough to tell two products apart. */
const SEEN = 32;
/** Side of the pictures that are only compared: drawing takes as long as they are large. */
const GLANCED = 4 * SEEN;
/** Smallest accepted difference between two pictures: the mean over channel values from 0 to 255. */
const APART = 1;

async function drawn(name: string): Promise<Buffer> {
  const picture = await drawSample(name);
  if (picture === null) throw new Error(`${name} was not drawn`);
  return picture;
}

const small = (picture: Buffer): Promise<Buffer> =>
  sharp(picture).resize(SEEN, SEEN).removeAlpha().raw().toBuffer();

type View = 'front' | 'side' | 'detail' | 'box';
const shotOf = (drawing: string, view: View) =>
  ({ drawing, colour: 'teal', view, ground: 1 }) as const;

async function seen(drawing: string, view: View): Promise<Buffer> {
  const draw = drawingOf(drawing)?.[view];
  if (draw === undefined) throw new Error(`${drawing} has no ${view}`);
  return small(await photograph(draw, hexOf(shotOf(drawing, view)), 1, GLANCED));
}

function distance(one: Buffer, other: Buffer): number {
  const steps = [...one].map((value, at) => Math.abs(value - (other[at] ?? 0)));
  return steps.reduce((sum, step) => sum + step, 0) / steps.length;
}

const nameOf = (drawing: string, view: View) => shotName(shotOf(drawing, view));

describe('the pictures of a model', () => {
  it.each(drawings)('show %s from different sides, within the bounds', async (drawing) => {
    const model = drawingOf(drawing);
    if (model === undefined) throw new Error('there is no such drawing');
    const views = viewsOf(model);
    // Each model shows another of its sides in full.
    const view = views[drawings.indexOf(drawing) % views.length] ?? 'front';
    const whole = await drawn(nameOf(drawing, view));
    expect(whole.length, view).toBeLessThan(MOST_BYTES);
    const { format, width, height } = await sharp(whole).metadata();
    expect([format, width, height], view).toEqual(['webp', SAMPLE_SIDE, SAMPLE_SIDE]);
    const [first = Buffer.alloc(0), ...others] = await Promise.all(
      views.map((each) => seen(drawing, each)),
    );
    for (const other of others) expect(distance(first, other)).toBeGreaterThan(APART);
  });

  it.each(Object.entries(GOODS))(
    'of type %s look different from model to model',
    async (type, models) => {
      const fronts = await Promise.all(
        Object.keys(models).map((model) => seen(`${type}/${model}`, 'front')),
      );
      for (const [at, one] of fronts.entries())
        for (const other of fronts.slice(at + 1))
          expect(distance(one, other)).toBeGreaterThan(APART / 4);
    },
  );

  it('are the same bytes for the same name, and others in another colour', async () => {
    const name = nameOf('phone/spark', 'front');
    expect(await drawn(name)).toEqual(await drawn(name));
    expect(await drawn(name)).not.toEqual(await drawn(name.replace('teal', 'red')));
  });
});

describe('the name of a shot', () => {
  it('tells everything about it', () => {
    for (const drawing of drawings) {
      const shot = { drawing, colour: 'navy', view: 'side', ground: 3 } as const;
      expect(parseShot(shotName(shot))).toEqual(shot);
    }
  });

  it.each([
    ['a type that is not drawn', 'sample-boat-spark-navy-front-1.webp'],
    ['a model of another type', 'sample-phone-thinkpad-navy-front-1.webp'],
    ['a model that only the prototype knows', 'sample-phone-constructor-navy-front-1.webp'],
    ['a colour that is none', 'sample-phone-spark-plain-front-1.webp'],
    ['a view that the model lacks', 'sample-tv-crt-navy-box-1.webp'],
    ['a studio that is not there', 'sample-phone-spark-navy-front-9.webp'],
    ['another format', 'sample-phone-spark-navy-front-1.png'],
    ['a path before it', '../sample-phone-spark-navy-front-1.webp'],
    ['a line after it', 'sample-phone-spark-navy-front-1.webp\n'],
  ])('is not %s', (_, name) => {
    expect(parseShot(name)).toBeNull();
  });
});
