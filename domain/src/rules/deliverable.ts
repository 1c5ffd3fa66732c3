import { limits } from './limits.js';

/*
 * What a rider has to know to find somebody: asked alike by the form and by the call behind it. Each takes trimmed text;
 * how long it may be is said by the limits.
 */

const LETTERS = /\p{L}.*\p{L}/u;

/** A name to ask for at the gate: of any script, and neither a number alone nor an e-mail address. */
export const isBuyerName = (name: string): boolean => LETTERS.test(name) && !name.includes('@');

/** A place in more than one word: the name of a town alone leads a rider nowhere. */
export function isWholeAddress(address: string): boolean {
  const words = address.split(/[\s,]+/).filter((word) => word !== '');
  return words.length > 1 && LETTERS.test(address) && [...address].length >= limits.address.min;
}

/** What people write between the figures of a number. */
const BETWEEN = /[\s().-]/g;
/** A mobile or fixed line, as it is called at home or from abroad; some keep the zero behind +234. */
const NIGERIAN = /^(?:0|(?:\+|00)?2340?)(?:[789][01]\d{8}|(?![789][01])[1-9]\d{6,9})$/;
/** Whoever orders from abroad for the family at home. */
const FOREIGN = /^(?:\+|00)(?!234)[1-9]\d{6,13}$/;

/** A whole number: a rider can call it from Nigeria. */
export function isCallable(phone: string): boolean {
  const figures = phone.replace(BETWEEN, '');
  return NIGERIAN.test(figures) || FOREIGN.test(figures);
}
