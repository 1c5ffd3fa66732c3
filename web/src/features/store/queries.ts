import { goodsQuery } from '../../api/products.js';
import { storeQuery } from '../../api/stores.js';
import type { Store } from '../../api/types.js';
import type { FillPage } from '../../app/rendered/fill.js';
import { readFilters, type Sort, untouchedShelf } from '../goods/filters.js';
import { wordsOnArrival } from '../goods/use-applied-words.js';

/** What a store sells, narrowed by words of its search. */
export const storeGoodsQuery = (store: Store, sort: Sort, words: string) =>
  goodsQuery({ seller: store.businessName, sort, ...(words !== '' && { query: words }) });

export const fillStore: FillPage = async (client, { params, search }) => {
  const store = await client.fetchQuery(storeQuery(params.businessname ?? ''));
  const { sort } = readFilters(search, untouchedShelf);
  const words = wordsOnArrival(search.get('query') ?? '');
  await client.fetchInfiniteQuery(storeGoodsQuery(store, sort, words));
  return true;
};
