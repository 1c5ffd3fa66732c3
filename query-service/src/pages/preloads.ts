import type { Preload } from './head.js';

/** How wide the pictures stand that are seen first, as the web app's `sizes` have it. */
const GALLERY_SIZES = '(min-width: 768px) 600px, 100vw';

/** Widths that Oja's own host keeps ready, as the web app's `srcset` has them. */
const WIDTHS = [320, 640] as const;

/** The address of a picture at a width; as it is where its host makes no other width. */
export const pictureAt = (address: string, width: number): string =>
  /\/v1\/image\/[^/?#]+$/.test(address) ? `${address}?w=${width}` : address;

/** What the home page asks for first: its list and its carousel. */
export const homePreloads: readonly Preload[] = [24, 8].map((limit) => ({
  as: 'fetch',
  href: `/v1/products/search?sort=trending&limit=${limit}`,
  crossorigin: 'use-credentials',
}));

/** The large picture of a product's page. */
export function galleryPreload(address: string | undefined): readonly Preload[] {
  if (address === undefined || pictureAt(address, WIDTHS[0]) === address) return [];
  return [
    {
      as: 'image',
      href: pictureAt(address, WIDTHS[0]),
      imagesrcset: WIDTHS.map((width) => `${pictureAt(address, width)} ${width}w`).join(', '),
      imagesizes: GALLERY_SIZES,
      fetchpriority: 'high',
    },
  ];
}
