import { type Sql, textIn } from '../sqlite/index.js';
import { storableText } from './scalars.js';
import { type TableShape, vocabularyTable } from './shape.js';

/**
 * A search for a piece of a word has two steps. The first goes through all words of the collection and takes
 * those that contain the piece; in the second, FTS5 finds the rows with one of these words. There are far fewer
 * words than rows, so the first is quick. The second reads exactly the rows that match, while an index of
 * pieces of words would read the rows of every common piece.
 *
 * FTS5's `ascii` tokenizer splits at ASCII punctuation. These characters are moved to the private use area,
 * which splits no token and has no meaning in a query, so each word is one token.
 */
const privateUse = 0xe000;
const punctuation = /[^a-zA-Z0-9\u0080-\u{10ffff}]/gu;

/** A piece in more words than this narrows too little: walking the sorted rows is quicker. */
export const maxWords = 200;
/**
 * How many pieces narrow the rows: those in the fewest words. Each costs a read of all rows with one of its words, so
 * the other pieces are tested on the rows that are left.
 */
const maxPieces = 2;

/** A token that no text has: U+E000 would stand for NUL, which columns cannot hold. */
const unmatchedToken = '\ue000\ue000';

function tokenOf(text: string): string {
  return text.replace(punctuation, (c) => String.fromCharCode(privateUse + c.charCodeAt(0)));
}

/** The words of a text, split at white space. */
export function wordsIn(text: string): readonly string[] {
  return storableText(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** The words of a text, each as one token. */
export const tokensOf = (text: string): readonly string[] => wordsIn(text).map(tokenOf);

/** The characters that `letterBits` gives a bit each. */
const letterBitCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const bits: ReadonlyMap<string, number> = new Map(
  Array.from(letterBitCharacters, (character, at) => [character, 2 ** at]),
);

/**
 * Which of 36 characters a text contains, as bits of one number; a double holds them all. A row that lacks a
 * letter of a word cannot contain the word, which one comparison of numbers shows; a word of one such character
 * needs no other test. This rules out most rows in a search for several short words.
 */
export function letterBits(text: string): number {
  let letters = 0;
  for (const character of new Set(text)) letters += bits.get(character) ?? 0;
  return letters;
}

/** Whether the letters alone tell if a text contains the word. */
export const isSingleLetter = (word: string): boolean => bits.has(word);

/** Adds words to the vocabulary. They stay when no row has them any more: a search for them in vain costs little. */
export function addWords(
  db: Sql,
  shape: TableShape,
  field: string,
  tokens: readonly string[],
): void {
  db.run(
    `INSERT OR IGNORE INTO ${vocabularyTable(shape.name, field)} (word) SELECT value FROM json_each(?)`,
    [JSON.stringify(tokens)],
  );
}

/** The known words that contain a piece; null: too many to be useful. */
function wordsContaining(
  db: Sql,
  shape: TableShape,
  field: string,
  piece: string,
): readonly string[] | null {
  const known = db.all<{ bytes: Uint8Array }>(
    `SELECT CAST(word AS BLOB) AS bytes FROM ${vocabularyTable(shape.name, field)} WHERE instr(word, ?) > 0 LIMIT ?`,
    [piece, maxWords + 1],
  );
  return known.length > maxWords ? null : known.map(({ bytes }) => textIn(db, bytes, 'an index'));
}

/** A query for FTS5. */
export interface Match {
  readonly expression: string;
  /** How many words of the vocabulary it names; each hit is compared with all of them. */
  readonly words: number;
}

/**
 * The query that finds every text that contains all the words, and some others; null when each piece is in too many
 * words. A single letter is in nearly every text, and is left to the row's letters.
 */
export function matchOf(
  db: Sql,
  shape: TableShape,
  field: string,
  words: readonly string[],
): Match | null {
  const hasLetters = shape.letters.includes(field);
  const candidates: (readonly string[])[] = [];
  for (const piece of new Set(words.flatMap(tokensOf))) {
    if (hasLetters && isSingleLetter(piece)) continue;
    const known = wordsContaining(db, shape, field, piece);
    if (known?.length === 0) return { expression: `"${unmatchedToken}"`, words: 1 };
    if (known !== null) candidates.push(known);
  }
  const narrowest = candidates.sort((one, other) => one.length - other.length).slice(0, maxPieces);
  if (narrowest.length === 0) return null;
  return {
    expression: narrowest
      .map((known) => `(${known.map((word) => `"${word}"`).join(' OR ')})`)
      .join(' AND '),
    words: narrowest.flat().length,
  };
}
