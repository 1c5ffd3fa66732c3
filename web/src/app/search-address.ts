import { ALL_PLACES } from '@oja/domain/rules';

/** The price slider, in naira. At its full range it filters nothing out. */
export const PRICE_RANGE = { min: 1_000, max: 100_000, step: 1_000 } as const;

export const SEARCH_PATH = '/search-items';

/** What the address of a search says when nothing was chosen yet, in the order in which it stands there. */
export const untouchedSearch: Readonly<Record<string, string>> = {
  query: '',
  condition: 'New',
  sort: 'A-Z',
  localGovt: ALL_PLACES,
  min_price: String(PRICE_RANGE.min),
  max_price: String(PRICE_RANGE.max),
};

/**
 * The address of a search. What the current one has chosen stays; what it lacks is as at first.
 * @param current the query string of the search page, when the search goes on from there
 */
export function searchAddress(change: Readonly<Record<string, string>>, current = ''): string {
  const chosen = Object.fromEntries(new URLSearchParams(current));
  return `${SEARCH_PATH}?${new URLSearchParams({ ...untouchedSearch, ...chosen, ...change })}`;
}
