import {
  ALL_PLACES,
  type CategoryName,
  categoryByName,
  formatNaira,
  HIGHEST_PRICE,
  nairaToKobo,
  priceSlider,
  stateOf,
} from '@oja/domain/rules';
import type { SearchParams } from '../../api/products.js';
import { placeLabel } from './PlacePicker.js';

export const conditionChoices = ['New', 'Used', 'all'] as const;
/** The first two are named as the shopper reads them. */
export const sorts = ['A-Z', 'Z-A', 'newest', 'cheapest', 'dearest'] as const;
export type Sort = (typeof sorts)[number];

/** What a list of goods is narrowed and ordered by; it lives in the address. */
export interface GoodsFilters {
  readonly category: CategoryName | undefined;
  readonly condition: (typeof conditionChoices)[number];
  readonly sort: Sort;
  /** Undefined: all places. */
  readonly localGovt: string | undefined;
  /** In whole naira, inclusive; at the full range of the slider nothing is filtered out. */
  readonly prices: readonly [from: number, to: number];
}

/** The search page on arrival. */
export const untouchedSearch: GoodsFilters = {
  category: undefined,
  condition: 'New',
  sort: 'A-Z',
  localGovt: undefined,
  prices: [priceSlider.min, priceSlider.max],
};

/** A category's page on arrival: narrowed by nothing until the shopper sets a filter. */
export const untouchedShelf: GoodsFilters = { ...untouchedSearch, condition: 'all' };

const oneOf = <T extends string>(choices: readonly T[], said: string | null): T | undefined =>
  choices.find((choice) => choice.toLowerCase() === said?.trim().toLowerCase());

function price(said: string | null, otherwise: number): number {
  const naira = Number(said?.trim() || Number.NaN);
  if (!Number.isFinite(naira)) return otherwise;
  return Math.min(HIGHEST_PRICE, Math.max(priceSlider.min, Math.trunc(naira)));
}

/** Reads an address, whatever it says: what cannot be read is as it was on arrival. */
export function readFilters(params: URLSearchParams, untouched: GoodsFilters): GoodsFilters {
  const localGovt = params.get('localGovt')?.trim();
  const [from, to] = untouched.prices;
  const low = price(params.get('min_price'), from);
  const high = price(params.get('max_price'), to);
  return {
    category: categoryByName(params.get('category') ?? '')?.name ?? untouched.category,
    condition: oneOf(conditionChoices, params.get('condition')) ?? untouched.condition,
    sort: oneOf(sorts, params.get('sort')) ?? untouched.sort,
    localGovt: localGovt !== undefined && stateOf(localGovt) !== null ? localGovt : undefined,
    prices: low <= high ? [low, high] : [high, low],
  };
}

/** The filters as they stand in an address, all of them, in the order of the search's address. */
export function writeFilters(filters: GoodsFilters): Readonly<Record<string, string>> {
  return {
    condition: filters.condition,
    sort: filters.sort,
    localGovt: filters.localGovt ?? ALL_PLACES,
    min_price: String(filters.prices[0]),
    max_price: String(filters.prices[1]),
    ...(filters.category !== undefined && { category: filters.category }),
  };
}

/** Only what differs from the page's own beginning. */
export function writeChanges(
  filters: GoodsFilters,
  untouched: GoodsFilters,
): Readonly<Record<string, string>> {
  const before = writeFilters(untouched);
  return Object.fromEntries(
    Object.entries(writeFilters(filters)).filter(([name, value]) => before[name] !== value),
  );
}

const isFullRange = ([from, to]: GoodsFilters['prices']) =>
  from === priceSlider.min && to === priceSlider.max;

/** What the server is asked for. */
export function askFor(filters: GoodsFilters): SearchParams {
  const { category, condition, sort, localGovt, prices } = filters;
  return {
    sort,
    ...(category !== undefined && { category }),
    ...(condition !== 'all' && { condition }),
    ...(localGovt !== undefined && { localGovt }),
    ...(!isFullRange(prices) && { min_price: prices[0], max_price: prices[1] }),
  };
}

/** A filter that is set, and the filters without it. */
export interface SetFilter {
  readonly label: string;
  readonly without: GoodsFilters;
}

export function setFilters(filters: GoodsFilters): readonly SetFilter[] {
  const { category, condition, localGovt, prices } = filters;
  const naira = (amount: number) => formatNaira(nairaToKobo(amount));
  const chips: SetFilter[] = [];
  if (category !== undefined)
    chips.push({ label: category, without: { ...filters, category: undefined } });
  if (!isFullRange(prices))
    chips.push({
      label:
        prices[1] === HIGHEST_PRICE
          ? `${naira(prices[0])} or more`
          : `${naira(prices[0])} to ${naira(prices[1])}`,
      without: { ...filters, prices: untouchedSearch.prices },
    });
  if (localGovt !== undefined)
    chips.push({ label: placeLabel(localGovt), without: { ...filters, localGovt: undefined } });
  if (condition !== 'all')
    chips.push({ label: condition, without: { ...filters, condition: 'all' } });
  return chips;
}
