import {
  categories,
  HIGHEST_PRICE,
  koboToNaira,
  limits,
  priceSlider,
  states,
} from '@oja/domain/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchDefaults } from '../../app/address.js';
import {
  activeFilters,
  conditionChoices,
  defaultCategoryFilters,
  defaultSearchFilters,
  type GoodsFilters,
  parseFilters,
  sortOrders,
  toChangedQuery,
  toQuery,
  toSearchParams,
} from './filters.js';

const naira = fc.integer({ min: priceSlider.min, max: HIGHEST_PRICE });
const anyFilters: fc.Arbitrary<GoodsFilters> = fc.record({
  category: fc.constantFrom(undefined, ...categories.map(({ name }) => name)),
  condition: fc.constantFrom(...conditionChoices),
  sort: fc.constantFrom(...sortOrders),
  localGovt: fc.constantFrom(undefined, ...states.flatMap((state) => [...state.localGovts])),
  prices: fc
    .tuple(naira, naira)
    .map(([a, b]): GoodsFilters['prices'] => [Math.min(a, b), Math.max(a, b)]),
});

const read = (address: string, untouched = defaultSearchFilters) =>
  parseFilters(new URLSearchParams(address), untouched);

describe('filters in an address', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(
        anyFilters,
        fc.constantFrom(defaultSearchFilters, defaultCategoryFilters),
        (filters, from) => {
          expect(parseFilters(new URLSearchParams(toQuery(filters)), from)).toEqual(filters);
          expect(parseFilters(new URLSearchParams(toChangedQuery(filters, from)), from)).toEqual(
            filters,
          );
        },
      ),
    );
  });

  it('make a usable page of any query string', () => {
    const names = ['condition', 'sort', 'localGovt', 'min_price', 'max_price', 'category'];
    const anyQuery = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.float().map(String)))
        .map((said) => new URLSearchParams(said).toString()),
    );
    fc.assert(
      fc.property(anyQuery, (query) => {
        const filters = read(query);
        const [from, to] = filters.prices;
        expect(from).toBeLessThanOrEqual(to);
        expect(from).toBeGreaterThanOrEqual(priceSlider.min);
        expect(to).toBeLessThanOrEqual(HIGHEST_PRICE);
        expect(read(new URLSearchParams(toQuery(filters)).toString())).toEqual(filters);
      }),
    );
  });

  it('are on arrival: New on the search page, any condition on a category page', () => {
    expect(read('')).toEqual(defaultSearchFilters);
    expect({ query: '', ...toQuery(defaultSearchFilters) }).toEqual(searchDefaults);
    expect(toSearchParams(read(''))).toEqual({ sort: 'A-Z', condition: 'New' });
    expect(toSearchParams(read('', defaultCategoryFilters))).toEqual({ sort: 'A-Z' });
  });

  it('know the words of the address whatever their case', () => {
    expect(read('condition=used&sort=z-a&category=beauty-and-skincare')).toMatchObject({
      condition: 'Used',
      sort: 'Z-A',
      category: 'Beauty and Skincare',
    });
  });

  it('put prices the right way round and within what can be typed', () => {
    expect(read('min_price=62000&max_price=5000').prices).toEqual([5_000, 62_000]);
    expect(read('min_price=-4&max_price=9e99').prices).toEqual([1_000, HIGHEST_PRICE]);
    expect(HIGHEST_PRICE).toBe(koboToNaira(limits.orderAmount.max));
    expect(read('min_price=&max_price=lots').prices).toEqual([1_000, 100_000]);
  });
});

describe('what the server is asked for', () => {
  it('leaves the prices out at the full range, and only there', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const [from, to] = filters.prices;
        const full = from === priceSlider.min && to === priceSlider.max;
        const { min_price, max_price } = toSearchParams(filters);
        expect([min_price, max_price]).toEqual(full ? [undefined, undefined] : [from, to]);
      }),
    );
  });
});

describe('the chips', () => {
  it('name what is set, and each takes away itself alone', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const chips = activeFilters(filters);
        for (const { without } of chips)
          expect(activeFilters(without)).toHaveLength(chips.length - 1);
      }),
    );
    expect(
      activeFilters(read('min_price=5000&max_price=62000&localGovt=Ikeja')).map(
        ({ label }) => label,
      ),
    ).toEqual(['₦5,000 to ₦62,000', 'Lagos state/Ikeja LG', 'New']);
    const prices = (address: string) => activeFilters(read(`condition=all&${address}`))[0]?.label;
    expect(prices('max_price=250000')).toBe('₦1,000 to ₦250,000');
    expect(prices('min_price=250000&max_price=10000000')).toBe('₦250,000 or more');
  });
});
