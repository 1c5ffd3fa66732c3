import { pagePaths } from '@oja/contracts/pages';
import { ALL_PLACES } from '@oja/domain/rules';
import { useContext } from 'react';
import {
  createSearchParams,
  type NavigateOptions,
  UNSAFE_DataRouterContext,
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

/** The router itself, which has no hook of its own. It knows where one is before that is drawn. */
export function useRouter() {
  const inside = useContext(UNSAFE_DataRouterContext);
  if (inside === null) throw new Error('an address is read outside of the router');
  return inside.router;
}

/** What is asked, and after a change of it; whoever changes a part of it goes on from what is asked now. */
type Asked = URLSearchParamsInit | ((now: URLSearchParams) => URLSearchParams);

/**
 * What is asked in the address, and how to ask something else on this page: it resolves once it stands there. Two
 * parts may be changed before the first is drawn, so what is drawn is nothing to go on from.
 */
export function useAddress() {
  const router = useRouter();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const go = async (next: Asked, options?: NavigateOptions): Promise<void> => {
    const asked =
      typeof next === 'function' ? next(new URLSearchParams(router.state.location.search)) : next;
    return navigate(`?${createSearchParams(asked)}`, options);
  };
  return [params, go] as const;
}

/** What is asked with one part changed; an empty one is left out. */
export function withPart(now: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(now);
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}
