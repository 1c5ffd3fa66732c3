/** Fewer letters than this, in all, are not searched for. */
export const SEARCH_MIN_LENGTH = 3;

/** The one fold: what people mean by "the same text". NFKC, lower case, marks removed. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFKC');
}

/** The folded words of a search, or null when the trimmed text is too short to be one. */
export function searchWords(text: string): readonly string[] | null {
  const trimmed = text.trim();
  if ([...trimmed].length < SEARCH_MIN_LENGTH) return null;
  const words = fold(trimmed)
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length === 0 ? null : [...new Set(words)];
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
