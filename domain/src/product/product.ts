import { z } from 'zod';
import { type EventOf, id, instant, kobo } from '../decider.js';
import type { Condition } from '../rules/catalogue.js';
import type { PriceKind } from '../rules/money.js';
import {
  countedAnew,
  evolveStock,
  isStockEvent,
  type Stock,
  type StockCommand,
  stockCount,
  stockEvents,
} from './stock.js';

/** By their names on the wire; water_resistance is 0 or 1, all others text; in an update empty text clears. */
const productAttributes = z.record(z.string(), z.union([z.string(), z.number()]));
export type ProductAttributes = z.infer<typeof productAttributes>;

const condition = z.enum(['New', 'Used']);
const priceKind = z.enum(['upload', 'update']);

/** What a seller does with a product. */
export const listingEvents = {
  ProductListed: z.object({
    productId: id,
    sellerId: id,
    name: z.string().min(1),
    /** What shoppers pay, raised already. */
    price: kobo,
    priceKind,
    description: z.string(),
    subcategoryId: z.number().int(),
    state: z.string(),
    localGovt: z.string(),
    condition: condition.optional(),
    attributes: productAttributes,
    /** References of the image host, the title picture first. */
    images: z.array(z.string()),
    /** How many there are to sell; without it nobody counts them. */
    stock: stockCount.optional(),
    at: instant,
  }),
  /** Only what changed. */
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
    /** Counted anew; null: not counted any more. */
    stock: stockCount.nullable().optional(),
    /** All of them, the title picture first. */
    images: z.array(z.string()).optional(),
  }),
  ProductMadeUnavailable: z.object({ productId: id, sellerId: id }),
  ProductMadeAvailable: z.object({ productId: id, sellerId: id }),
  ProductRemoved: z.object({ productId: id, sellerId: id }),
};
/** And what follows from orders for its count. */
export const productEvents = { ...listingEvents, ...stockEvents };
export type ProductEvent = EventOf<typeof productEvents>;

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
      /** Null: nobody counts them. */
      readonly stock: Stock | null;
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
    const { at: _, condition, stock, ...data } = event.data;
    const counted = { stock: countedAnew(null, stock) };
    return { status: 'available', ...data, condition: condition ?? null, ...counted };
  }
  if (state.status === 'none') return state;
  if (isStockEvent(event)) return { ...state, stock: evolveStock(state.stock, event) };
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
        stock: countedAnew(state.stock, data.stock),
        images: data.images ?? state.images,
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
  /** Kobo, raised already. */
  readonly price: number;
  readonly description: string;
  readonly state: string;
  readonly localGovt: string;
  readonly condition?: Condition | undefined;
  readonly attributes: ProductAttributes;
  /** How many there are to sell; null: nobody counts them (any more). */
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
/** Any of the details. */
export type ChosenDetails = {
  readonly [K in keyof ProductDetails]?: ProductDetails[K] | undefined;
};

/** Only the chosen fields. */
export type UpdateProduct = ChosenDetails & {
  readonly type: 'UpdateProduct';
  readonly sellerId: string;
  /** All it shall have, the title picture first. */
  readonly images?: readonly string[] | undefined;
};
interface ToggleAvailability {
  readonly type: 'ToggleAvailability';
  /** How it shall stand afterwards; without it, the other way than now. */
  readonly wanted?: 'available' | 'unavailable' | undefined;
  readonly sellerId: string;
}
interface RemoveProduct {
  readonly type: 'RemoveProduct';
  readonly sellerId: string;
  /** It is in a paid transaction that is not closed. */
  readonly inTransaction: boolean;
}
export type ProductCommand =
  | ListProduct
  | UpdateProduct
  | ToggleAvailability
  | RemoveProduct
  | StockCommand;
