import { useLocation } from 'react-router-dom';

/**
 * The key of the visit to a page: of its entry in the history, also once the page itself has replaced that by one of
 * another address. What was opened or focused meanwhile stays.
 */
export function useVisit(): string {
  const { key, state } = useLocation();
  return state?.visit ?? key;
}
