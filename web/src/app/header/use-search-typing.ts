import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { SEARCH_PATH, searchAddress } from '../search-address.js';

/** Marks an address that typing made: the box is ahead of it and must not be set back. */
const typed = { typed: true };

/**
 * Goes to the search page with what is typed: the first keystroke adds an entry to the history, further ones replace
 * it. Typing may be faster than going, so one step is finished before the next is taken, which then takes the newest
 * text; otherwise a second entry would slip in.
 */
export function useSearchTyping(): (query: string) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  /** The query string of the search page, while that is where one is. */
  const at = useRef(pathname === SEARCH_PATH ? search : undefined);
  const wanted = useRef<string>(undefined);
  const going = useRef(false);

  useEffect(() => {
    at.current = pathname === SEARCH_PATH ? search : undefined;
  }, [pathname, search]);

  const go = async () => {
    going.current = true;
    while (wanted.current !== undefined) {
      const query = wanted.current;
      wanted.current = undefined;
      const address = searchAddress({ query }, at.current);
      await navigate(address, { replace: at.current !== undefined, state: typed });
      at.current = address.slice(SEARCH_PATH.length);
    }
    going.current = false;
  };
  return (query) => {
    wanted.current = query;
    if (!going.current) void go();
  };
}
