import { businessNameProblem, limits } from '@oja/domain/rules';
import type { Registration } from './api.js';

const PHONE = /^\d{11}$/;

/** What is wrong with each field of a sign-up, in the product's own words, odd spellings too. */
export const rules: Readonly<Record<keyof Registration, (value: string) => string | true>> = {
  name: (value) => {
    const length = [...value.trim()].length;
    if (length === 0) return 'please enter your name!';
    return length >= limits.sellerName.min || `minimum of ${limits.sellerName.min} characters`;
  },
  businessName: (value) => businessNameProblem(value) ?? true,
  phone_1: (value) => PHONE.test(digits(value)) || 'please enter your Phone number!',
  password: (value) => value.length >= limits.password.min || 'please enter your passwordd!',
};

/** People write phone numbers in groups. */
export function digits(phone: string): string {
  return phone.replace(/[\s-]/g, '');
}
