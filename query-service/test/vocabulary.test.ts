import { describe, expect, it } from 'vitest';
import { createVocabulary } from '../src/calls/goods/vocabulary.js';

const words = createVocabulary();
for (const name of [
  'thermocool chest freezer, 200 litres',
  'table freezer',
  'leather hand bag',
  'laptop bag',
  'school bags',
  'ladies watch',
  'glass cup',
  'samsung tv 43"',
  'refrigerator',
])
  words.learn(name);

describe('the words of goods', () => {
  it.each([
    ['frezer', 'freezer'],
    ['freezre', 'freezer'],
    ['refridgerator', 'refrigerator'],
    ['samsnug', 'samsung'],
    ['lether', 'leather'],
  ])('%s is near %s', (typed, meant) => expect(words.nearest(typed)).toBe(meant));

  it.each(['cup', 'xylophone', 'frzr'])('%s is near nothing', (typed) =>
    expect(words.nearest(typed)).toBeNull(),
  );

  it.each([
    ['handbag', 'hand bag'],
    ['handbags', 'hand bag'],
    ['watches', 'watch'],
    ['glasses', 'glass'],
    ['tvs', 'tv'],
    ['bags', 'bag'],
  ])('%s is %s in another form', (typed, form) => expect(words.otherForm(typed)).toBe(form));

  it.each(['bag', 'glass', 'frezer', 'handle'])('%s has no other form', (typed) =>
    expect(words.otherForm(typed)).toBeNull(),
  );

  it('are found by their pieces, as a search does', () => {
    expect(words.holds('freez')).toBe(true);
    expect(words.holds('frezer')).toBe(false);
  });
});
