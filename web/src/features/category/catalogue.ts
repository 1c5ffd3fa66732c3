import type { categoryByName } from '@oja/domain/rules';
import type { Facets } from '../../api/types.js';

export type Category = NonNullable<ReturnType<typeof categoryByName>>;

/** Ads on a shelf, once they are known; a shelf that is not counted is empty. */
export function adsOf(counts: Facets['category'] | undefined, name: string): number | undefined {
  return counts && (counts.find(({ value }) => value === name)?.count ?? 0);
}

/** '486 products'. */
export function productsWords(count: number): string {
  return `${count.toLocaleString('en-NG')} ${count === 1 ? 'product' : 'products'}`;
}
