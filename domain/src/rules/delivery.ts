import { KOBO_PER_NAIRA, type Kobo } from './money.js';

/** The states Oja delivers in, with their local governments in the order of the alphabet. */
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

/** Whether the local government is one of the state's, both spelt as in the list. */
export function isPlace(state: string, localGovt: string): boolean {
  return states.some((s) => s.name === state && s.localGovts.some((name) => name === localGovt));
}

/** The state of a local government; null for a name that is not in the list. */
export function stateOf(localGovt: string): StateName | null {
  return states.find((s) => s.localGovts.some((name) => name === localGovt))?.name ?? null;
}

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
