import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * State of one visit to a page: Back finds it as it was left. It is kept beside the lists that were loaded, and no
 * longer than those.
 * @param name tells it from other states of the same visit
 */
export function useVisitState<T>(name: string, initial: T): [T, (next: T) => void] {
  const { key } = useLocation();
  const how = useNavigationType();
  const cache = useQueryClient();
  const [value, setValue] = useState<T>(
    () => (how === 'POP' ? cache.getQueryData<T>([name, key]) : undefined) ?? initial,
  );
  const change = (next: T) => {
    setValue(next);
    cache.setQueryData([name, key], next);
  };
  return [value, change];
}
