import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { cartGoodsQuery, isWithdrawn } from '../../api/cart-goods.js';
import { type CartItem, refreshCart, useCartItems } from '../../stores/cart.js';

export interface FreshCart {
  readonly items: readonly CartItem[];
  /** Those that cannot be ordered now: taken down, unavailable, or of a suspended seller. */
  readonly gone: readonly CartItem[];
  /** Product id → what it cost, in naira, before its seller changed the price. */
  readonly before: ReadonlyMap<string, number>;
}

/** The cart with the prices of now, and what of it is gone. Until the market answers, it is as it was left. */
export function useFreshCart(): FreshCart {
  const kept = useCartItems();
  const { data } = useQuery(cartGoodsQuery(kept.map((item) => item.product_id)));
  const [before, setBefore] = useState<ReadonlyMap<string, number>>(new Map());

  useEffect(() => {
    if (data === undefined) return;
    const changed = refreshCart(data.result);
    if (changed.size > 0) setBefore((known) => new Map([...changed, ...known]));
  }, [data]);

  const goneIds = new Set([
    ...(data?.gone ?? []).map(({ product_id }) => product_id),
    ...(data?.result ?? []).filter(isWithdrawn).map(({ product_id }) => product_id),
  ]);
  return {
    items: kept.filter(({ product_id }) => !goneIds.has(product_id)),
    gone: kept.filter(({ product_id }) => goneIds.has(product_id)),
    before,
  };
}
