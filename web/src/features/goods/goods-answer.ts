import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { SearchAnswer } from '../../api/products.js';
import type { Product } from '../../api/types.js';

/** A list of goods as far as it has come. */
export type GoodsAnswer = UseInfiniteQueryResult<InfiniteData<SearchAnswer>>;

/** The goods of all pages; one that moved between two answers is shown once. */
export function shownOnce(pages: readonly SearchAnswer[]): readonly Product[] {
  const byId = new Map(pages.flatMap((page) => page.result).map((one) => [one.product_id, one]));
  return [...byId.values()];
}
