import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { asRecord } from '../../api/as-record.js';
import { goodsByIdsQuery, isSoldOut, isWithdrawn } from '../../api/goods-by-ids.js';
import {
  type CartItem,
  toCartItem,
  useCartItems,
  useDeliveryFee,
  useSingleOrderId,
} from '../../stores/cart.js';
import { refreshCart } from '../../stores/cart-checkout.js';
import { type CartTotals, calculateTotals } from '../cart/totals.js';

/** The goods about to be bought, and their cost. */
export interface Basket extends CartTotals {
  readonly items: readonly CartItem[];
}

/** Said of a product whose name nobody knows any more. */
export const UNKNOWN_PRODUCT = 'A product that is no longer available';

export interface BasketState {
  /** Undefined while the single product loads; without items when there is nothing to buy. */
  readonly basket: Basket | undefined;
  readonly failed: boolean;
  /** Names of goods that are known to be gone. Sold-out goods are in `short`. */
  readonly gone: readonly string[];
  /** One sentence for each product with fewer pieces in stock than are wanted. */
  readonly short: readonly string[];
  /** Product id → price in naira that the buyer knows, where it is another one now. */
  readonly before: ReadonlyMap<string, number>;
  readonly refetch: () => Promise<unknown>;
}

/** State of a navigation to the form: product id → price in naira that was shown where it was begun. */
export interface ShownPrices {
  readonly prices: Readonly<Record<string, number>>;
}

/**
 * The prices that have changed since the buyer first saw them: in the order that is paid now, in the cart as it was
 * stored, or here. The form takes over new prices by itself, and must not do so in silence.
 */
function useFormerPrices(items: readonly CartItem[]): ReadonlyMap<string, number> {
  const { state } = useLocation();
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(
    () =>
      new Map(
        Object.entries(asRecord(asRecord(state).prices)).flatMap(([id, price]) =>
          typeof price === 'number' ? [[id, price] as const] : [],
        ),
      ),
  );
  useEffect(() => {
    const unseen = items.flatMap(({ product_id, price }) =>
      price === undefined || seen.has(product_id) ? [] : [[product_id, price] as const],
    );
    if (unseen.length > 0) setSeen(new Map([...seen, ...unseen]));
  }, [items, seen]);
  return new Map(
    items.flatMap(({ product_id, price }) => {
      const before = seen.get(product_id);
      return before === undefined || before === price ? [] : [[product_id, before] as const];
    }),
  );
}

/** The cart, or when it is empty the product last chosen by Single order. Prices are fetched anew. */
export function useBasket(): BasketState {
  const cart = useCartItems();
  const fee = useDeliveryFee();
  const single = useSingleOrderId();
  const ids =
    cart.length > 0 ? cart.map((item) => item.product_id) : single === null ? [] : [single];
  const goods = useQuery(goodsByIdsQuery(ids));
  const { data, isFetchedAfterMount } = goods;
  useEffect(() => {
    // Cached data is of an earlier visit: the cart may hold newer prices.
    if (data !== undefined && isFetchedAfterMount) refreshCart(data.result);
  }, [data, isFetchedAfterMount]);

  // Until the next answer `data` belongs to the previous ids: ignore goods that have left the cart since.
  const isWanted = ({ product_id }: { readonly product_id: string }) => ids.includes(product_id);
  const known = data?.result.filter(isWanted) ?? [];
  const gone = [
    ...(data?.gone.filter(isWanted) ?? []).map(
      ({ product_id, prod_name }) =>
        prod_name ??
        cart.find((item) => item.product_id === product_id)?.prod_name ??
        UNKNOWN_PRODUCT,
    ),
    ...known
      .filter((product) => isWithdrawn(product) && !isSoldOut(product))
      .map(({ prod_name }) => prod_name),
  ];
  const short = known.flatMap(({ product_id, prod_name, stock }) => {
    const wanted = cart.find((item) => item.product_id === product_id)?.quantity ?? 1;
    if (stock === undefined || stock >= wanted) return [];
    return [stock === 0 ? `Sold out: ${prod_name}.` : `Only ${stock} left: ${prod_name}.`];
  });
  const waiting =
    cart.length === 0 && ids.length > 0 && (data === undefined || goods.isPlaceholderData);
  const items = cart.length > 0 ? cart : known.filter((p) => !isWithdrawn(p)).map(toCartItem);
  const before = useFormerPrices(items);
  return {
    basket: waiting ? undefined : { items, ...calculateTotals(items, fee) },
    failed: waiting && (goods.isError || goods.fetchStatus === 'paused'),
    gone,
    short,
    before,
    refetch: () => goods.refetch(),
  };
}
