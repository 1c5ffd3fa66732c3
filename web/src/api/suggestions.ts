import { SUGGESTIONS_MIN_LENGTH, visibleText } from '@oja/domain/rules';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Answer } from './types.js';

export type Suggestions = Answer<'suggestProducts'>;

/** The number of letters that one sees, without spaces at the ends; a letter of two UTF-16 units counts once. */
export const countLetters = (typed: string) => [...visibleText(typed)].length;

/** Suggestions for what is typed. The search page and the header's search box share one request. */
export const suggestionsQuery = (typed: string) => {
  const query = visibleText(typed);
  return queryOptions({
    queryKey: ['products', 'suggestions', query],
    queryFn: ({ signal }) => call('suggestProducts', { query: { query }, signal }),
    enabled: countLetters(query) >= SUGGESTIONS_MIN_LENGTH,
  });
};

/** The label of a suggested shelf: 'TVs in Electronics · 11'. */
export const shelfLabel = ({
  subcategory_name,
  top_category,
  count,
}: Suggestions['shelves'][number]) =>
  `${subcategory_name} in ${top_category} · ${count.toLocaleString('en-NG')}`;
