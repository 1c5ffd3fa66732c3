import { keepableText } from './scalars.js';

/**
 * Words are found by their bigrams, since the trigram tokenizer cannot find 'lg'. Each bigram is one
 * token of FTS5's `ascii` tokenizer, so neighbouring bigrams of a word are a phrase. That tokenizer
 * parts at ASCII punctuation: those characters move to the private use area, where nothing parts and
 * no query syntax is.
 */
const privateUse = 0xe000;
const punctuation = /[^a-zA-Z0-9\u0080-\u{10ffff}]/u;

function tokenOf(character: string): string {
  if (!punctuation.test(character)) return character;
  return String.fromCharCode(privateUse + character.charCodeAt(0));
}

function bigramsOfWord(word: string): readonly string[] {
  const characters = Array.from(word, tokenOf);
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function wordsOf(text: string): readonly string[] {
  return keepableText(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** What is indexed of a text. */
export function bigramsOf(text: string): string {
  return wordsOf(text).flatMap(bigramsOfWord).join(' ');
}

/**
 * The FTS5 expression whose hits include every text that holds all the words; null when no word has
 * two letters.
 */
export function matchOf(words: readonly string[]): string | null {
  const phrases = words
    .flatMap(wordsOf)
    .map((word) => bigramsOfWord(word).join(' '))
    .filter((phrase) => phrase !== '')
    .map((phrase) => `"${phrase}"`);
  return phrases.length === 0 ? null : [...new Set(phrases)].join(' ');
}
