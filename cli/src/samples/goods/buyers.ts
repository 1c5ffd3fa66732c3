import type { SampleBuyer } from '../types.js';
import { personName, phoneNumber } from './people.js';
import type { Random } from './random.js';

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

/** Domains that are kept free for examples, so no message can ever reach anybody. */
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
