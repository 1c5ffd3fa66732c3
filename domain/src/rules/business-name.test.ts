import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { businessNameKey } from './business-name.js';
import { toSlug } from './catalogue.js';

/** Characters that make names equal, or break them apart: spaces, hyphens, marks, case, full-width forms. */
const parts = ['a', 'A', 'ọ', 'ọ', 'Ọ̀', 'ﬁ', 'Ａ', '1', '１', ' ', '  ', '-', ' - ', '&', '.', "'"];
const names = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((all) => all.join(''));

describe('the key of a business name', () => {
  it.each([
    ['Ada Stores', 'ada-stores'],
    ['ADA-STORES', 'ada-stores'],
    [' Ada   Stores ', 'ada-stores'],
    ['-Ada Stores-', 'ada-stores'],
    ['Ọ̀já Ńlá', 'oja-nla'],
    ['Ａｄａ Stores', 'ada-stores'],
  ])('of %s is %s', (name, key) => expect(businessNameKey(name)).toBe(key));

  it('is one for names that share an address', () => {
    fc.assert(
      fc.property(names, fc.func(fc.constantFrom(' ', '-', '  ')), (name, other) => {
        const twin = name.replace(/[ -]/g, (at) => other(at));
        if (toSlug(twin) !== toSlug(name)) return;
        expect(businessNameKey(twin)).toBe(businessNameKey(name));
      }),
      { numRuns: 1_000 },
    );
  });

  it('of an address is that of the name', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(businessNameKey(toSlug(name))).toBe(businessNameKey(name));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is its own key, without a hyphen at either end', () => {
    fc.assert(
      fc.property(names, (name) => {
        const key = businessNameKey(name);
        expect(businessNameKey(key)).toBe(key);
        expect(key).not.toMatch(/^-|-$/);
      }),
      { numRuns: 1_000 },
    );
  });
});
