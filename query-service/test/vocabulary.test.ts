import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareWord, createVocabulary } from '../src/calls/goods/vocabulary.js';

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
  'heavy cotton t-shirt, black',
  "o'neal (usb-c) 4-in-1 wi-fi cable",
  'after-sun gel & cream 50ml',
  'washing powder',
])
  words.add(name);

describe('the words of goods', () => {
  it.each([
    ['frezer', 'freezer'],
    ['freezre', 'freezer'],
    ['refridgerator', 'refrigerator'],
    ['samsnug', 'samsung'],
    ['lether', 'leather'],
    ['t-shrit', 't-shirt'],
    ['shrit', 'shirt'],
    ['usbc', 'usb-c'],
    ["o'neil", "o'neal"],
    ['after-sn', 'after-sun'],
  ])('%s is near %s', (typed, meant) => expect(words.nearest(typed)).toBe(meant));

  it.each(['cup', 'xylophone', 'frzr', '&', '--', ''])('%s is near nothing', (typed) =>
    expect(words.nearest(typed)).toBeNull(),
  );

  it.each([
    ['handbag', 'hand bag'],
    ['handbags', 'hand bag'],
    ['watches', 'watch'],
    ['glasses', 'glass'],
    ['tvs', 'tv'],
    ['bags', 'bag'],
    ['t-shirts', 't-shirt'],
    ['after-sun', 'after sun'],
    ['hand-bags', 'hand bag'],
    ['washing-powder', 'washing powder'],
    ['aftersun', 'after sun'],
    ['tshirt', 't-shirt'],
    ['tshirts', 't-shirt'],
    ['usbc', 'usb-c'],
    ['oneal', "o'neal"],
    ['4in1', '4-in-1'],
    ['wi/fi', 'wi-fi'],
  ])('%s is %s in another form', (typed, form) => expect(words.otherForm(typed)).toBe(form));

  it.each(['bag', 'glass', 'frezer', 'handle', 't-shirt', 'wi-fi', '4-in-1', '&', '-'])(
    '%s has no other form',
    (typed) => expect(words.otherForm(typed)).toBeNull(),
  );

  it('are found by their pieces, as a search does', () => {
    expect(words.holds('freez')).toBe(true);
    expect(words.holds('frezer')).toBe(false);
  });

  it.each(['t-shirt', 'usb-c', "o'neal", '4-in-1', '43', 'n-1', 'sun'])(
    'are held with the signs between their letters: %s',
    (piece) => expect(words.holds(piece)).toBe(true),
  );

  it.each([
    ['"t-shirt",', 't-shirt'],
    ["(o'neal's)", "o'neal's"],
    ['43"', '43'],
    ['&', ''],
    ['', ''],
  ])('%s is %j without the signs around it', (word, bare) => expect(bareWord(word)).toBe(bare));
});

it('offers of words with other signs the most frequent, whatever was learnt first', () => {
  const spelled = createVocabulary();
  for (const name of ['adidas t.shirt', 'black t-shirt', 'plain t-shirt']) spelled.add(name);
  expect(spelled.otherForm('tshirt')).toBe('t-shirt');
});

it.each(['15l', '42', '2024', '1500ml'])('%s is no other number', (typed) => {
  const numbers = createVocabulary();
  for (const name of ['kettle 1.5l', 'size 4.2', '20-24 pieces', '1,500ml']) numbers.add(name);
  expect(numbers.otherForm(typed)).toBe(typed === '1500ml' ? '1,500ml' : null);
});

describe('the words of any names', () => {
  const sign = fc.constantFrom('-', "'", '/', '.', ',', '&', '"', '(', '₦');
  const letters = (maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'ọ', '4', 's'), maxLength });
  const written = fc
    .array(fc.oneof({ weight: 3, arbitrary: letters(4) }, sign), { maxLength: 5 })
    .map((parts) => parts.join(''));
  const name = fc.array(written, { maxLength: 4 }).map((some) => some.join(' '));
  const known = (names: readonly string[]) => {
    const vocabulary = createVocabulary();
    for (const each of names) vocabulary.add(each);
    return vocabulary;
  };

  it('hold a piece where a search finds it, and nowhere else', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), written.map(bareWord), (names, piece) => {
        fc.pre(piece !== '');
        expect(known(names).holds(piece)).toBe(names.some((each) => each.includes(piece)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are offered for words that a search finds', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), written.map(bareWord), (names, typed) => {
        const vocabulary = known(names);
        const offered = [vocabulary.nearest(typed), vocabulary.otherForm(typed)];
        for (const word of offered.flatMap((one) => one?.split(' ') ?? []))
          expect(names.some((each) => each.includes(word))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
