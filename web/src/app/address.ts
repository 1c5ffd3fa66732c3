import { pagePaths } from '@oja/contracts/pages';
import { ALL_PLACES } from '@oja/domain/rules';
import {
  createSearchParams,
  type NavigateOptions,
  type URLSearchParamsInit,
  useNavigate,
  useSearchParams,
} from 'react-router-dom';

/** The price slider, in naira. At its full range it filters nothing out. */
const PRICE_RANGE = { min: 1_000, max: 100_000, step: 1_000 } as const;

export const SEARCH_PATH = pagePaths.search;

/** What the address of a search says when nothing was chosen yet, in the order in which it stands there. */
const untouchedSearch: Readonly<Record<string, string>> = {
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

/** What is asked in the address, and how to ask something else on this page: it resolves once it stands there. */
export function useAddress() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const go = async (next: URLSearchParamsInit, options?: NavigateOptions): Promise<void> =>
    navigate(`?${createSearchParams(next)}`, options);
  return [params, go] as const;
}
