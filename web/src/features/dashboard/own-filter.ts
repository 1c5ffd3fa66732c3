import type { OwnProduct } from '../../api/types.js';

/** Which of the seller's goods are shown; it lives in the address. */
export const shows = ['all', 'available', 'off'] as const;
export type Show = (typeof shows)[number];

export function showOf(params: URLSearchParams): Show {
  return shows.find((show) => show === params.get('show')) ?? 'all';
}

/** Goods by words in their name, ignoring case, and by whether they are on sale. */
export function filterOwn(
  products: readonly OwnProduct[],
  unavailable: ReadonlySet<string>,
  { show, find }: { readonly show: Show; readonly find: string },
): readonly OwnProduct[] {
  const words = find.toLowerCase().split(/\s+/);
  return products.filter((product) => {
    const isOff = unavailable.has(product.product_id);
    const isShown = show === 'all' || (show === 'off') === isOff;
    const name = product.prod_name.toLowerCase();
    return isShown && words.every((word) => name.includes(word));
  });
}
