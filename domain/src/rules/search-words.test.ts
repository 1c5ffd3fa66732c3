import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNames, matchesWords } from '../../test/names.js';
import { fold, searchWords } from './search-words.js';

/** Letters and their form without case and marks, written by hand. */
const letters = { a: 'a', A: 'a', é: 'e', ọ: 'o', Ọ̀: 'o', ń: 'n', Ｂ: 'b', '7': '7', ' ': ' ' };
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...Object.entries(letters)), { maxLength }).map((pairs) => ({
    written: pairs.map(([letter]) => letter).join(''),
    plain: pairs.map(([, letter]) => letter).join(''),
  }));

describe('search words', () => {
  it('match as a naive search by hand does', () => {
    fc.assert(
      fc.property(text(12), text(6), (name, query) => {
        const words = searchWords(query.written);
        const isShort = [...query.written.trim()].length < 3;
        expect(words === null).toBe(isShort);
        if (words === null) return;
        const naive = query.plain.split(' ').every((word) => name.plain.includes(word));
        expect(matchesWords(name.written, words)).toBe(naive);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['  ba ', null],
    ['bag', ['bag']],
    [' Red  BAG red', ['red', 'bag']],
    ['a bc', ['a', 'bc']],
    ['bag handbag a', ['handbag']],
    ['a e i o u r s t n l m d k g h', ['a', 'e', 'i', 'o', 'u', 'r', 's', 't', 'n', 'l', 'm', 'd']],
    ['\u0301\u0301\u0301', null],
  ])('of %j are %j', (query, words) => expect(searchWords(query)).toEqual(words));

  it('stand inside words too, whatever their case and marks', () => {
    expect(matchesWords('Ọ̀já Handbag', ['oja', 'andb'])).toBe(true);
    expect(matchesWords('Handbag', ['bag', 'shoe'])).toBe(false);
  });

  it.each([
    ['a zero-width space', '\u200Bhand\u200Bbag\u200B'],
    ['a soft hyphen', 'hand\u00ADbag'],
    ['marks of the reading direction', '\u202Ahandbag\u202C\u200E'],
    ['a byte order mark', '\uFEFFhandbag'],
    ['a control character', 'hand\u0002bag\u0000'],
  ])('are found with %s pasted into them, and in a name that has some', (_, pasted) => {
    expect(searchWords(pasted)).toEqual(['handbag']);
    expect(matchesWords(`Red ${pasted}`, ['handbag'])).toBe(true);
  });

  it('are counted without the signs that nobody sees', () => {
    expect(searchWords('ba\u200B\u200B')).toBeNull();
    expect(searchWords('\u200B\u200B\u200B')).toBeNull();
  });

  it.each(["'", '\u2018', '\u2019', '\u02BC', '\u2032', '\u00B4', '`', '\uFF07'])(
    'take %j for an apostrophe, in the search and in the name',
    (sign) => {
      expect(searchWords(`Men${sign}s`)).toEqual(["men's"]);
      expect(matchesWords(`Men${sign}s shoes`, ["men's"])).toBe(true);
    },
  );

  it.each(['"', '\u201C', '\u201D', '\u201E', '\u201F', '\u2033', '\u00AB', '\u00BB', '\uFF02'])(
    'take %j for a double quote, in the search and in the name',
    (sign) => {
      expect(searchWords(`43${sign} tv`)).toEqual(['43"', 'tv']);
      expect(matchesWords(`LG 43${sign} TV`, ['43"', 'tv'])).toBe(true);
    },
  );

  it.each([
    ...['-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212'],
    ...['\uFE58', '\uFE63', '\uFF0D'],
  ])('take %j for a hyphen, in the search and in the name', (sign) => {
    expect(searchWords(`T${sign}Shirt`)).toEqual(['t-shirt']);
    expect(matchesWords(`Red T${sign}shirt`, ['t-shirt'])).toBe(true);
  });
});

describe('the fold', () => {
  it('of folded text is the same text', () => {
    fc.assert(
      fc.property(text(10), ({ written }) => {
        expect(fold(fold(written))).toBe(fold(written));
      }),
    );
  });

  it('orders names without regard to case and marks', () => {
    const names = ['zebra', 'Ọ̀já', 'apple', 'Bag', 'oka'];
    expect(names.sort(compareNames)).toEqual(['apple', 'Bag', 'Ọ̀já', 'oka', 'zebra']);
  });
});
