import type { Sql } from '../sqlite/index.js';
import { keepableText } from './scalars.js';
import { type Shape, vocabularyTable } from './shape.js';

/**
 * Words are found in two steps: which of the words that the collection knows hold the piece that is
 * looked for, by going through them all; then which rows have one of those, by FTS5. There are far
 * fewer words than rows, so the first is quick; the second reads exactly the rows that match, where an
 * index of pieces of words would read those of every common piece.
 *
 * FTS5's `ascii` tokenizer parts at ASCII punctuation: those characters move to the private use area,
 * where nothing parts and no query syntax is. So each word is one token.
 */
const privateUse = 0xe000;
const punctuation = /[^a-zA-Z0-9\u0080-\u{10ffff}]/gu;

/** More words than this hold a piece that says little: walking the sorted rows is quicker. */
export const mostWords = 200;
/**
 * So many pieces, those that the fewest words hold, narrow the rows; the others are looked for in what is left. Each
 * costs a look at all rows that one of its words is in.
 */
const mostPieces = 2;

/** No text has it: half of it would stand for NUL, which is not kept. */
const nowhere = '\ue000\ue000';

function tokenOf(text: string): string {
  return text.replace(punctuation, (c) => String.fromCharCode(privateUse + c.charCodeAt(0)));
}

/** The words of a text, as they stand in it. */
export function wordsIn(text: string): readonly string[] {
  return keepableText(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** The words of a text, each as one token. */
export const tokensOf = (text: string): readonly string[] => wordsIn(text).map(tokenOf);

/** The characters that have a bit each in the letters of a text. */
const known = 'abcdefghijklmnopqrstuvwxyz0123456789';
const bits: ReadonlyMap<string, number> = new Map(
  Array.from(known, (character, at) => [character, 2 ** at]),
);

/**
 * Which of some characters a text holds, as the bits of one number: 36, so that a double keeps them all. A row whose
 * letters lack one of a word's cannot hold the word, which one comparison of numbers tells, and of a word of one such
 * character nothing else need be asked. Most rows that a search of several short words goes through end there.
 */
export function lettersOf(text: string): number {
  let letters = 0;
  for (const character of new Set(text)) letters += bits.get(character) ?? 0;
  return letters;
}

/** Whether the letters alone say whether a text holds the word. */
export const isLetter = (word: string): boolean => bits.has(word);

/** Words stay known when no row has them any more: they are looked for in vain, which costs little. */
export function learn(db: Sql, shape: Shape, field: string, tokens: readonly string[]): void {
  db.run(
    `INSERT OR IGNORE INTO ${vocabularyTable(shape.name, field)} (word) SELECT value FROM json_each(?)`,
    [JSON.stringify(tokens)],
  );
}

/** Null: too many to be worth it. */
function knownWith(db: Sql, shape: Shape, field: string, piece: string): readonly string[] | null {
  const known = db.all<{ word: string }>(
    `SELECT word FROM ${vocabularyTable(shape.name, field)} WHERE instr(word, ?) > 0 LIMIT ?`,
    [piece, mostWords + 1],
  );
  return known.length > mostWords ? null : known.map(({ word }) => word);
}

/** What FTS5 is asked. */
export interface Match {
  readonly expression: string;
  /** How many words of the vocabulary it names: each of its hits costs a look at them all. */
  readonly words: number;
}

/**
 * What finds every text that holds all the words, and some others; null where each of them is in too many. A letter
 * is in nearly every text, and is left to the letters that a row has.
 */
export function matchOf(
  db: Sql,
  shape: Shape,
  field: string,
  words: readonly string[],
): Match | null {
  const hasLetters = shape.letters.includes(field);
  const held: (readonly string[])[] = [];
  for (const piece of new Set(words.flatMap(tokensOf))) {
    if (hasLetters && isLetter(piece)) continue;
    const known = knownWith(db, shape, field, piece);
    if (known?.length === 0) return { expression: `"${nowhere}"`, words: 1 };
    if (known !== null) held.push(known);
  }
  const narrowest = held.sort((one, other) => one.length - other.length).slice(0, mostPieces);
  if (narrowest.length === 0) return null;
  return {
    expression: narrowest
      .map((known) => `(${known.map((word) => `"${word}"`).join(' OR ')})`)
      .join(' AND '),
    words: narrowest.flat().length,
  };
}
