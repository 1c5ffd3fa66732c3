import { queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Answer } from './types.js';

export type Suggestions = Answer<'suggestProducts'>;

/** Shelves and stores are suggested from so many letters on. */
export const FEWEST_LETTERS = 2;

export const lettersOf = (typed: string) => [...typed.trim()].length;

/** What else may be meant by what is typed. The search page and its box in the header ask once for both. */
export const suggestionsQuery = (typed: string) =>
  queryOptions({
    queryKey: ['products', 'suggestions', typed.trim()],
    queryFn: ({ signal }) => call('suggestProducts', { query: { query: typed.trim() }, signal }),
    enabled: lettersOf(typed) >= FEWEST_LETTERS,
  });

/** A shelf as it is offered: 'TVs in Electronics · 11'. */
export const shelfWords = ({
  subcategory_name,
  top_category,
  count,
}: Suggestions['shelves'][number]) =>
  `${subcategory_name} in ${top_category} · ${count.toLocaleString('en-NG')}`;
