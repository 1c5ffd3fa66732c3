/** The most digits a price field takes. */
const MOST_DIGITS = 9;

function wholeDigits(text: string): string {
  return text
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, MOST_DIGITS);
}

/**
 * Whole naira of an amount as people write it: ₦1,250.00, 1.250,00, 1500.00 and 1 500. A point or comma
 * before the last three digits separates thousands. It starts the kobo when both signs are used and it is the
 * last, or when fewer digits follow.
 * @returns digits only
 */
export function digitsOf(written: string): string {
  const figure = written.replace(/[^\d.,]/g, '');
  const last = Math.max(figure.lastIndexOf('.'), figure.lastIndexOf(','));
  if (last === -1) return wholeDigits(figure);
  const sign = figure.charAt(last);
  const behind = figure.length - last - 1;
  const hasBoth = figure.includes(sign === '.' ? ',' : '.');
  const isKobo = hasBoth || behind < GROUP || (sign === '.' && behind > GROUP);
  return wholeDigits(isKobo ? figure.slice(0, last) : figure);
}

const GROUP = 3;
const KOBO_DIGITS = 2;

/** The content of the price field while it is being typed. */
export interface TypedPrice {
  /** Whole naira, digits only. */
  readonly digits: string;
  /** A point or comma and what was typed behind it: shown until the field is left, never counted. */
  readonly kobo: string;
}

/**
 * The content of the field after a key press. Its commas are its own grouping, except one that was typed at
 * the end.
 * @param text the text after the key
 * @param kobo what stood behind the whole naira before, with its sign
 */
export function afterKey(text: string, kobo: string): TypedPrice {
  const all = wholeDigits(text);
  if (text === grouped(all)) return { digits: all, kobo: '' };
  const typedComma = text.endsWith(',') || kobo.startsWith(',');
  const at = text.includes('.') ? text.indexOf('.') : typedComma ? text.lastIndexOf(',') : -1;
  if (at === -1) return { digits: all, kobo: '' };
  const digits = wholeDigits(text.slice(0, at));
  const behind = text.slice(at + 1).replace(/\D/g, '');
  // 1.250 is a thousand and more: here the point separates thousands.
  if (behind.length >= GROUP && digits !== '' && digits.length <= GROUP)
    return { digits: wholeDigits(digits + behind), kobo: '' };
  return { digits, kobo: text.charAt(at) + behind.slice(0, KOBO_DIGITS) };
}

/** Adds commas: 21304 → 21,304. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The index in a grouped figure behind its first `digits` digits. */
export function placeAfter(figure: string, digits: number): number {
  let left = digits;
  for (const [place, sign] of [...figure].entries()) {
    if (left === 0) return place;
    if (/\d/.test(sign)) left -= 1;
  }
  return figure.length;
}
