/** What only the cart page and the checkout do to the cart, in a file that no other page loads. */
import { type CartProduct, toCartItem, withItems, withoutProducts } from './cart.js';
import { changeAuthStorage, clampQuantity } from './persistent-store.js';

/** Sets the quantity, clamped to 1 to 99, of the line with this product and seller. */
export function setQuantity(productId: string, userId: string, quantity: number): void {
  changeAuthStorage((now) =>
    withItems(
      now,
      now.itemsAddedToCart.map((item) =>
        item.product_id === productId && item.user_id === userId
          ? { ...item, quantity: clampQuantity(quantity) }
          : item,
      ),
    ),
  );
}

/**
 * Takes over the server's current names, prices, places and pictures.
 * @returns product id → former price in naira, for each price that changed
 */
export function refreshCart(products: readonly CartProduct[]): ReadonlyMap<string, number> {
  const fresh = new Map(products.map((product) => [product.product_id, toCartItem(product)]));
  const before = new Map<string, number>();
  changeAuthStorage((now) => {
    for (const { product_id, price } of now.itemsAddedToCart) {
      const known = fresh.get(product_id);
      if (price !== undefined && known !== undefined && known.price !== price)
        before.set(product_id, price);
    }
    return withItems(
      now,
      now.itemsAddedToCart.map((item) => ({
        ...item,
        ...fresh.get(item.product_id),
        quantity: item.quantity,
      })),
    );
  });
  return before;
}

/**
 * Removes what was paid for, in one step, so that a cart left empty keeps its delivery fee, as the product
 * rules require.
 * @param goods product ids; without them, all that is in the cart
 */
export function removeBought(goods?: readonly (string | null)[]): void {
  changeAuthStorage((now) => withoutProducts(now, (id) => goods?.includes(id) ?? true));
}
