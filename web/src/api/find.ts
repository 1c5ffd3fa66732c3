import { limits } from '@oja/domain/rules';
import { cleanLine } from '@oja/domain/rules/typed';

/**
 * What is looked for in a list of the seller's own, as its call takes it. Copied text may hold marks that nobody
 * sees, and an address may hold anything: the call would refuse both. Undefined for nothing.
 */
export const findOf = (text: string): string | undefined =>
  cleanLine(text).slice(0, limits.productName.max).trim() || undefined;
