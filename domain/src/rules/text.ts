import { limits } from './limits.js';

/**
 * Characters that no user text may contain: control characters, lone surrogates, line separators, and signs that
 * change the reading direction or have no width. When printed, they can make text look like other text. The joiners
 * stay, as emoji and some scripts need them.
 */
const READING_DIRECTION = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const ZERO_WIDTH = '\\u00AD\\u200B\\u2060-\\u2064';
const SEPARATORS = '\\u2028\\u2029';
const BESIDES_CONTROLS = `\\p{Cs}${READING_DIRECTION}${ZERO_WIDTH}${SEPARATORS}`;
const UNPRINTABLE = `\\p{Cc}${BESIDES_CONTROLS}`;
/** The same set, but tab, line feed and carriage return are allowed. */
const UNPRINTABLE_IN_LINES = `\\0-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F${BESIDES_CONTROLS}`;

const unprintable = new RegExp(`[${UNPRINTABLE}]`, 'gu');
const unprintableInLines = new RegExp(`[${UNPRINTABLE_IN_LINES}]`, 'gu');
const separators = new RegExp(`[${SEPARATORS}]`, 'gu');
/** Matches text of which nothing is seen. U+2800 is a Braille sign without a dot. */
const invisible = /^[\p{Default_Ignorable_Code_Point}\u2800\s]*$/u;
/** Matches what stands between words, or ends a line. */
const blanks = /[\s\x85]+/gu;

/** Replaces each unprintable character, by default with U+FFFD. */
export const printable = (text: string, instead: (sign: string) => string = () => '\uFFFD') =>
  text.replace(unprintable, instead);

/**
 * What people see of text that they typed or pasted into a single line, such as a name or an address. What is copied
 * from a chat or from contacts brings signs that nobody sees and nobody could take out; they are left out. Between words
 * stands one plain space, whatever was typed, since browsers show no more: two names that look alike are alike.
 */
export const cleanLine = (text: string): string =>
  emptyIfInvisible(
    printable(text.replace(blanks, ' '), () => '')
      .replace(/ +/g, ' ')
      .trim(),
  );

/** The same for text of several lines, which keeps its line breaks and tabs. */
export const cleanLines = (text: string): string =>
  emptyIfInvisible(text.replace(separators, '\n').replace(unprintableInLines, '').trim());

const emptyIfInvisible = (text: string): string => (invisible.test(text) ? '' : text);

/*
 * What a delivery rider needs to find a buyer. The form and the API share these checks. Each takes
 * trimmed text; maximum lengths are in `limits`.
 */

const LETTERS = /\p{L}.*\p{L}/u;

/** A name that a rider can ask for: it has letters of any script, and is not an e-mail address. */
export const isBuyerName = (name: string): boolean => LETTERS.test(name) && !name.includes('@');

/** An address of more than one word. The name of a town alone is not enough for a rider. */
export function isWholeAddress(address: string): boolean {
  const words = address.split(/[\s,]+/).filter((word) => word !== '');
  return words.length > 1 && LETTERS.test(address) && [...address].length >= limits.address.min;
}

/** Separators that people write between the digits of a phone number. */
const BETWEEN = /[\s().-]/g;
/** The code of the country, and the zero that some people keep after it. */
const COUNTRY_CODE = /^(?:\+|00)?2340?(?=\d{10}$)/;

/** The figures of a phone number as people in the country dial it: '+234 (0)803 412 7765' is '08034127765'. */
export const nationalFigures = (phone: string): string =>
  phone.replace(BETWEEN, '').replace(COUNTRY_CODE, '0');

/** A Nigerian mobile or landline number, in national or international form. Some people keep the zero after +234. */
const NIGERIAN = /^(?:0|(?:\+|00)?2340?)(?:[789][01]\d{8}|(?![789][01])[1-9]\d{6,9})$/;
/** A number outside Nigeria: people abroad order for their family at home. */
const FOREIGN = /^(?:\+|00)(?!234)[1-9]\d{6,13}$/;

/** Whether the text is a complete phone number that a rider can call from Nigeria. */
export function isCallable(phone: string): boolean {
  const figures = phone.replace(BETWEEN, '');
  return NIGERIAN.test(figures) || FOREIGN.test(figures);
}

interface EditDistanceOptions {
  /** Counting stops above this, to save time. */
  readonly most?: number;
  /** Compares with the nearest part of the other text, so that the beginning of a name is near to the whole name. */
  readonly within?: boolean;
}

/**
 * How many letters were left out, added, mistaken or swapped with their neighbour between a text and another; `most` + 1
 * for anything above `most`.
 */
export function editDistance(
  text: string,
  other: string,
  { most = Number.MAX_SAFE_INTEGER, within = false }: EditDistanceOptions = {},
): number {
  if (!within && Math.abs(text.length - other.length) > most) return most + 1;
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => (within ? 0 : at));
  for (let i = 1; i <= text.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = text[i - 1] === other[j - 1];
      const swapped = text[i - 1] === other[j - 2] && text[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? i) + 1,
        (next[j - 1] ?? j) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return Math.min(within ? Math.min(...row) : (row[other.length] ?? 0), most + 1);
}
