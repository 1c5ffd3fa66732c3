import { raisedPriceNaira } from '@oja/domain/rules';
import type { Body, OwnProduct } from '../../../api/types.js';
import { fieldsOf, heldValue, onWire } from '../fields.js';
import { FIELDS_MISSING, type Problems, priceProblem } from '../rules.js';
import type { Edits } from './kept-edits.js';

/** The field that holds state and local government together. */
export const PLACE = 'place';
export const PRICE = 'price';

/** What a field says now, from which its change starts; the price is the seller's own figure. */
export function startOf(product: OwnProduct, name: string): string {
  if (name === PLACE) return product.local_govt;
  if (name === PRICE) return String(product.seller_price);
  const field = fieldsOf(product.subcategory_id).find((one) => one.name === name);
  return field === undefined ? '' : heldValue(product, field.name);
}

/** What keeps the ticked fields from being sent. */
export function editProblems(product: OwnProduct, edits: Edits): Problems {
  const empty = fieldsOf(product.subcategory_id)
    .filter(({ name, required }) => required && edits[name]?.trim() === '')
    .map(({ name }) => [name, FIELDS_MISSING]);
  const price = edits[PRICE];
  return { ...Object.fromEntries(empty), ...(price !== undefined && priceProblem(price)) };
}

/** Only the ticked fields; a changed price is raised by 10 %. */
export function editBody(
  product: OwnProduct,
  edits: Edits,
  stateOf: (localGovt: string) => string | null,
): Body<'updateProduct'> {
  const typed = fieldsOf(product.subcategory_id).flatMap(({ name, options }) => {
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
  };
}
