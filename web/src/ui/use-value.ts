import { startTransition, useEffect, useOptimistic, useState } from 'react';

/**
 * Shows a value that is stored elsewhere, such as in the address, ahead of its change. On a slow phone the
 * change takes a while, in which an input would lose what was typed and a radio button its dot.
 * @param go stores the value; resolves once it has changed there
 * @returns the value to show, and the function to change it
 */
export function useOptimisticValue<T, How extends unknown[]>(
  value: T,
  go: (next: T, ...how: How) => Promise<void> | void,
): [T, (next: T, ...how: How) => void] {
  const [shown, show] = useOptimistic(value);
  const change = (next: T, ...how: How) =>
    startTransition(async () => {
      show(() => next);
      await go(next, ...how);
    });
  return [shown, change];
}

/** How long typing must pause before the server is asked, in ms: in the search box and on the pages it leads to. */
export const TYPING_PAUSE_MS = 150;

/** The value once typing has paused, so that a search is not sent on every letter. */
export function useDebouncedValue<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
