import type { Random } from './random.js';
import type { SampleBuyer } from './types.js';

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

/** A plausible Nigerian name that stands for no real person. */
export const personName = (random: Random): string => `${random.pick(FIRST)} ${random.pick(LAST)}`;

/** Digits after the prefix and the digit of the role. */
const SERIAL_DIGITS = 5;

/**
 * An 11-digit phone number that belongs to nobody: 07000 is not the prefix of any mobile network.
 * `role` keeps the numbers of sellers and buyers apart.
 */
export function phoneNumber(role: 'seller' | 'buyer', index: number): string {
  const serial = String(index % 10 ** SERIAL_DIGITS).padStart(SERIAL_DIGITS, '0');
  return `07000${role === 'seller' ? '1' : '2'}${serial}`;
}

interface Quarter {
  readonly streets: readonly [string, ...string[]];
  readonly town: string;
}

const QUARTERS: readonly [Quarter, ...Quarter[]] = [
  { streets: ['Ogui Road', 'Zik Avenue', 'Chime Avenue', 'Abakaliki Road'], town: 'Enugu' },
  { streets: ['University Road', 'Orba Road', 'Enugu Road'], town: 'Nsukka, Enugu' },
  { streets: ['Ogba Road', 'Allen Avenue', 'Toyin Street', 'Opebi Road'], town: 'Ikeja, Lagos' },
  {
    streets: ['Bode Thomas Street', 'Adeniran Ogunsanya Street', 'Akerele Road'],
    town: 'Surulere, Lagos',
  },
  { streets: ['Herbert Macaulay Way', 'Commercial Avenue', 'Queens Street'], town: 'Yaba, Lagos' },
  { streets: ['Broad Street', 'Campbell Street', 'Igbosere Road'], town: 'Lagos Island, Lagos' },
];

/** Domains reserved for examples, so that no message can reach a real person. */
const MAIL_DOMAINS = ['example.com', 'example.org', 'example.net', 'ng.example'] as const;
const LAST_HOUSE = 120;

export function buyerFor(index: number, random: Random): SampleBuyer {
  const full_name = personName(random);
  const { streets, town } = random.pick(QUARTERS);
  const street = random.pick(streets);
  const mailbox = full_name.toLowerCase().replace(' ', '.');
  return {
    full_name,
    email: `${mailbox}${index + 1}@${random.pick(MAIL_DOMAINS)}`,
    home_address: `${random.between(1, LAST_HOUSE)} ${street}, ${town}`,
    phone_number: phoneNumber('buyer', index),
  };
}
