import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from './limits.js';
import {
  formatMoney,
  formatNaira,
  koboToNaira,
  nairaToKobo,
  raisedPriceNaira,
  sellerShare,
} from './money.js';

const typed = fc.integer(limits.typedPriceNaira);
const kind = fc.constantFrom('upload' as const, 'update' as const);

describe('a price', () => {
  it('is raised by 15 % on upload and 10 % on update, half up to whole naira', () => {
    expect(raisedPriceNaira(10_000, 'upload')).toBe(11_500);
    expect(raisedPriceNaira(10_000, 'update')).toBe(11_000);
    expect(raisedPriceNaira(10, 'upload')).toBe(12);
    expect(raisedPriceNaira(5, 'update')).toBe(6);
    expect(raisedPriceNaira(1, 'upload')).toBe(1);
  });

  it('gives the seller exactly what they typed', () => {
    fc.assert(
      fc.property(typed, kind, (naira, of) => {
        const price = nairaToKobo(raisedPriceNaira(naira, of));
        expect(sellerShare(price, of)).toBe(nairaToKobo(naira));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never gives the seller more than the buyer pays', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: limits.typedPriceNaira.max }), kind, (naira, of) => {
        expect(sellerShare(nairaToKobo(naira), of)).toBeLessThanOrEqual(nairaToKobo(naira));
      }),
    );
  });
});

describe('naira', () => {
  it('go to kobo and back without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (kobo) => {
        expect(nairaToKobo(koboToNaira(kobo))).toBe(kobo);
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300])('cannot be %s', (naira) => {
    expect(() => nairaToKobo(naira)).toThrow(RangeError);
  });

  it.each([
    [0, '₦0'],
    [1, '₦0.01'],
    [-1, '-₦0.01'],
    [50, '₦0.50'],
    [80_000, '₦800'],
    [1_150_000, '₦11,500'],
    [1_000_000_000, '₦10,000,000'],
    [-123_456_05, '-₦123,456.05'],
  ])('%i kobo are shown as %s', (kobo, shown) => expect(formatNaira(kobo)).toBe(shown));

  it('are shown with kobo where they are asked for', () => {
    expect(formatNaira(500_000, { alwaysKobo: true })).toBe('₦5,000.00');
  });

  it('are told from money of another country', () => {
    expect(formatMoney(500_000, 'NGN')).toBe('₦5,000');
    expect(formatMoney(500_000, 'USD')).toBe('USD 5,000.00');
    expect(formatMoney(-1, 'USD')).toBe('-USD 0.01');
  });
});
