import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { businessNameExists } from './api.js';

/** A name is looked up once typing has stopped for so many ms. */
const DEBOUNCE_MS = 500;
/** Names of this many characters or fewer are not looked up. */
const TOO_SHORT = 2;

/** unknown: empty, unchecked, or being typed. */
export type NameCheck = 'unknown' | 'checking' | 'available' | 'taken' | 'failed';

/** Whether a business name is free, as it is typed. */
export function useNameCheck(typed: string): NameCheck {
  const name = typed.trim();
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(name), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [name]);

  const long = [...name].length > TOO_SHORT;
  const check = useQuery({
    queryKey: ['business-name', settled],
    queryFn: ({ signal }) => businessNameExists(settled, signal),
    enabled: long && settled === name,
    staleTime: 0,
    retry: false,
  });
  if (!long || settled !== name) return 'unknown';
  if (check.isFetching) return 'checking';
  if (check.isError) return 'failed';
  if (check.data === undefined) return 'unknown';
  return check.data ? 'taken' : 'available';
}
