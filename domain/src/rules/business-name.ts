import { fold } from './search-words.js';

/**
 * The key under which two business names count as equal. Spaces and hyphens are the same, because
 * they share a URL; at either end they are ignored.
 */
export function businessNameKey(name: string): string {
  return fold(name)
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '');
}
