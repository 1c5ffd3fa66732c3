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

/** Field → what it shall become; fields that are not ticked are not in. */
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
    // Without storage they live as long as the page does.
  }
}

/** What is being changed of a product; a reload or an expired session leaves it as it was. */
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

/** The pictures as they shall become. */
export function picturesOf(edits: Edits): readonly DraftPicture[] {
  const raw: unknown = JSON.parse(edits[PICTURES] ?? '[]');
  return Array.isArray(raw) ? raw.flatMap(readPicture) : [];
}

/** The field that holds state and local government together. */
export const PLACE = 'place';
export const PRICE = 'price';
export const PICTURES = 'pictures';

/** What a field says now, from which its change starts; the price is the seller's own figure. */
export function startOf(product: OwnProduct, name: string): string {
  if (name === PLACE) return product.local_govt;
  if (name === PRICE) return String(product.seller_price);
  if (name === PICTURES) return JSON.stringify(product.image_urls.map(listedPicture));
  const field = typedFieldsOf(product.subcategory_id).find((one) => one.name === name);
  return field === undefined ? '' : heldValue(product, field.name);
}

/** What keeps the ticked fields from being sent. */
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

/** Only the ticked fields; a changed price is raised by 10 %. */
export function editBody(
  product: OwnProduct,
  edits: Edits,
  stateOf: (localGovt: string) => string | null,
  imageUrls?: string[],
): Body<'updateProduct'> {
  const typed = typedFieldsOf(product.subcategory_id).flatMap(({ name, options }) => {
    const value = edits[name];
    // A choice that was left open says nothing; an emptied text clears what was there.
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
