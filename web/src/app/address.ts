import { pagePaths } from '@oja/contracts/pages';
import { ALL_PLACES, priceSlider, stateOf } from '@oja/domain/rules';
import { useContext } from 'react';
import {
  createSearchParams,
  type NavigateOptions,
  UNSAFE_DataRouterContext,
  type URLSearchParamsInit,
  useNavigate,
  useSearchParams,
} from 'react-router-dom';

export const SEARCH_PATH = pagePaths.search;

/** The search parameters before anything is chosen, in the order in which they appear in the address. */
export const searchDefaults = {
  query: '',
  condition: 'New',
  sort: 'A-Z',
  localGovt: ALL_PLACES,
  min_price: String(priceSlider.min),
  max_price: String(priceSlider.max),
} as const;

/**
 * The address of a search: `change` over what `current` has, over the defaults.
 * @param current the query string of the search page, when the search continues from there
 */
export function searchAddress(change: Readonly<Record<string, string>>, current = ''): string {
  const chosen = Object.fromEntries(new URLSearchParams(current));
  return `${SEARCH_PATH}?${new URLSearchParams({ ...searchDefaults, ...chosen, ...change })}`;
}

/** The local government that an address names; undefined for all, and for a text that is none: it is not shown as one. */
export function readLocalGovt(params: URLSearchParams): string | undefined {
  const place = params.get('localGovt')?.trim();
  return place !== undefined && stateOf(place) !== null ? place : undefined;
}

/** The router, for which the library has no public hook. It knows a new location before React renders it. */
export function useRouter() {
  const inside = useContext(UNSAFE_DataRouterContext);
  if (inside === null) throw new Error('an address is read outside of the router');
  return inside.router;
}

/** The next query, or a function of the current one. Callers that change one part pass a function. */
type NextQuery = URLSearchParamsInit | ((now: URLSearchParams) => URLSearchParams);

/**
 * The current query parameters, and a function that navigates to other ones on this page and resolves once
 * they stand in the address. Two parts may change before the first is rendered, so an updater function gets
 * the router's location, not the rendered one.
 */
export function useQueryParams() {
  const router = useRouter();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const setParams = async (next: NextQuery, options?: NavigateOptions): Promise<void> => {
    const query =
      typeof next === 'function' ? next(new URLSearchParams(router.state.location.search)) : next;
    return navigate(`?${createSearchParams(query)}`, options);
  };
  return [params, setParams] as const;
}

/** The query with one parameter set; an empty value removes it. */
export function withParam(now: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(now);
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}
