import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKindName, KINDS, parsePictureName, pictureName, type SamplePicture } from './earlier.js';
import { SHELVES, sampleObject } from './objects.js';

const onShelves = Object.entries(SHELVES).flatMap(([id, objects]) =>
  objects.map((object) => ({ subcategoryId: Number(id), object })),
);

const pictures: fc.Arbitrary<SamplePicture> = fc.constantFrom(...onShelves).chain((shelf) =>
  fc.record({
    subcategoryId: fc.constant(shelf.subcategoryId),
    object: fc.constant(shelf.object),
    colourway: fc.constantFrom('plain' as const, ...sampleObject(shelf.object).dyes),
    kind: fc.constantFrom(...Object.keys(KINDS).filter(isKindName)),
    seed: fc.integer({ min: 0, max: 255 }),
  }),
);

describe('the name of a sample picture', () => {
  it('tells everything about the picture', () => {
    fc.assert(
      fc.property(pictures, (picture) => {
        expect(parsePictureName(pictureName(picture))).toEqual(picture);
      }),
    );
  });

  it('is the only name of that picture: any name that parses is what the picture is called', () => {
    const wild = fc.tuple(pictures, fc.nat(60), fc.string({ minLength: 1, maxLength: 2 }));
    fc.assert(
      fc.property(wild, ([picture, at, text]) => {
        const name = pictureName(picture);
        const changed = name.slice(0, at) + text + name.slice(at + text.length);
        const parsed = parsePictureName(changed);
        expect(parsed === null ? null : pictureName(parsed)).toBe(parsed === null ? null : changed);
      }),
    );
  });

  it.each([
    ['nothing at all', ''],
    ['an upload of somebody', '3f0c9b1e-2a77-4a38-9a55-0f4a0f6ad6a1.webp'],
    ['an unknown subcategory', 'sample-29-handbag-plain-title-00.webp'],
    ['a leading zero', 'sample-01-handbag-plain-title-00.webp'],
    ['an object of another subcategory', 'sample-1-phone-plain-title-00.webp'],
    ['an object that only the prototype knows', 'sample-1-constructor-plain-title-00.webp'],
    ['a dye the object does not take', 'sample-19-laptop-red-title-00.webp'],
    ['an unknown kind', 'sample-1-handbag-plain-front-00.webp'],
    ['a seed of three digits', 'sample-1-handbag-plain-title-000.webp'],
    ['a seed in capitals', 'sample-1-handbag-plain-title-0A.webp'],
    ['another format', 'sample-1-handbag-plain-title-00.png'],
    ['a path before it', '../sample-1-handbag-plain-title-00.webp'],
    ['a line after it', 'sample-1-handbag-plain-title-00.webp\n'],
  ])('is not %s', (_, name) => {
    expect(parsePictureName(name)).toBeNull();
  });
});
