import type { Preload } from './head.js';

/** How wide the pictures stand that are seen first, as the web app's `sizes` have it. */
const GALLERY_SIZES = '(min-width: 768px) 600px, 100vw';

const CARD_SIZES =
  '(min-width: 1170px) 240px, (min-width: 992px) 25vw, (min-width: 640px) 33vw, 44vw';

/** Widths that Oja's own host keeps ready, as the web app's `srcset` has them. */
const WIDTHS = [320, 640] as const;

/** The address of a picture at a width; as it is where its host makes no other width. */
export const pictureAt = (address: string, width: number): string =>
  /\/v1\/image\/[^/?#]+$/.test(address) ? `${address}?w=${width}` : address;

/** The large picture of a product's page. */
export const galleryPreload = (address: string | undefined): readonly Preload[] =>
  picturePreload(address, GALLERY_SIZES);

/** The picture of the first card on the home page. */
export const cardPreload = (address: string | undefined): readonly Preload[] =>
  picturePreload(address, CARD_SIZES);

function picturePreload(address: string | undefined, sizes: string): readonly Preload[] {
  if (address === undefined || pictureAt(address, WIDTHS[0]) === address) return [];
  return [
    {
      as: 'image',
      href: pictureAt(address, WIDTHS[0]),
      imagesrcset: WIDTHS.map((width) => `${pictureAt(address, width)} ${width}w`).join(', '),
      imagesizes: sizes,
      fetchpriority: 'high',
    },
  ];
}
