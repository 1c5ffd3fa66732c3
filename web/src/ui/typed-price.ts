/** The most digits a price field takes. */
const MAX_DIGITS = 9;
/** The most characters kept of a text that is no price. */
const MAX_CHARACTERS = 40;
const GROUP_SIZE = 3;
const KOBO_DIGITS = 2;

function wholeDigits(text: string): string {
  return text
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, MAX_DIGITS);
}

/** Spaces, and the unseen signs that chats and word processors add. */
const BLANKS = /[\s\p{Cf}]/gu;
/** An amount without spaces, with or without the currency: digits, points and commas. */
const AMOUNT = /^(?:₦|#|ngn|n)?([\d.,]+)(?:naira|ngn)?$/iu;

/** The digits, points and commas of a text that holds one amount and nothing else; undefined for any other text. */
const amountIn = (text: string): string | undefined => AMOUNT.exec(text.replace(BLANKS, ''))?.[1];

/**
 * Whole naira of an amount as people write it: ₦1,250.00, 1.250,00, 1500.00, N1500 and 1 500. A point or comma
 * before the last three digits separates thousands. It starts the kobo when both signs are used and it is the
 * last, or when fewer digits follow.
 * @returns digits only; empty when the text is no amount of whole naira, such as -5, 1e3, 5k and 1.50
 */
export function parseNaira(written: string): string {
  const figure = amountIn(written) ?? '';
  const last = Math.max(figure.lastIndexOf('.'), figure.lastIndexOf(','));
  if (last === -1) return wholeDigits(figure);
  const sign = figure.charAt(last);
  const decimals = figure.slice(last + 1);
  const hasBoth = figure.includes(sign === '.' ? ',' : '.');
  const isKobo =
    hasBoth || decimals.length < GROUP_SIZE || (sign === '.' && decimals.length > GROUP_SIZE);
  if (!isKobo) return wholeDigits(figure);
  return hasOnlyZeros(decimals) ? wholeDigits(figure.slice(0, last)) : '';
}

const hasOnlyZeros = (kobo: string) => !/[1-9]/.test(kobo);

/** The content of the price field while it is being typed. */
export interface TypedPrice {
  /** Whole naira, digits only. If the text is no such price, the text itself, so that nobody gets another price. */
  readonly value: string;
  /** A point or comma and what was typed behind it. Zeros are shown until the field is left, and never counted. */
  readonly kobo: string;
}

/** Whether the value of a price field is empty or whole naira, and not a text that is no price. */
export const isWholeNaira = (value: string): boolean => /^\d*$/.test(value);

/** What the price field shows. */
export const formatTypedPrice = ({ value, kobo }: TypedPrice): string =>
  isWholeNaira(value) ? groupThousands(value) + kobo : value;

const toInvalidPrice = (text: string): TypedPrice => ({
  value: text.trim() === '' ? '' : text.slice(0, MAX_CHARACTERS),
  kobo: '',
});

/** The content of the field after a paste or an autofill. */
export function priceAfterPaste(text: string): TypedPrice {
  const digits = parseNaira(text);
  return digits === '' ? toInvalidPrice(text) : { value: digits, kobo: '' };
}

/**
 * The content of the field after a key press. Its commas are its own grouping, except one that was typed at
 * the end.
 * @param text the text after the key
 * @param kobo what stood behind the whole naira before, with its sign
 */
export function priceAfterKey(text: string, kobo: string): TypedPrice {
  const figure = amountIn(text);
  if (figure === undefined) return toInvalidPrice(text);
  const all = wholeDigits(figure);
  if (figure === groupThousands(all)) return { value: all, kobo: '' };
  const typedComma = figure.endsWith(',') || kobo.startsWith(',');
  const at = figure.includes('.') ? figure.indexOf('.') : typedComma ? figure.lastIndexOf(',') : -1;
  if (at === -1) return { value: all, kobo: '' };
  const digits = wholeDigits(figure.slice(0, at));
  const behind = figure.slice(at + 1).replace(/\D/g, '');
  // 1.250 is a thousand and more: here the point separates thousands.
  if (behind.length >= GROUP_SIZE && digits !== '' && digits.length <= GROUP_SIZE)
    return { value: wholeDigits(digits + behind), kobo: '' };
  const rest = figure.charAt(at) + behind.slice(0, KOBO_DIGITS);
  return { value: hasOnlyZeros(rest) ? digits : groupThousands(digits) + rest, kobo: rest };
}

/** Adds commas: 21304 → 21,304. */
export function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The index in a grouped figure behind its first `digits` digits. */
export function caretAfterDigits(figure: string, digits: number): number {
  let left = digits;
  for (const [place, sign] of [...figure].entries()) {
    if (left === 0) return place;
    if (/\d/.test(sign)) left -= 1;
  }
  return figure.length;
}
