import { queryOptions } from '@tanstack/react-query';
import { get } from './client.js';
import type { Answer } from './types.js';

/** A seller's public face, by business name or its form in addresses. */
export function storeQuery(name: string) {
  return queryOptions({
    queryKey: ['stores', name],
    queryFn: async ({ signal }) => {
      const path = `/v1/stores/${encodeURIComponent(name)}`;
      return (await get<Answer<'getStore'>>(path, { signal })).store;
    },
  });
}
