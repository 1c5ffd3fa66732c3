import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { businessNameKey, businessNameProblem, businessNameSlug } from './business-name.js';

/** Characters that make names alike or break them: spaces, hyphens, marks, case, wide forms. */
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
        if (businessNameSlug(twin) !== businessNameSlug(name)) return;
        expect(businessNameKey(twin)).toBe(businessNameKey(name));
      }),
      { numRuns: 1_000 },
    );
  });

  it('of an address is that of the name', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(businessNameKey(businessNameSlug(name))).toBe(businessNameKey(name));
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

describe('a business name', () => {
  it.each([
    'Oja Ade Fabrics',
    'Security Doors',
    'Helping Hand',
    'Market Women',
    'محل عادل',
    'Ẹ̀kọ́ Ṣọ́ọ̀bù',
    'Ɓauna Ɗan Ƙasa',
    'Ada Stores',
    "Ada's Bags & Sons",
    'Ọ̀já Ńlá',
    'No. 1 Shop',
    'A-B Stores',
    'shop 24',
  ])('may be %s', (name) => expect(businessNameProblem(name)).toBeNull());

  it.each([
    ['', 'please enter your business name!'],
    ['Ada', 'minimum of 4 characters'],
    ['a'.repeat(61), 'maximum of 60 characters'],
    ['Ada/Stores', "only letters, digits, spaces and & ' . - can stand in a business name"],
    ['Stores Ⅷ', "only letters, digits, spaces and & ' . - can stand in a business name"],
    ['Stores ½', "only letters, digits, spaces and & ' . - can stand in a business name"],
    ['Stores²', "only letters, digits, spaces and & ' . - can stand in a business name"],
    ['& - .', 'a business name needs letters or digits'],
    ['Anonymous', 'this name is reserved'],
    ['-Admin-', 'this name is reserved'],
    ['Oja Support', 'this name is reserved'],
    ['O.J.A. Official', 'this name is reserved'],
    ['The Oja Team', 'this name is reserved'],
    ['Support-Team', 'this name is reserved'],
    ['ADMIN 1', 'this name is reserved'],
    ['Adm1nistrator', 'this name is reserved'],
    ['0ja Payments', 'this name is reserved'],
    ['Ọ̀jà Sùppórt', 'this name is reserved'],
    ['OjaCustomerCare', 'this name is reserved'],
    ['Аdunni Textiles', 'write the name in the letters of one script'],
    ['Adunni Τextiles', 'write the name in the letters of one script'],
    ['Ada ストア', 'write the name in the letters of one script'],
    ['Ада Сторес', 'only letters of scripts that look like no other can stand in a business name'],
    ['Οξα', 'minimum of 4 characters'],
    ['Αδα Στορ', 'only letters of scripts that look like no other can stand in a business name'],
    [
      'Adunnı Textiles',
      'only letters of scripts that look like no other can stand in a business name',
    ],
    ['ᴀᴅᴜɴɴɪ', 'only letters of scripts that look like no other can stand in a business name'],
    ['Adɑ Stores', 'only letters of scripts that look like no other can stand in a business name'],
    ['ㅤㅤㅤㅤ', 'only letters of scripts that look like no other can stand in a business name'],
    ['Ada٠ Stores', 'only letters of scripts that look like no other can stand in a business name'],
    ['A̴̵̶̷da Stores', 'a letter has too many marks'],
  ])('may not be %s', (name, problem) => expect(businessNameProblem(name)).toBe(problem));
});
