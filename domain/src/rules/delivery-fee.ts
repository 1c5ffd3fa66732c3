import { KOBO_PER_NAIRA, type Kobo } from './money.js';

export const DELIVERY_THRESHOLD: Kobo = 500_000;
export const DELIVERY_FEE: Kobo = 80_000;
/** Before any cart there is a fee, until a subtotal above the threshold takes it away. */
export const STARTING_DELIVERY_FEE: Kobo = DELIVERY_FEE;

/** Free above ₦5,000, ₦800 below; at exactly ₦5,000 the shopper's current fee stays as it is. */
export function deliveryFee(subtotal: Kobo, current: Kobo): Kobo {
  if (subtotal > DELIVERY_THRESHOLD) return 0;
  if (subtotal < DELIVERY_THRESHOLD) return DELIVERY_FEE;
  return current;
}

/** The least, in whole naira, that brings a subtotal above the threshold: the fee goes there, not at it. */
export function untilFreeDelivery(subtotal: Kobo): Kobo {
  return Math.max(0, DELIVERY_THRESHOLD + KOBO_PER_NAIRA - subtotal);
}

/** What an order of this subtotal may cost: at exactly the threshold both readings are right. */
export function acceptableAmounts(subtotal: Kobo): readonly Kobo[] {
  if (subtotal === DELIVERY_THRESHOLD) return [subtotal, subtotal + DELIVERY_FEE];
  return [subtotal + deliveryFee(subtotal, 0)];
}
