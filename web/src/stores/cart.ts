import { deliveryFee, type Kobo, koboToNaira, limits, nairaToKobo } from '@oja/domain/rules';
import type { Product } from '../api/types.js';
import {
  type AuthStorage,
  type CartItem,
  changeAuthStorage,
  useAuthStorage,
} from './persistent-store.js';

export type { CartItem } from './persistent-store.js';

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

/** A removed line, its place and what went with it, so that Undo can put it back. */
export interface RemovedItem {
  readonly item: CartItem;
  readonly place: number;
  /** In naira; the fee of the cart that had it. */
  readonly deliveryFee?: number;
  /** It was the product chosen by Single order. */
  readonly wasSingle?: boolean;
}

export const useCartItems = () => useAuthStorage((kept) => kept.itemsAddedToCart);
/** The number of lines, whatever their quantities. */
export const useCartCount = () => useAuthStorage((kept) => kept.itemsAddedToCart.length);
export const useIsInCart = (productId: string) =>
  useAuthStorage((kept) => containsProduct(kept.itemsAddedToCart, productId));
/** The product whose card was last pressed. */
export const useOpenedId = () => useAuthStorage((kept) => kept.pid);
/** The product chosen by Single order. */
export const useSingleOrderId = () => useAuthStorage((kept) => kept.singleProductId);
/** In naira. */
export const useDeliveryFee = () => useAuthStorage((kept) => kept.deliveryFee);

/** The sum of the lines in kobo, at the prices known here. */
export function sumCart(items: readonly CartItem[]): Kobo {
  return items.reduce((sum, item) => sum + nairaToKobo(item.price ?? 0) * item.quantity, 0);
}

/** A product as a cart line with quantity 1. */
export function toCartItem(product: CartProduct): CartItem {
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

/** The state with new lines, and the delivery fee and cart signs that follow from them. */
export function withItems(now: AuthStorage, items: readonly CartItem[]): Partial<AuthStorage> {
  return {
    itemsAddedToCart: items,
    showButton: Object.fromEntries(items.map((item) => [item.product_id, true])),
    deliveryFee: koboToNaira(deliveryFee(sumCart(items), nairaToKobo(now.deliveryFee))),
  };
}

/** The state without some products; the empty cart could otherwise still sell the one chosen by Single order. */
export function withoutProducts(
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

const containsProduct = (items: readonly CartItem[], productId: string) =>
  items.some((item) => item.product_id === productId);

type Added = 'added' | 'there' | 'full';

/** @param removed what the line was in the cart before, if Undo adds it */
function addLine(line: CartItem, removed?: Omit<RemovedItem, 'item'>): Added {
  let outcome: Added = 'added';
  changeAuthStorage((now) => {
    const items = now.itemsAddedToCart;
    if (containsProduct(items, line.product_id)) outcome = 'there';
    else if (items.length >= limits.cartLines.max) outcome = 'full';
    if (outcome !== 'added') return {};
    const {
      place = items.length,
      deliveryFee = now.deliveryFee,
      wasSingle = false,
    } = removed ?? {};
    return {
      ...withItems({ ...now, deliveryFee }, [
        ...items.slice(0, place),
        line,
        ...items.slice(place),
      ]),
      ...(wasSingle && { singleProductId: now.singleProductId ?? line.product_id }),
    };
  });
  return outcome;
}

/** Adds a product with quantity 1; a product that is already in the cart stays unchanged. */
export function addToCart(product: CartProduct): Added {
  return addLine(toCartItem(product));
}

/** Removes a product. @returns what Undo needs, or undefined when the product was not in the cart */
export function removeFromCart(productId: string): RemovedItem | undefined {
  let removed: RemovedItem | undefined;
  changeAuthStorage((now) => {
    const place = now.itemsAddedToCart.findIndex((item) => item.product_id === productId);
    const item = now.itemsAddedToCart[place];
    if (item === undefined) return {};
    const { deliveryFee, singleProductId } = now;
    removed = { item, place, deliveryFee, wasSingle: singleProductId === productId };
    return withoutProducts(now, (id) => id === productId);
  });
  return removed;
}

/** Undo of `removeFromCart`. A cart that has become full since then stays as it is. */
export function restoreToCart({ item, ...removed }: RemovedItem): Added {
  return addLine(item, removed);
}

/** Removes the product if it is in the cart, else adds it. */
export function toggleCart(product: CartProduct): 'added' | 'full' | RemovedItem {
  const removed = removeFromCart(product.product_id);
  if (removed !== undefined) return removed;
  return addToCart(product) === 'full' ? 'full' : 'added';
}

/** Single order: adds the product to the cart and marks it as the chosen one. */
export function startSingleOrder(product: CartProduct): Added {
  const outcome = addToCart(product);
  if (outcome !== 'full') changeAuthStorage(() => ({ singleProductId: product.product_id }));
  return outcome;
}

/** Remembers the product whose card was pressed, for /view-card. */
export function rememberOpenedProduct(productId: string): void {
  changeAuthStorage(() => ({ pid: productId }));
}
