import { useEffect, useState } from 'react';

/** How long typing must pause before the server is asked, in ms: in the search box and on the pages it leads to. */
export const TYPING_PAUSE_MS = 150;

/** The value once it has not changed for `ms`, so that a search is not sent on every letter. */
export function useDebouncedValue<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
