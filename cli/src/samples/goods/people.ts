import type { Random } from './random.js';

const FIRST = [
  'Adaeze',
  'Aisha',
  'Amaka',
  'Bayo',
  'Bola',
  'Chiamaka',
  'Chidi',
  'Chinonso',
  'Damilola',
  'Ebere',
  'Efe',
  'Emeka',
  'Fatima',
  'Femi',
  'Funke',
  'Grace',
  'Halima',
  'Ibrahim',
  'Ifeoma',
  'Ikenna',
  'Kehinde',
  'Kelechi',
  'Lanre',
  'Mercy',
  'Nneka',
  'Obinna',
  'Ogechi',
  'Peace',
  'Rukayat',
  'Samuel',
  'Sani',
  'Simisola',
  'Taiwo',
  'Tobi',
  'Uche',
  'Victor',
  'Wale',
  'Yemi',
  'Yusuf',
  'Zainab',
] as const;

const LAST = [
  'Abubakar',
  'Adebayo',
  'Adeleke',
  'Agbo',
  'Akande',
  'Anyanwu',
  'Asogwa',
  'Balogun',
  'Bello',
  'Chukwu',
  'Danladi',
  'Edet',
  'Ekwueme',
  'Eze',
  'Garba',
  'Ibeh',
  'Idowu',
  'Lawal',
  'Mohammed',
  'Nnamdi',
  'Nwachukwu',
  'Obi',
  'Odo',
  'Ogunleye',
  'Okeke',
  'Okonkwo',
  'Olatunji',
  'Onah',
  'Osagie',
  'Ugwu',
] as const;

/** A plausible Nigerian name; nobody in particular. */
export const personName = (random: Random): string => `${random.pick(FIRST)} ${random.pick(LAST)}`;

/** After the prefix and the digit of the role. */
const SERIAL_DIGITS = 5;

/**
 * A phone number of 11 digits that is nobody's: 07000 is no mobile network's prefix. `role` keeps
 * the numbers of sellers and buyers apart.
 */
export function phoneNumber(role: 'seller' | 'buyer', index: number): string {
  const serial = String(index % 10 ** SERIAL_DIGITS).padStart(SERIAL_DIGITS, '0');
  return `07000${role === 'seller' ? '1' : '2'}${serial}`;
}
