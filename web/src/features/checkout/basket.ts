import { deliveryFee, type Kobo, nairaToKobo } from '@oja/domain/rules';
import { type CartItem, subtotalOf } from '../../stores/cart.js';

/** What is about to be bought, and what it costs. */
export interface Basket {
  readonly items: readonly CartItem[];
  readonly products: Kobo;
  readonly fee: Kobo;
  readonly amount: Kobo;
}

/** @param fee the shopper's current fee in naira, which an order of exactly ₦5,000 leaves as it is */
export function basketOf(items: readonly CartItem[], fee: number): Basket {
  const products = subtotalOf(items);
  const due = deliveryFee(products, nairaToKobo(fee));
  return { items, products, fee: due, amount: products + due };
}

export interface SellerGoods {
  readonly sellerId: string;
  readonly businessName: string;
  readonly items: readonly CartItem[];
}

/** By seller, in the order in which they were put in. */
export function bySeller(items: readonly CartItem[]): readonly SellerGoods[] {
  return [...new Set(items.map((item) => item.user_id))].map((sellerId) => {
    const own = items.filter((item) => item.user_id === sellerId);
    return { sellerId, businessName: own[0]?.businessName ?? 'Seller', items: own };
  });
}
