import type { Condition } from '../rules/catalogue.js';
import type { ProductAttributes } from './events.js';
import type { StockCommand } from './stock.js';

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
export interface ToggleAvailability {
  readonly type: 'ToggleAvailability';
  /** How it shall stand afterwards; without it, the other way than now. */
  readonly wanted?: 'available' | 'unavailable' | undefined;
  readonly sellerId: string;
}
export interface RemoveProduct {
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
export type * from './stock.js';
