import { tokensOf } from './words.js';

function bigramsOfWord(word: string): readonly string[] {
  const characters = Array.from(word);
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** A text's words as pieces of two letters, for engines that index lists of values only. */
export function bigramsOf(text: string): string {
  return tokensOf(text).flatMap(bigramsOfWord).join(' ');
}
