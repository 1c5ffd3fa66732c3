import type { Condition } from '../rules/catalogue.js';
import type { PriceKind } from '../rules/money.js';
import type { ProductAttributes, ProductEvent } from './events.js';

export type ProductState =
  | { readonly status: 'none' }
  | {
      readonly status: 'available' | 'unavailable' | 'removed';
      readonly productId: string;
      readonly sellerId: string;
      readonly name: string;
      readonly price: number;
      readonly priceKind: PriceKind;
      readonly description: string;
      readonly subcategoryId: number;
      readonly state: string;
      readonly localGovt: string;
      readonly condition: Condition | null;
      readonly attributes: ProductAttributes;
      readonly images: readonly string[];
    };
export type ListedProduct = Exclude<ProductState, { status: 'none' }>;

export const noProduct: ProductState = { status: 'none' };

/** The attributes after an update: empty text has cleared what was there. */
export function updatedAttributes(
  before: ProductAttributes,
  changes: ProductAttributes = {},
): ProductAttributes {
  const merged = Object.entries({ ...before, ...changes });
  return Object.fromEntries(merged.filter(([, value]) => value !== ''));
}

export function evolveProduct(state: ProductState, event: ProductEvent): ProductState {
  if (event.type === 'ProductListed') {
    const { at: _, condition, ...data } = event.data;
    return { status: 'available', ...data, condition: condition ?? null };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'ProductUpdated': {
      const { data } = event;
      return {
        ...state,
        name: data.name ?? state.name,
        price: data.price ?? state.price,
        priceKind: data.priceKind ?? state.priceKind,
        description: data.description ?? state.description,
        state: data.state ?? state.state,
        localGovt: data.localGovt ?? state.localGovt,
        condition: data.condition ?? state.condition,
        attributes: updatedAttributes(state.attributes, data.attributes),
      };
    }
    case 'ProductMadeUnavailable':
      return { ...state, status: 'unavailable' };
    case 'ProductMadeAvailable':
      return { ...state, status: 'available' };
    case 'ProductRemoved':
      return { ...state, status: 'removed' };
  }
}
