import { editDistance } from '@oja/domain/rules/text';

/** Shorter words are neither corrected nor offered as a correction. */
const SHORTEST_CORRECTED = 4;
/** From this many letters on two mistakes are forgiven, in shorter words one. */
const TWO_MISTAKES_FROM = 7;
/** The fewest letters in a part when a word is split in two. */
const SHORTEST_PART = 3;

const LETTER = '[\\p{L}\\p{N}]';
/** Words as names and searches have them, without the signs around them: 't-shirt' of '(t-shirt)'. */
const wholeWords = new RegExp(`${LETTER}(?:\\S*${LETTER})?`, 'gu');
/** What stands between the signs of such words: 't' and 'shirt'. */
const parts = new RegExp(`${LETTER}+`, 'gu');

/** A sign between digits makes another number, as in '1.5' and '20-24', unless it separates thousands. */
const otherNumber = /\d(?!,\d{3}(?!\d))[^\p{L}\p{N}]+\d/u;

const partsOf = (text: string): readonly string[] => text.match(parts) ?? [];

/** A word without the signs around it, as the vocabulary knows words; '' if it is nothing but signs. */
export const bareWord = (word: string): string => word.match(wholeWords)?.[0] ?? '';

/**
 * The words of product names, and what users who typed something else may have meant. What is asked for is folded and
 * bare: signs are part of a word only between letters.
 */
export interface Vocabulary {
  /** @param nameKey a folded name */
  add(nameKey: string): void;
  /** Whether any word contains the piece, as a search would find it. */
  holds(piece: string): boolean;
  /** The word nearest to a mistyped one, the most frequent of several; null when none is near. */
  nearest(typed: string): string | null;
  /** The word as names have it: in the singular, as several words, or with signs in it; null when they have no such form. */
  otherForm(word: string): string | null;
}

/** The characters of a word as a set of bits, by code modulo 31: words with very different sets are not near. */
function characterBits(word: string): number {
  let signs = 0;
  for (let at = 0; at < word.length; at += 1) signs |= 1 << (word.charCodeAt(at) % 31);
  return signs;
}

/**
 * How many of the 32 bits are set. Added up pairwise, in all parts of the number at once: there is one call for each known
 * word.
 */
function countBits(signs: number): number {
  const pairs = signs - ((signs >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The possible singulars of an English plural. */
function singularsOf(word: string): readonly string[] {
  if (word.length < SHORTEST_PART || !word.endsWith('s') || word.endsWith('ss')) return [];
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`];
  const without = [word.slice(0, -1)];
  return /(s|x|z|ch|sh)es$/.test(word) ? [word.slice(0, -2), ...without] : without;
}

/** Creates an empty vocabulary. */
export function createVocabulary(): Vocabulary {
  const known = new Map<string, { count: number; readonly signs: number }>();
  /** The letters alone of words with signs in them: 'tshirt' of 't-shirt'. */
  const lettersOf = new Map<string, string>();
  /** The most frequent of the words with signs in them, by their letters alone. */
  const signed = new Map<string, string>();
  const isWord = (word: string) => known.has(word);
  const singularOf = (word: string) => singularsOf(word).find(isWord);

  /** The parts between the signs of a word that names have as words: 'after sun' for 'after-sun'. */
  function apart(word: string): string | undefined {
    const all = partsOf(word);
    const last = all.at(-1) ?? '';
    const words = [...all.slice(0, -1), singularOf(last) ?? last];
    const isUseful = (part: string) => part.length >= SHORTEST_PART && isWord(part);
    return all.length > 1 && words.every(isUseful) ? words.join(' ') : undefined;
  }

  function inTwo(word: string): string | undefined {
    for (let at = word.length - SHORTEST_PART; at >= SHORTEST_PART; at -= 1) {
      const [first, second] = [word.slice(0, at), word.slice(at)];
      const last = singularOf(second) ?? (isWord(second) ? second : undefined);
      if (isWord(first) && last !== undefined) return `${first} ${last}`;
    }
    return undefined;
  }

  /** The word that names have with other signs in it than were typed, or with any. */
  function withSigns(word: string): string | undefined {
    const letters = partsOf(word).join('');
    const found = [letters, ...singularsOf(letters)].flatMap((one) => signed.get(one) ?? [])[0];
    return found === word ? undefined : found;
  }

  return {
    add(nameKey) {
      // A search finds 't-shirt' as one word, and 'shirt' in it. Of words equally near and frequent, the first is offered.
      for (const word of new Set([...(nameKey.match(wholeWords) ?? []), ...partsOf(nameKey)])) {
        const entry = known.get(word);
        const count = (entry?.count ?? 0) + 1;
        if (entry === undefined) {
          known.set(word, { count, signs: characterBits(word) });
          const spelled = partsOf(word).join('');
          if (spelled !== word && !otherNumber.test(word)) lettersOf.set(word, spelled);
        } else entry.count = count;
        const letters = lettersOf.get(word);
        if (letters === undefined) continue;
        if (count > (known.get(signed.get(letters) ?? '')?.count ?? 0)) signed.set(letters, word);
      }
    },
    holds(piece) {
      if (isWord(piece)) return true;
      for (const word of known.keys()) if (word.includes(piece)) return true;
      return false;
    },
    nearest(typed) {
      if (typed.length < SHORTEST_CORRECTED) return null;
      let most = typed.length < TWO_MISTAKES_FROM ? 1 : 2;
      const signs = characterBits(typed);
      let best: string | null = null;
      let frequency = 0;
      for (const [word, entry] of known) {
        if (word.length < SHORTEST_CORRECTED || Math.abs(word.length - typed.length) > most)
          continue;
        if (countBits(entry.signs ^ signs) > 2 * most) continue;
        const mistakes = editDistance(typed, word, { most });
        if (mistakes > most || (mistakes === most && best !== null && entry.count <= frequency))
          continue;
        [best, most, frequency] = [word, mistakes, entry.count];
      }
      return best;
    },
    otherForm: (word) => singularOf(word) ?? apart(word) ?? inTwo(word) ?? withSigns(word) ?? null,
  };
}
