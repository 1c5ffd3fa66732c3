import {
  ALL_PLACES,
  type CategoryName,
  categoryByName,
  HIGHEST_PRICE,
  isFullRange,
  priceSlider,
  searchWords,
  visibleText,
} from '@oja/domain/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import type { SearchParams } from '../../api/products.js';
import { readLocalGovt, searchDefaults } from '../../app/address.js';
import { formatAmount } from '../../ui/Price.js';
import { placeLabel } from './PlacePicker.js';

export const conditionChoices = ['New', 'Used', 'all'] as const;
/** The first two are also the labels that the shopper reads. */
export const sortOrders = ['A-Z', 'Z-A', 'newest', 'cheapest', 'dearest'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** The filters and sort order of a list of goods. They live in the address. */
export interface GoodsFilters {
  readonly category: CategoryName | undefined;
  readonly condition: (typeof conditionChoices)[number];
  readonly sort: SortOrder;
  /** Undefined for all places. */
  readonly localGovt: string | undefined;
  /** In whole naira, inclusive. The full range of the slider filters nothing out. */
  readonly prices: readonly [from: number, to: number];
}

/** The defaults of the search page, as its address spells them out. */
export const defaultSearchFilters: GoodsFilters = {
  category: undefined,
  condition: searchDefaults.condition,
  sort: searchDefaults.sort,
  localGovt: undefined,
  prices: [priceSlider.min, priceSlider.max],
};

/** The defaults of a category's page: nothing is filtered out. */
export const defaultCategoryFilters: GoodsFilters = { ...defaultSearchFilters, condition: 'all' };

const oneOf = <T extends string>(choices: readonly T[], text: string | null): T | undefined =>
  choices.find((choice) => choice.toLowerCase() === text?.trim().toLowerCase());

function parsePrice(param: string | null, fallback: number): number {
  const naira = Number(param?.trim() || Number.NaN);
  if (!Number.isFinite(naira)) return fallback;
  return Math.min(HIGHEST_PRICE, Math.max(priceSlider.min, Math.trunc(naira)));
}

/** Reads the filters from any query string. A value that cannot be read gets its default. */
export function parseFilters(params: URLSearchParams, defaults: GoodsFilters): GoodsFilters {
  const [from, to] = defaults.prices;
  const low = parsePrice(params.get('min_price'), from);
  const high = parsePrice(params.get('max_price'), to);
  return {
    category: categoryByName(params.get('category') ?? '')?.name ?? defaults.category,
    condition: oneOf(conditionChoices, params.get('condition')) ?? defaults.condition,
    sort: oneOf(sortOrders, params.get('sort')) ?? defaults.sort,
    localGovt: readLocalGovt(params),
    prices: low <= high ? [low, high] : [high, low],
  };
}

/** All filters as query parameters, in the order of the search page's address. */
export function toQuery(filters: GoodsFilters): Readonly<Record<string, string>> {
  return {
    condition: filters.condition,
    sort: filters.sort,
    localGovt: filters.localGovt ?? ALL_PLACES,
    min_price: String(filters.prices[0]),
    max_price: String(filters.prices[1]),
    ...(filters.category !== undefined && { category: filters.category }),
  };
}

/** Only the query parameters that differ from the page's defaults. */
export function toChangedQuery(
  filters: GoodsFilters,
  defaults: GoodsFilters,
): Readonly<Record<string, string>> {
  const before = toQuery(defaults);
  return Object.fromEntries(
    Object.entries(toQuery(filters)).filter(([name, value]) => before[name] !== value),
  );
}

/** The filters as parameters of the search call. */
export function toSearchParams(filters: GoodsFilters): SearchParams {
  const { category, condition, sort, localGovt, prices } = filters;
  return {
    sort,
    ...(category !== undefined && { category }),
    ...(condition !== 'all' && { condition }),
    ...(localGovt !== undefined && { localGovt }),
    ...(!isFullRange(...prices) && { min_price: prices[0], max_price: prices[1] }),
  };
}

/** A filter that is set, and all filters without it. */
interface ActiveFilter {
  readonly label: string;
  readonly without: GoodsFilters;
}

/** The filters that are set, with their labels. */
export function activeFilters(filters: GoodsFilters): readonly ActiveFilter[] {
  const { category, condition, localGovt, prices } = filters;
  const chips: ActiveFilter[] = [];
  if (category !== undefined)
    chips.push({ label: category, without: { ...filters, category: undefined } });
  if (!isFullRange(...prices))
    chips.push({
      label:
        prices[1] === HIGHEST_PRICE
          ? `${formatAmount(prices[0])} or more`
          : `${formatAmount(prices[0])} to ${formatAmount(prices[1])}`,
      without: { ...filters, prices: defaultSearchFilters.prices },
    });
  if (localGovt !== undefined)
    chips.push({ label: placeLabel(localGovt), without: { ...filters, localGovt: undefined } });
  if (condition !== 'all')
    chips.push({ label: condition, without: { ...filters, condition: 'all' } });
  return chips;
}

/** Router state of a navigation that asks for all goods again, whatever was searched for before. */
export const CLEAR_WORDS_STATE = { allWords: true };

/** Query key of a visit's words, cached beside the lists they found: Back finds the same list while those live. */
const wordsQueryKey = (key: string) => ['applied-words', key];

/** The words of an address that was just opened; '' when they are too short to search for. */
export const initialWords = (typed: string) =>
  searchWords(typed) === null ? '' : visibleText(typed);

/**
 * The words that filter the list: the typed ones once they are long enough to search for, else the
 * last applied ones. A new visit starts with none.
 */
export function useAppliedWords(typed: string): string {
  const { key, state } = useLocation();
  const how = useNavigationType();
  const cache = useQueryClient();
  const last = useRef('');
  const before = how === 'POP' ? cache.getQueryData<string>(wordsQueryKey(key)) : last.current;
  const kept = state?.allWords === true ? '' : (before ?? '');
  const words = initialWords(typed) || kept;

  useEffect(() => {
    last.current = words;
    cache.setQueryData(wordsQueryKey(key), words);
  }, [cache, key, words]);

  return words;
}
