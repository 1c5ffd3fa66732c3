import { fold } from './search-words.js';

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
