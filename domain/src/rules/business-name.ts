import { limits } from './limits.js';
import { fold } from './search-words.js';

export const reservedBusinessNames = ['anonymous', 'admin', 'oja'] as const;

/**
 * What makes two business names one: spaces and hyphens are alike, since they share an address, and
 * count for nothing at either end.
 */
export function businessNameKey(name: string): string {
  return fold(name)
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The name as it stands in an address: spaces become hyphens. */
export const businessNameSlug = (name: string) => name.trim().replace(/\s+/g, '-');

/** What is wrong with a name as a business name, in words for its owner; null: nothing. */
export function businessNameProblem(name: string): string | null {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length === 0) return 'please enter your business name!';
  if (length < limits.businessName.min) return `minimum of ${limits.businessName.min} characters`;
  if (length > limits.businessName.max) return `maximum of ${limits.businessName.max} characters`;
  if (!/^[\p{L}\p{M}\p{Nd} &'.-]+$/u.test(trimmed))
    return "only letters, digits, spaces and & ' . - can stand in a business name";
  const key = businessNameKey(trimmed);
  if (!/[\p{L}\p{Nd}]/u.test(key)) return 'a business name needs letters or digits';
  if (reservedBusinessNames.some((reserved) => reserved === key)) return 'this name is reserved';
  return null;
}
