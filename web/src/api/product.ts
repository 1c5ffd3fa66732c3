import { type InfiniteData, queryOptions } from '@tanstack/react-query';
import { get } from './client.js';
import type { SearchAnswer } from './products.js';
import { queryClient } from './query-client.js';
import type { Answer, Product } from './types.js';

/** A product that a list has already brought: its page opens without waiting, and when the network is gone. */
function knownFromLists(productId: string): Product | undefined {
  const lists = queryClient.getQueriesData<InfiniteData<SearchAnswer>>({
    queryKey: ['products', 'list'],
  });
  const rows = queryClient.getQueriesData<SearchAnswer>({ queryKey: ['products', 'search'] });
  const answers = [
    ...lists.flatMap(([, data]) => data?.pages ?? []),
    ...rows.flatMap(([, data]) => (data === undefined ? [] : [data])),
  ];
  return answers
    .flatMap((answer) => answer.result)
    .find((product) => product.product_id === productId);
}

/** One product. What a list said of it is shown until the answer comes. */
export function productQuery(productId: string) {
  return queryOptions({
    queryKey: ['products', 'one', productId],
    queryFn: async ({ signal }): Promise<Product> => {
      const path = `/v1/product/${encodeURIComponent(productId)}`;
      return (await get<Answer<'getProduct'>>(path, { signal })).result;
    },
    initialData: () => knownFromLists(productId),
    initialDataUpdatedAt: 0,
  });
}
