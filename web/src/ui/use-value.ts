import { startTransition, useOptimistic } from 'react';

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
