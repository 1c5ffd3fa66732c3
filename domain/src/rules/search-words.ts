/** Fewer letters than this, in all, are not searched for. */
export const SEARCH_MIN_LENGTH = 3;

/**
 * More words than this are not looked for. A name has at most 120 characters, some twenty words, and who types
 * twelve of them has found the goods or will not: each further word only costs time.
 */
const SEARCH_MAX_WORDS = 12;

/** The one fold: what people mean by "the same text". NFKC, lower case, marks removed. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFKC');
}

/**
 * The folded words of a search, without those that others hold; null when the trimmed text is too short to be one.
 * @param least so many letters make a search
 */
export function searchWords(text: string, least = SEARCH_MIN_LENGTH): readonly string[] | null {
  const trimmed = text.trim();
  if ([...trimmed].length < least) return null;
  const words = fold(trimmed)
    .split(/\s+/)
    .filter((word) => word !== '');
  const distinct = [...new Set(words)].slice(0, SEARCH_MAX_WORDS);
  // What holds the longer word holds the shorter one too.
  const asked = distinct.filter(
    (word) => !distinct.some((other) => other !== word && other.includes(word)),
  );
  return asked.length === 0 ? null : asked;
}

/** Whether every word stands somewhere in the name, inside words too. */
export function matchesWords(name: string, words: readonly string[]): boolean {
  const folded = fold(name);
  return words.every((word) => folded.includes(word));
}

/** A fixed, case-insensitive order of names: by folded text, the same on every machine. */
export function compareNames(a: string, b: string): number {
  const [x, y] = [fold(a), fold(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
