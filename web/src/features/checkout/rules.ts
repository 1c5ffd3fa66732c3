import { limits } from '@oja/domain/rules';
import type { FieldErrors } from 'react-hook-form';
import type { Buyer } from './draft.js';

/** The form's fields, in the order in which they stand and get the focus. */
export const labels = {
  full_name: 'Full Name',
  email: 'Email address',
  home_address: 'Home Address',
  phone_number: 'Phone number',
} as const satisfies Readonly<Record<keyof Buyer, string>>;

export const buyerFields = ['full_name', 'email', 'home_address', 'phone_number'] as const;

/** Digits that a phone number has at least; the server counts characters. */
const PHONE_DIGITS = 7;

const problems: Readonly<Record<keyof Buyer, (value: string) => string | undefined>> = {
  full_name: (value) => tooLong(value, limits.buyerName.max),
  email: (value) => emailProblem(value) ?? tooLong(value, limits.email.max),
  home_address: (value) => tooLong(value, limits.address.max),
  phone_number: (value) => {
    const tooShort = value.replace(/\D/g, '').length < PHONE_DIGITS;
    return tooShort || /[^\d\s+()-]/.test(value)
      ? 'Write the whole number, like 0803 412 7765'
      : tooLong(value, limits.phone.max);
  },
};

function emailProblem(value: string): string | undefined {
  const [name = '', host = '', ...more] = value.split('@');
  if (host === '' || name === '' || more.length > 0 || /\s/.test(value))
    return 'Write the whole address, like name@gmail.com';
  return /\.[a-z]{2,}$/i.test(host) ? undefined : 'Add the part after the dot, like gmail.com';
}

function tooLong(value: string, max: number): string | undefined {
  return [...value].length > max ? `Make it shorter: at most ${max} characters` : undefined;
}

/** What is wrong with one field, to be said below it. */
export function problemOf(name: keyof Buyer, value: string): string | undefined {
  return value === '' ? `${labels[name]} is required` : problems[name](value);
}

/** As the server will read them. */
export function trimmed(typed: Buyer): Buyer {
  return {
    full_name: typed.full_name.trim(),
    email: typed.email.trim(),
    home_address: typed.home_address.trim(),
    phone_number: typed.phone_number.trim(),
  };
}

/** For react-hook-form, which then puts the focus on the first wrong field. */
export function resolver(typed: Buyer) {
  const values = trimmed(typed);
  const errors: FieldErrors<Buyer> = Object.fromEntries(
    buyerFields.flatMap((name) => {
      const message = problemOf(name, values[name]);
      return message === undefined ? [] : [[name, { type: 'rule', message }]];
    }),
  );
  return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
}
