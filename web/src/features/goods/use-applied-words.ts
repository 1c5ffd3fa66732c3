import { searchWords } from '@oja/domain/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** How long typing has to pause before the server is asked, in ms. */
export const TYPING_PAUSE_MS = 150;

/** State of an address that asks for all goods again, whatever was searched for before. */
export const ALL_WORDS = { allWords: true };

/** Kept beside the lists they found, so that Back finds the same list again, and no longer than those. */
const visit = (key: string) => ['applied-words', key];

/** The words of an address that one comes to; too few letters are no search yet. */
export const wordsOnArrival = (typed: string) => (searchWords(typed) === null ? '' : typed.trim());

/**
 * The words that narrow the list: those typed once they are long enough to be a search, else those last applied; on
 * arrival none.
 */
export function useAppliedWords(typed: string): string {
  const { key, state } = useLocation();
  const how = useNavigationType();
  const cache = useQueryClient();
  const last = useRef('');
  const before = how === 'POP' ? cache.getQueryData<string>(visit(key)) : last.current;
  const kept = state?.allWords === true ? '' : (before ?? '');
  const words = wordsOnArrival(typed) || kept;

  useEffect(() => {
    last.current = words;
    cache.setQueryData(visit(key), words);
  }, [cache, key, words]);

  return words;
}
