import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { cartGoodsQuery, isWithdrawn } from '../../api/cart-goods.js';
import { lineOf, refreshCart, useCartItems, useDeliveryFee, useSingle } from '../../stores/cart.js';
import { type Basket, basketOf } from './basket.js';

interface BasketOnScreen {
  /** Undefined while the single product is on its way; without items when there is nothing to buy. */
  readonly basket: Basket | undefined;
  readonly failed: boolean;
  /** Names of goods that cannot be ordered any more, as far as is known here. */
  readonly gone: readonly string[];
  readonly refetch: () => Promise<unknown>;
}

/** The cart; when it is empty, the product last chosen by Single order. Prices are asked anew. */
export function useBasket(): BasketOnScreen {
  const cart = useCartItems();
  const fee = useDeliveryFee();
  const single = useSingle();
  const ids =
    cart.length > 0 ? cart.map((item) => item.product_id) : single === null ? [] : [single];
  const goods = useQuery(cartGoodsQuery(ids));
  const { data } = goods;
  useEffect(() => {
    if (data !== undefined) refreshCart(data.result);
  }, [data]);

  const gone = [
    ...(data?.gone ?? []).map(
      ({ product_id, prod_name }) =>
        prod_name ??
        cart.find((item) => item.product_id === product_id)?.prod_name ??
        'A product that is not there',
    ),
    ...(data?.result ?? []).filter(isWithdrawn).map(({ prod_name }) => prod_name),
  ];
  const waiting = cart.length === 0 && ids.length > 0 && data === undefined;
  const items =
    cart.length > 0 ? cart : (data?.result ?? []).filter((p) => !isWithdrawn(p)).map(lineOf);
  return {
    basket: waiting ? undefined : basketOf(items, fee),
    failed: waiting && (goods.isError || goods.fetchStatus === 'paused'),
    gone,
    refetch: () => goods.refetch(),
  };
}
