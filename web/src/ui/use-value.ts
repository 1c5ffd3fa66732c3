import { startTransition, useEffect, useOptimistic, useState } from 'react';

/**
 * A value that lives elsewhere, as in the address, shown ahead of getting there: on a slow phone that takes a while,
 * in which a field would take back what was typed and a radio button its dot.
 * @param go sends the value there; resolves once it has arrived
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

/** A value once it has stood still for so many ms: what is being typed is not asked for letter by letter. */
export function useDebouncedValue<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
