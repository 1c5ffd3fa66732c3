import { z } from 'zod';
import { type EventOf, id, instant, kobo } from '../decider.js';
import { type Condition, conditions } from '../rules/catalogue.js';
import type { PriceKind } from '../rules/money.js';
import {
  evolveStock,
  isStockEvent,
  type StockCommand,
  type StockTracking,
  stockCount,
  stockEvents,
  untracked,
  withStockCount,
} from './stock.js';

/**
 * Attribute name on the wire → value. `water_resistance` is 0 or 1, all others are text. In an
 * update, an empty text clears the attribute.
 */
const productAttributes = z.record(z.string(), z.union([z.string(), z.number()]));
export type ProductAttributes = z.infer<typeof productAttributes>;

const condition = z.enum(conditions);
const priceKind = z.enum(['upload', 'update']);

/** Events that the seller causes. */
export const listingEvents = {
  ProductListed: z.object({
    productId: id,
    sellerId: id,
    name: z.string().min(1),
    /** What shoppers pay, after the raise. */
    price: kobo,
    priceKind,
    description: z.string(),
    subcategoryId: z.number().int(),
    state: z.string(),
    localGovt: z.string(),
    condition: condition.optional(),
    attributes: productAttributes,
    /** Image references, title picture first. */
    images: z.array(z.string()),
    /** How many pieces are for sale. Absent when the seller does not track stock. */
    stock: stockCount.optional(),
    at: instant,
  }),
  /** Holds only the fields that changed. */
  ProductUpdated: z.object({
    productId: id,
    sellerId: id,
    name: z.string().min(1).optional(),
    price: kobo.optional(),
    priceKind: priceKind.optional(),
    description: z.string().optional(),
    state: z.string().optional(),
    localGovt: z.string().optional(),
    condition: condition.optional(),
    attributes: productAttributes.optional(),
    /** A new stock count; null turns stock tracking off. */
    stock: stockCount.nullable().optional(),
    /** All pictures, title picture first. */
    images: z.array(z.string()).optional(),
  }),
  ProductMadeUnavailable: z.object({ productId: id, sellerId: id }),
  ProductMadeAvailable: z.object({ productId: id, sellerId: id }),
  ProductRemoved: z.object({ productId: id, sellerId: id }),
};
/** All product events: the seller's, and the stock events that orders cause. */
export const productEvents = { ...listingEvents, ...stockEvents };
export type ProductEvent = EventOf<typeof productEvents>;

export type ProductState =
  | { readonly status: 'none' }
  | (StockTracking & {
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
    });
export type ListedProduct = Exclude<ProductState, { status: 'none' }>;

export const noProduct: ProductState = { status: 'none' };

/** Merges the attributes of an update. An empty text removes the attribute. */
export function updatedAttributes(
  before: ProductAttributes,
  changes: ProductAttributes = {},
): ProductAttributes {
  const merged = Object.entries({ ...before, ...changes });
  return Object.fromEntries(merged.filter(([, value]) => value !== ''));
}

/** A product after one more of its events. Events before it was listed change nothing. */
export function evolveProduct(state: ProductState, event: ProductEvent): ProductState {
  if (event.type === 'ProductListed') {
    const { at: _, condition, stock, ...data } = event.data;
    const tracking = withStockCount(untracked, stock);
    return { status: 'available', ...data, condition: condition ?? null, ...tracking };
  }
  if (state.status === 'none') return state;
  if (isStockEvent(event)) return { ...state, ...evolveStock(state, event) };
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
        images: data.images ?? state.images,
        ...withStockCount(state, data.stock),
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

interface ProductDetails {
  readonly name: string;
  /** What shoppers pay, after the raise. Kobo. */
  readonly price: number;
  readonly description: string;
  readonly state: string;
  readonly localGovt: string;
  readonly condition?: Condition | undefined;
  readonly attributes: ProductAttributes;
  /** How many pieces are for sale; null turns stock tracking off. */
  readonly stock?: number | null | undefined;
}

export interface ListProduct extends ProductDetails {
  readonly type: 'ListProduct';
  readonly productId: string;
  readonly sellerId: string;
  readonly subcategoryId: number;
  readonly images: readonly string[];
  readonly at: string;
}
/** Any subset of the details. */
export type ChosenDetails = {
  readonly [K in keyof ProductDetails]?: ProductDetails[K] | undefined;
};

/** Changes only the given fields. */
export type UpdateProduct = ChosenDetails & {
  readonly type: 'UpdateProduct';
  readonly sellerId: string;
  /** The count that the seller saw when they chose `stock`; null if there was none. Absent: any count is replaced. */
  readonly stockWas?: number | null | undefined;
  /** The complete new list of pictures, title picture first. */
  readonly images?: readonly string[] | undefined;
};
interface ToggleAvailability {
  readonly type: 'ToggleAvailability';
  /** The state to reach. Without it, the current state is toggled. */
  readonly wanted?: 'available' | 'unavailable' | undefined;
  readonly sellerId: string;
}
interface RemoveProduct {
  readonly type: 'RemoveProduct';
  readonly sellerId: string;
  /** Whether a paid order that is not closed contains the product. */
  readonly inTransaction: boolean;
}
export type ProductCommand =
  | ListProduct
  | UpdateProduct
  | ToggleAvailability
  | RemoveProduct
  | StockCommand;
