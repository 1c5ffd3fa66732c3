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
