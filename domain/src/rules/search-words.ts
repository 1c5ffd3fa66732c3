/** Searches shorter than this, in characters, are not run. */
export const SEARCH_MIN_LENGTH = 3;
/** Categories and stores are suggested from this many typed characters on. */
export const SUGGESTIONS_MIN_LENGTH = 2;

/**
 * Further words of a search are ignored. A product name has at most 120 characters, about twenty
 * words; beyond twelve words each one only costs time.
 */
const SEARCH_MAX_WORDS = 12;

/**
 * Signs that nobody sees: zero-width signs, soft hyphens and marks of the reading direction come with what is copied
 * from a chat or a page, control characters from elsewhere.
 */
const INVISIBLE = /\p{Cf}|(?!\s)\p{Cc}/gu;
/** What phones and word processors write for an apostrophe. */
const APOSTROPHES = /[\u2018\u2019\u02BC\u2032\u00B4`]/g;
/** And for a double quote, which is also the sign of inches. */
const QUOTES = /[\u201C-\u201F\u2033\u00AB\u00BB]/g;
/** Hyphens that do not break, dashes and minus signs. */
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/**
 * The only text folding in the code: two texts are equal when they fold alike. NFKC, lower case, marks and unseen signs
 * removed, one kind of apostrophe, double quote and hyphen.
 */
export function fold(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .normalize('NFKC')
    .replace(HYPHENS, '-')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFKC');
}

/** What people see of the text of a search, without spaces at its ends. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, '').trim();

/**
 * The folded, distinct words of a search. A word that is part of another one is dropped. Null when
 * the trimmed text is too short.
 * @param least the minimum length in characters
 */
export function searchWords(text: string, least = SEARCH_MIN_LENGTH): readonly string[] | null {
  const sought = visibleText(text);
  if ([...sought].length < least) return null;
  const words = fold(sought)
    .split(/\s+/)
    .filter((word) => word !== '');
  const distinct = [...new Set(words)].slice(0, SEARCH_MAX_WORDS);
  // A name that contains the longer word contains the shorter one too.
  const asked = distinct.filter(
    (word) => !distinct.some((other) => other !== word && other.includes(word)),
  );
  return asked.length === 0 ? null : asked;
}
