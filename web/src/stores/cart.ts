import { deliveryFee, type Kobo, koboToNaira, limits, nairaToKobo } from '@oja/domain/rules';
import type { Product } from '../api/types.js';
import { type AuthStorage, type CartItem, changeKept, useKept } from './kept.js';

export type { CartItem } from './kept.js';

/** The fields of a product that a cart line keeps. */
export type CartProduct = Pick<
  Product,
  | 'product_id'
  | 'user_id'
  | 'prod_name'
  | 'price'
  | 'businessName'
  | 'state'
  | 'local_govt'
  | 'subcategory_id'
  | 'image_urls'
>;

/** A removed line and its place, so that Undo can put it back. */
export interface Removed {
  readonly item: CartItem;
  readonly place: number;
}

export const useCartItems = () => useKept((kept) => kept.itemsAddedToCart);
/** The number of lines, whatever their quantities. */
export const useCartCount = () => useKept((kept) => kept.itemsAddedToCart.length);
export const useInCart = (productId: string) =>
  useKept((kept) => holds(kept.itemsAddedToCart, productId));
/** The product whose card was last pressed. */
export const useOpened = () => useKept((kept) => kept.pid);
/** The product chosen by Single order. */
export const useSingle = () => useKept((kept) => kept.singleProductId);
/** In naira. */
export const useDeliveryFee = () => useKept((kept) => kept.deliveryFee);

/** The sum of the lines in kobo, at the prices known here. */
export function subtotalOf(items: readonly CartItem[]): Kobo {
  return items.reduce((sum, item) => sum + nairaToKobo(item.price ?? 0) * item.quantity, 0);
}

/** A product as a cart line with quantity 1. */
export function lineOf(product: CartProduct): CartItem {
  const [image_url] = product.image_urls;
  return {
    product_id: product.product_id,
    user_id: product.user_id,
    quantity: 1,
    prod_name: product.prod_name,
    price: product.price,
    businessName: product.businessName,
    state: product.state,
    local_govt: product.local_govt,
    subcategory_id: product.subcategory_id,
    ...(image_url !== undefined && { image_url }),
  };
}

function feeOf(items: readonly CartItem[], current: number): number {
  return koboToNaira(deliveryFee(subtotalOf(items), nairaToKobo(current)));
}

/** The state with new lines, and the delivery fee and cart signs that follow from them. */
export function withItems(now: AuthStorage, items: readonly CartItem[]): Partial<AuthStorage> {
  return {
    itemsAddedToCart: items,
    showButton: Object.fromEntries(items.map((item) => [item.product_id, true])),
    ...(items.length > 0 && { deliveryFee: feeOf(items, now.deliveryFee) }),
  };
}

/** The state without some products; the empty cart could otherwise still sell the one chosen by Single order. */
export function without(
  now: AuthStorage,
  isGone: (productId: string | null) => boolean,
): Partial<AuthStorage> {
  return {
    ...withItems(
      now,
      now.itemsAddedToCart.filter((item) => !isGone(item.product_id)),
    ),
    ...(isGone(now.singleProductId) && { singleProductId: null }),
  };
}

const holds = (items: readonly CartItem[], productId: string) =>
  items.some((item) => item.product_id === productId);

function addLine(line: CartItem, place = Number.POSITIVE_INFINITY): 'added' | 'there' | 'full' {
  let outcome: 'added' | 'there' | 'full' = 'added';
  changeKept((now) => {
    const items = now.itemsAddedToCart;
    if (holds(items, line.product_id)) outcome = 'there';
    else if (items.length >= limits.cartLines.max) outcome = 'full';
    return outcome === 'added'
      ? withItems(now, [...items.slice(0, place), line, ...items.slice(place)])
      : {};
  });
  return outcome;
}

/** Adds a product with quantity 1; a product that is already in the cart stays unchanged. */
export function addToCart(product: CartProduct): 'added' | 'there' | 'full' {
  return addLine(lineOf(product));
}

/** Removes a product. @returns what Undo needs, or undefined when the product was not in the cart */
export function removeFromCart(productId: string): Removed | undefined {
  let removed: Removed | undefined;
  changeKept((now) => {
    const place = now.itemsAddedToCart.findIndex((item) => item.product_id === productId);
    const item = now.itemsAddedToCart[place];
    if (item === undefined) return {};
    removed = { item, place };
    return without(now, (id) => id === productId);
  });
  return removed;
}

/** Undo of `removeFromCart`. A cart that has become full since then stays as it is. */
export function putBack({ item, place }: Removed): 'added' | 'there' | 'full' {
  return addLine(item, place);
}

/** Removes the product if it is in the cart, else adds it. */
export function toggleCart(product: CartProduct): 'added' | 'full' | Removed {
  const removed = removeFromCart(product.product_id);
  if (removed !== undefined) return removed;
  return addToCart(product) === 'full' ? 'full' : 'added';
}

/** Single order: adds the product to the cart and marks it as the chosen one. */
export function chooseSingle(product: CartProduct): 'added' | 'there' | 'full' {
  const outcome = addToCart(product);
  if (outcome !== 'full') changeKept(() => ({ singleProductId: product.product_id }));
  return outcome;
}

/** Remembers the product whose card was pressed, for /view-card. */
export function rememberOpened(productId: string): void {
  changeKept(() => ({ pid: productId }));
}
