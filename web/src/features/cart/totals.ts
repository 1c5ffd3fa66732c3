import { deliveryFee, type Kobo, limits, nairaToKobo } from '@oja/domain/rules';
import { type CartItem, sumCart } from '../../stores/cart.js';

/** The cart items of one seller. */
export interface SellerGroup {
  readonly sellerId: string;
  readonly businessName: string;
  /** 'Surulere, Lagos'; undefined when it is not known. */
  readonly place: string | undefined;
  readonly lines: readonly CartItem[];
  readonly subtotal: Kobo;
}

export interface CartTotals {
  /** In the order in which the sellers' first products were added to the cart. */
  readonly groups: readonly SellerGroup[];
  readonly products: number;
  readonly pieces: number;
  readonly subtotal: Kobo;
  readonly fee: Kobo;
  readonly total: Kobo;
  /** Whether the total is more than one order may cost. */
  readonly exceedsLimit: boolean;
}

function toSellerGroup(lines: readonly CartItem[], first: CartItem): SellerGroup {
  const { local_govt, state } = first;
  return {
    sellerId: first.user_id,
    businessName: first.businessName ?? 'Seller',
    place: local_govt !== undefined && state !== undefined ? `${local_govt}, ${state}` : undefined,
    lines,
    subtotal: sumCart(lines),
  };
}

/**
 * The totals of a cart.
 * @param items only those that can be ordered
 * @param currentFee the shopper's current fee in naira; a subtotal of exactly ₦5,000 keeps it
 */
export function calculateTotals(items: readonly CartItem[], currentFee: number): CartTotals {
  const bySeller = new Map<string, CartItem[]>();
  for (const item of items)
    bySeller.set(item.user_id, [...(bySeller.get(item.user_id) ?? []), item]);
  const subtotal = sumCart(items);
  const fee = items.length === 0 ? 0 : deliveryFee(subtotal, nairaToKobo(currentFee));
  const total = subtotal + fee;
  return {
    groups: [...bySeller.values()].flatMap((lines) =>
      lines[0] === undefined ? [] : [toSellerGroup(lines, lines[0])],
    ),
    products: items.length,
    pieces: items.reduce((sum, { quantity }) => sum + quantity, 0),
    subtotal,
    fee,
    total,
    exceedsLimit: total > limits.orderAmount.max,
  };
}
