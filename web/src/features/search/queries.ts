import { goodsQuery } from '../../api/products.js';
import type { FillPage } from '../../app/rendered/fill.js';
import { askFor, type GoodsFilters, readFilters, untouchedSearch } from '../goods/filters.js';
import { wordsOnArrival } from '../goods/use-applied-words.js';

/** What a search finds. Without words it is all that the filters let through. */
export const foundQuery = (filters: GoodsFilters, words: string) =>
  goodsQuery({ ...askFor(filters), ...(words !== '' && { query: words }) });

export const fillSearch: FillPage = async (client, { search }) => {
  const filters = readFilters(search, untouchedSearch);
  const words = wordsOnArrival(search.get('query') ?? '');
  await client.fetchInfiniteQuery(foundQuery(filters, words));
  return true;
};
