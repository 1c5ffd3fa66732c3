import { offeredSubcategories, subcategories } from '@oja/domain/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  caretAfterDigits,
  formatTypedPrice,
  groupThousands,
  parseNaira,
  priceAfterKey,
  priceAfterPaste,
} from '../../ui/typed-price.js';
import { usableAddress } from './album.js';
import { changeDraft, emptyDraft, getDraft, parseDraft, withSubcategory } from './draft.js';
import {
  parsePrice,
  priceProblem,
  productFields,
  splitPrice,
  toWireField,
  validateDraft,
} from './fields.js';
import { findPictureProblem, LONGEST_EDGE, scaleToFit, selectFiles } from './picture-files.js';
import { stepPercent } from './progress.js';
import { toListing } from './send.js';

const picture = (id: string) => ({ id, mark: id });
const whole = {
  ...emptyDraft,
  subcategoryId: 3,
  state: 'Lagos',
  localGovt: 'Apapa',
  values: { prod_name: 'Field watch', description: 'Keeps time.', water_resistance: '0' },
  price: '20000',
  pictures: [picture('a'), picture('b')],
};
const file = (name: string, type = 'image/png', size = 1_000) => {
  const made = new File(['x'], name, { type, lastModified: 1 });
  Object.defineProperty(made, 'size', { value: size });
  return made;
};

describe('what keeps a product from being uploaded', () => {
  it('is said to the letter', () => {
    expect(validateDraft(emptyDraft)).toEqual({
      subcategory: 'Please select a subcategory!',
      place: 'Please select a State and Local Govt!',
      pictures: 'Please select a file.',
      prod_name: 'Please enter all asterisked (*) fields!',
      description: 'Please enter all asterisked (*) fields!',
      price: 'Please enter all asterisked (*) fields!',
    });
    expect(validateDraft(whole)).toEqual({});
  });

  it.each([
    [1, 'minimum number of file is 2.'],
    [2, undefined],
    [6, undefined],
    [7, 'Maximus number of file is 6.'],
  ])('with %i pictures: %s', (count, words) => {
    const pictures = Array.from({ length: count }, (_, i) => picture(String(i)));
    expect(validateDraft({ ...whole, pictures }).pictures).toBe(words);
  });

  it('refuses subcategories that are not offered, and prices beyond the limit', () => {
    expect(validateDraft({ ...whole, subcategoryId: 9 }).subcategory).toBeDefined();
    expect(validateDraft({ ...whole, price: '8000000' }).price).toBeUndefined();
    expect(validateDraft({ ...whole, price: '8000001' }).price).toBeDefined();
    expect(validateDraft({ ...whole, price: '0' }).price).toBeDefined();
  });
});

describe('a counted stock', () => {
  it.each([
    ['', null],
    ['0', 0],
    [' 12 ', 12],
    ['1,000', 1_000],
    ['99999', 99_999],
  ])('%j is sent as %j', (typed, stock) => {
    expect(validateDraft({ ...whole, values: { ...whole.values, stock: typed } })).toEqual({});
    expect(toWireField('stock', typed)).toEqual({ stock });
  });

  it.each(['-1', '1.5', '1,5', '100000', 'many', '1 000 000'])(
    'of %j is refused: nothing of it is left out',
    (stock) => {
      expect(validateDraft({ ...whole, values: { ...whole.values, stock } })).toEqual({
        stock: 'Type a whole number up to 99,999, or leave it empty.',
      });
    },
  );
});

describe('the fields', () => {
  it.each(offeredSubcategories)('of $name are its attributes between name and description', (s) => {
    const names = productFields(s.id).map(({ name }) => name);
    expect(names).toEqual(['prod_name', ...s.attributes, 'description']);
  });

  it('go with the category, once one was chosen; pictures and place stay', () => {
    const first = withSubcategory({ ...whole, subcategoryId: null }, 3);
    expect(first.values).toEqual(whole.values);
    expect(withSubcategory(first, 3)).toBe(first);
    const changed = withSubcategory(first, 5);
    expect(changed).toEqual({ ...first, subcategoryId: 5, values: {}, price: '' });
  });

  it('are sent by their names on the wire, raised by 15 %, the empty ones left out', () => {
    expect(toListing(whole, ['x', 'y'])).toEqual({
      updatedInput: {
        prod_name: 'Field watch',
        description: 'Keeps time.',
        water_resistance: 0,
        price: 23_000,
        subcategory_id: 3,
        subcategory_name: 'Watches',
        state: 'Lagos',
        local_govt: 'Apapa',
      },
      imageUrls: ['x', 'y'],
    });
    const phone = { ...whole, subcategoryId: 18, values: { condition: 'Used' } };
    expect(toListing(phone, []).updatedInput.cond).toBe('Used');
  });

  it('that belong to no subcategory never go out', () => {
    const ids = fc.constantFrom(...subcategories.map(({ id }) => id));
    fc.assert(
      fc.property(ids, (subcategoryId) => {
        const values = { ...whole.values, gender: 'Male', memory: '8 GB' };
        const sent = Object.keys(toListing({ ...whole, subcategoryId, values }, []).updatedInput);
        const own = productFields(subcategoryId).map(({ name }) => String(name));
        for (const name of ['gender', 'memory'])
          expect(sent.includes(name)).toBe(own.includes(name));
      }),
    );
  });
});

describe('picking pictures', () => {
  it('takes images of any size, each once, six in all', () => {
    const large = file('b', 'image/jpeg', 15 * 1024 * 1024);
    const picked = selectFiles([file('a'), file('a'), large], []);
    expect(picked.taken.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(picked).toMatchObject({ notPictures: false, tooMany: false });
    expect(selectFiles([file('IMG_1.HEIC', '')], []).taken).toHaveLength(1);
    expect(selectFiles([file('x', 'text/plain')], [])).toMatchObject({
      taken: [],
      notPictures: true,
    });
    const many = selectFiles([file('e'), file('f'), file('g')], ['1', '2', '3', '4']);
    expect(many.taken).toHaveLength(2);
    expect(many.tooMany).toBe(true);
  });

  it('says what cannot be sent once it was made as small as it goes, and what to do', () => {
    const bytes = (count: number) => new Blob([new Uint8Array(count)]);
    const five = 5 * 1024 * 1024;
    const photo = file('a.jpg', 'image/jpeg', 15 * 1024 * 1024);
    expect(findPictureProblem(photo, bytes(five))).toBeUndefined();
    const large = { title: 'File too large', text: 'Maximum allowed size is 5 MB.' };
    expect(findPictureProblem(photo, bytes(five + 1))).toEqual(large);
    expect(findPictureProblem(photo, undefined)).toEqual(large);
    expect(findPictureProblem(file('a.jpg'), undefined)).toEqual({
      text: 'a.jpg cannot be read as a picture.',
    });
    for (const heic of [file('IMG_1.HEIC', ''), file('x', 'image/heif', five + 1)])
      expect(findPictureProblem(heic, undefined)?.text).toContain('Most Compatible');
    expect(findPictureProblem(file('IMG_1.HEIC', ''), bytes(1))).toBeUndefined();
  });

  it('keeps the shape within the longest edge, and never makes a picture larger', () => {
    const edge = fc.integer({ min: 1, max: 12_000 });
    fc.assert(
      fc.property(edge, edge, (width, height) => {
        const [w, h] = scaleToFit(width, height);
        expect(Math.max(w, h)).toBeLessThanOrEqual(LONGEST_EDGE);
        expect(w).toBeLessThanOrEqual(width);
        expect(h).toBeLessThanOrEqual(height);
      }),
    );
  });
});

describe('the percent', () => {
  it('is 0 to 50 while pictures go up, and 50 to 100 for the post', () => {
    expect(stepPercent({ phase: 'pictures', parts: [0, 0], at: 1 })).toBe(0);
    expect(stepPercent({ phase: 'pictures', parts: [1, 0.5], at: 2 })).toBe(37);
    expect(stepPercent({ phase: 'pictures', parts: [1, 1], at: 2 })).toBe(50);
    expect(stepPercent({ phase: 'post', done: false })).toBe(50);
    expect(stepPercent({ phase: 'post', done: true })).toBe(100);
  });
});

describe('the price', () => {
  /** The content of the field after these keys, one after the other; '<' is the backspace key. */
  const press = (keys: string) =>
    [...keys].reduce(
      (now, key) => {
        const shown = formatTypedPrice(now);
        return priceAfterKey(key === '<' ? shown.slice(0, -1) : shown + key, now.kobo);
      },
      { value: '', kobo: '' },
    );

  it('is read in whole naira, however it is written', () => {
    expect(parseNaira('₦21,304.00')).toBe('21304');
    expect(parseNaira('007')).toBe('7');
    expect(parseNaira('abc')).toBe('');
    expect(groupThousands('1234567')).toBe('1,234,567');
    expect(parsePrice('')).toBeUndefined();
  });

  it.each([
    ['1500.00', '1500'],
    ['₦1.250,00', '1250'],
    ['₦1,250.00', '1250'],
    ['1.250', '1250'],
    ['1,250', '1250'],
    ['1 250 000', '1250000'],
    ['1.250.000', '1250000'],
    ['1,250,000.0', '1250000'],
    ['1,500', '1500'],
    ['₦1 500', '1500'],
    [' \u202A₦\u00A01\u202F500\u200B ', '1500'],
    ['N5000', '5000'],
    ['NGN 5,000.00', '5000'],
    ['5,000 naira', '5000'],
  ])('pasted as %s is ₦%s', (written, digits) => {
    expect(parseNaira(written)).toBe(digits);
    expect(priceAfterPaste(written)).toEqual({ value: digits, kobo: '' });
  });

  it.each([
    ...['-5', '−5', '1e3', '5k', '1.5m', '0x10', '5-6', '5000-6000', '1/2', '50%', '٥٠٠', 'free'],
    ...['.50', '1,50', '1,250,000.5', '₦21,304.50', '$5', '5,000 or 6,000', '+5', '₦', '.'],
  ])('is none when pasted or typed as %s, which stays as it was written', (written) => {
    expect(parseNaira(written)).toBe('');
    expect(parsePrice(priceAfterPaste(written).value)).toBeUndefined();
    expect(formatTypedPrice(priceAfterPaste(written))).toBe(written);
    expect(parsePrice(press(written).value)).toBeUndefined();
    expect(priceProblem(priceAfterPaste(written).value)).not.toEqual({});
  });

  it('is asked for in figures where something else was typed, and in its bounds where it was a figure', () => {
    expect(priceProblem('1e3').price).toMatch(/^Type the price in figures, in whole naira/);
    expect(priceProblem('9000000').price).toMatch(/^Prices go from/);
    expect(priceProblem('5000')).toEqual({});
  });

  it('comes back once the wrong sign is taken out again', () => {
    expect(press('1500x<')).toEqual({ value: '1500', kobo: '' });
    expect(priceAfterKey('5000', '')).toEqual({ value: '5000', kobo: '' });
    expect(press('-<5')).toEqual({ value: '5', kobo: '' });
  });

  it.each([
    ['1500.00', '1500', '.00'],
    ['1500.0000', '1500', '.00'],
    ['1500,00', '1500', ',00'],
    ['1500,50', '1,500,50', ',50'],
    ['1500.5', '1,500.5', '.5'],
    ['1500.50<<', '1500', '.'],
    ['1.250,00', '1250', ',00'],
    ['1.250', '1250', ''],
    ['1,250,000', '1250000', ''],
    ['1250000', '1250000', ''],
    ['1500<', '150', ''],
    ['1500.5<<', '1500', ''],
    ['1250250,<', '1250250', ''],
    ['150.5<<0', '1500', ''],
  ])('typed key by key as %s is %s', (keys, value, kobo) => {
    expect(press(keys)).toEqual({ value, kobo });
  });

  it('is split into what the seller receives and what Oja adds', () => {
    expect(splitPrice(21_304, 'upload')).toEqual({ receives: 21_304, added: 3_196, pays: 24_500 });
    expect(splitPrice(20_000, 'update')).toEqual({ receives: 20_000, added: 2_000, pays: 22_000 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8_000_000 }), (naira) => {
        const { receives, added, pays } = splitPrice(naira, 'upload');
        expect(receives + added).toBe(pays);
      }),
    );
  });

  it('keeps the caret behind the digit just typed', () => {
    expect(caretAfterDigits('21,304', 2)).toBe(2);
    expect(caretAfterDigits('21,304', 3)).toBe(4);
    expect(caretAfterDigits('21,304', 9)).toBe(6);
  });
});

describe('a draft in storage', () => {
  it('comes back as it was written, and spoiled ones as far as they can be read', () => {
    expect(parseDraft(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        expect(() => parseDraft(raw)).not.toThrow();
      }),
    );
    expect(parseDraft({ price: 3, values: { a: 1, b: 'x' } })).toEqual({
      ...emptyDraft,
      values: { b: 'x' },
    });
  });

  it('comes back with its key, also from an earlier release', () => {
    const attempt = { key: '1,2', contents: ['{}', '[]'] };
    expect(parseDraft({ attempt }).attempt).toEqual(attempt);
    expect(parseDraft({ attempt: { key: '1,2', content: '{}' } }).attempt).toEqual({
      key: '1,2',
      contents: ['{}'],
    });
  });

  it('starts from what another tab has typed, and does not come back once that has uploaded it', () => {
    const elsewhere = (drafts: object) =>
      localStorage.setItem('oja-upload', JSON.stringify({ state: { drafts }, version: 1 }));
    changeDraft('s7', () => whole);
    elsewhere({ s7: { ...whole, values: { prod_name: 'Diving watch' } } });
    changeDraft('s7', (now) => ({ ...now, price: '30000' }));
    expect(getDraft('s7')).toMatchObject({ values: { prod_name: 'Diving watch' }, price: '30000' });
    elsewhere({});
    changeDraft('s7', (now) => ({ ...now, state: 'Kano' }));
    expect(getDraft('s7')).toEqual({ ...emptyDraft, state: 'Kano' });
  });

  it('uses a sent picture again only while its host keeps it', () => {
    const sent = { id: 'a', mark: 'a', address: 'https://host/a', sentAt: 0 };
    expect(usableAddress(sent, 60_000)).toBe('https://host/a');
    expect(usableAddress(sent, 24 * 60 * 60_000)).toBeUndefined();
    // After a clock that was set back, nobody knows how old it is.
    expect(usableAddress(sent, -60_000)).toBeUndefined();
  });
});
