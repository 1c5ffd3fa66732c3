import { limits } from './limits.js';

/**
 * What no text of people may hold: control characters, halves of a character, line separators, and signs
 * that turn the direction of what follows. Printed, they make text look like other text.
 */
const TURNING = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const SEPARATORS = '\\u2028\\u2029';
const UNPRINTABLE = `\\p{Cc}\\p{Cs}${TURNING}${SEPARATORS}`;
/** The same without tab, line feed and carriage return. */
const UNPRINTABLE_IN_LINES = `\\0-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F\\p{Cs}${TURNING}${SEPARATORS}`;

/** Text of one line, as a name or an address is. */
export const oneLine = new RegExp(`^[^${UNPRINTABLE}]*$`, 'u');
/** Text in which people may begin a new line or move on by a tab. */
export const severalLines = new RegExp(`^[^${UNPRINTABLE_IN_LINES}]*$`, 'u');

export const UNPRINTABLE_PROBLEM = 'must not hold signs that cannot be seen';

const unprintable = new RegExp(`[${UNPRINTABLE}]`, 'gu');

/** The text with each such sign replaced: by U+FFFD, or by what is said. */
export const printable = (text: string, instead: (sign: string) => string = () => '\uFFFD') =>
  text.replace(unprintable, instead);

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
