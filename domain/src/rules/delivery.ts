import { KOBO_PER_NAIRA, type Kobo } from './money.js';

/** The states that Oja delivers in. Local governments are in alphabetical order. */
export const states = [
  { name: 'Enugu', localGovts: ['Enugu North', 'Enugu-Ezike', 'Nsukka'] },
  {
    name: 'Lagos',
    localGovts: [
      'Agege',
      'Ajeromi-Ifelodun',
      'Almosho',
      'Amuwa-Odofin',
      'Apapa',
      'Eti-Osa',
      'Ibeju-Lekki',
      'Ifaka-Ijaye',
      'Ikeja',
      'Kasofe',
      'Lagos Island',
      'Lagos Mainland',
      'Mushin',
      'Ojo',
      'Oshodi-Isolo',
      'Shamalu',
      'Surulere',
    ],
  },
] as const;
type StateName = (typeof states)[number]['name'];

export const ALL_PLACES = 'All States/Local Govt';

/** Whether the local government belongs to the state. Both must be spelled as in the list. */
export function isPlace(state: string, localGovt: string): boolean {
  return states.some((s) => s.name === state && s.localGovts.some((name) => name === localGovt));
}

/** The state of a local government; null when the name is not in the list. */
export function stateOf(localGovt: string): StateName | null {
  return states.find((s) => s.localGovts.some((name) => name === localGovt))?.name ?? null;
}

export const DELIVERY_THRESHOLD: Kobo = 500_000;
export const DELIVERY_FEE: Kobo = 80_000;
/** The fee before anything is in the cart. It applies until a subtotal is above the threshold. */
export const STARTING_DELIVERY_FEE: Kobo = DELIVERY_FEE;

/** Free above ₦5,000 and ₦800 below. At exactly ₦5,000 the shopper's current fee is kept. */
export function deliveryFee(subtotal: Kobo, current: Kobo): Kobo {
  if (subtotal > DELIVERY_THRESHOLD) return 0;
  if (subtotal < DELIVERY_THRESHOLD) return DELIVERY_FEE;
  return current;
}

/**
 * How much more, in kobo (a whole naira above the threshold), makes delivery free. Reaching exactly
 * the threshold is not enough.
 */
export function untilFreeDelivery(subtotal: Kobo): Kobo {
  return Math.max(0, DELIVERY_THRESHOLD + KOBO_PER_NAIRA - subtotal);
}

/** The totals that are accepted for this subtotal. At exactly the threshold both totals are valid. */
export function acceptableAmounts(subtotal: Kobo): readonly Kobo[] {
  if (subtotal === DELIVERY_THRESHOLD) return [subtotal, subtotal + DELIVERY_FEE];
  return [subtotal + deliveryFee(subtotal, 0)];
}
