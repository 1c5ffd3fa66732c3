import { fold } from '../src/rules/search-words.js';

/** Whether the name contains every word of a search, also inside other words: what the engines do by their indexes. */
export function matchesWords(name: string, words: readonly string[]): boolean {
  const folded = fold(name);
  return words.every((word) => folded.includes(word));
}

/** Compares names by their folded text, as lists from A to Z are sorted. */
export function compareNames(a: string, b: string): number {
  const [x, y] = [fold(a), fold(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
