import { raisedPriceNaira } from '@oja/domain/rules';
import { useRef, useState } from 'react';
import type { Body, OwnProduct } from '../../api/types.js';
import { type Album, type DraftPicture, listedPicture, readPicture } from './draft.js';
import {
  FIELDS_MISSING,
  heldValue,
  onWire,
  type Problems,
  picturesProblem,
  priceProblem,
  typedFieldsOf,
} from './fields.js';

/** Field name → new value, for ticked fields only. */
export type Edits = Readonly<Record<string, string>>;

const nameOf = (productId: string) => `oja-update-${productId}`;

function read(productId: string): Edits {
  try {
    const raw: unknown = JSON.parse(sessionStorage.getItem(nameOf(productId)) ?? '{}');
    const entries = Object.entries(typeof raw === 'object' && raw !== null ? raw : {});
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

function write(productId: string, edits: Edits): void {
  try {
    if (Object.keys(edits).length === 0) sessionStorage.removeItem(nameOf(productId));
    else sessionStorage.setItem(nameOf(productId), JSON.stringify(edits));
  } catch {
    // Without storage the edits live as long as the page.
  }
}

/** The edits of a product. They survive a reload and an expired session in session storage. */
export function useEdits(productId: string) {
  const [edits, setEdits] = useState<Edits>(() => read(productId));
  const latest = useRef(edits);
  const change = (next: Edits) => {
    latest.current = next;
    write(productId, next);
    setEdits(next);
  };
  const album: Album = {
    now: () => picturesOf(latest.current),
    change: (next) =>
      change({
        ...latest.current,
        [PICTURES]: JSON.stringify(next(picturesOf(latest.current))),
      }),
  };
  return [edits, change, album] as const;
}

/** The pictures after the edit. */
export function picturesOf(edits: Edits): readonly DraftPicture[] {
  const raw: unknown = JSON.parse(edits[PICTURES] ?? '[]');
  return Array.isArray(raw) ? raw.flatMap(readPicture) : [];
}

/** The one field for state and local government. */
export const PLACE = 'place';
export const PRICE = 'price';
export const PICTURES = 'pictures';

/** A field's current value, from which its edit starts; for the price, the figure the seller typed. */
export function startOf(product: OwnProduct, name: string): string {
  if (name === PLACE) return product.local_govt;
  if (name === PRICE) return String(product.seller_price);
  if (name === PICTURES) return JSON.stringify(product.image_urls.map(listedPicture));
  const field = typedFieldsOf(product.subcategory_id).find((one) => one.name === name);
  return field === undefined ? '' : heldValue(product, field.name);
}

/** The problems that keep the ticked fields from being sent. */
export function editProblems(product: OwnProduct, edits: Edits): Problems {
  const empty = typedFieldsOf(product.subcategory_id)
    .filter(({ name, required }) => required && edits[name]?.trim() === '')
    .map(({ name }) => [name, FIELDS_MISSING]);
  const price = edits[PRICE];
  return {
    ...Object.fromEntries(empty),
    ...(price !== undefined && priceProblem(price)),
    ...(edits[PICTURES] !== undefined && picturesProblem(picturesOf(edits).length)),
  };
}

/** The request body with the ticked fields only. A changed price is raised by 10 %. */
export function editBody(
  product: OwnProduct,
  edits: Edits,
  stateOf: (localGovt: string) => string | null,
  imageUrls?: string[],
): Body<'updateProduct'> {
  const typed = typedFieldsOf(product.subcategory_id).flatMap(({ name, options }) => {
    const value = edits[name];
    // An option that was not chosen is left out; an emptied text clears the old value.
    if (value === undefined || (options !== undefined && value === '')) return [];
    return Object.entries(onWire(name, value));
  });
  const price = edits[PRICE];
  const place = edits[PLACE];
  return {
    ...Object.fromEntries(typed),
    ...(price !== undefined && { price: raisedPriceNaira(Number(price), 'update') }),
    ...(place !== undefined && { local_govt: place, state: stateOf(place) ?? '' }),
    ...(imageUrls !== undefined && { imageUrls }),
  };
}
