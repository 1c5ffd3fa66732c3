import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawSample, SAMPLE_SIDE } from './draw.js';
import { isKindName, KINDS, objectImage, pictureName } from './earlier.js';
import { SHELVES, sampleObject } from './objects.js';

const everyObject = Object.entries(SHELVES).flatMap(([id, objects]) =>
  objects.map((object) => [Number(id), object] as const),
);

async function drawn(name: string): Promise<Buffer> {
  const picture = await drawSample(name);
  if (picture === null) throw new Error(`${name} was not drawn`);
  return picture;
}

describe('drawing a sample picture', () => {
  it.each(everyObject)('has a drawing for what stands on shelf %i: %s', async (_, object) => {
    const facts = sampleObject(object);
    const side = 64;
    const copy = { x: 0.5, y: 0.5, width: 1, mirrored: false, turn: 0 };
    const { ink } = await objectImage(facts, facts.dyes[0] ?? 'plain', copy, side);
    expect(Math.max(ink.width, ink.height)).toBeGreaterThan(side / 2);
  });

  it.each(Object.keys(KINDS).filter(isKindName))(
    'makes a square webp of the kind %s',
    async (kind) => {
      const name = pictureName({
        subcategoryId: 5,
        object: 'sneaker',
        colourway: 'honey',
        kind,
        seed: 7,
      });
      const { format, width, height } = await sharp(await drawn(name)).metadata();
      expect({ format, width, height }).toEqual({
        format: 'webp',
        width: SAMPLE_SIDE,
        height: SAMPLE_SIDE,
      });
    },
  );

  it('draws the same bytes for the same name, and others for another kind', async () => {
    const title = 'sample-7-fabric-rust-title-1c.webp';
    expect(await drawn(title)).toEqual(await drawn(title));
    expect(await drawn(title)).not.toEqual(await drawn(title.replace('title', 'turned')));
  });

  it('draws nothing for a name that is not one of its own', async () => {
    expect(await drawSample('sample-7-fabric-rust-title-1c.png')).toBeNull();
  });
});
