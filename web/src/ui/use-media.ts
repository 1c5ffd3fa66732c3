import { useCallback, useSyncExternalStore } from 'react';

/**
 * Whether a media query holds, and again whenever it turns.
 * @param unknown what is taken to hold while the page still stands as the server rendered it
 */
export function useMedia(query: string): boolean;
export function useMedia<U>(query: string, unknown: U): boolean | U;
export function useMedia<U>(query: string, unknown: boolean | U = false): boolean | U {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore<boolean | U>(
    subscribe,
    () => matchMedia(query).matches,
    () => unknown,
  );
}

/** Whether the person asked their system for less motion. */
export function useReducedMotion(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)');
}
