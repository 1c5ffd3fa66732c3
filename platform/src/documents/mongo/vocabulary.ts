import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { isDuplicate, patiently } from '../../mongo/connection.js';
import { mostWords } from '../words.js';

/** Words that were new when they were written, by field; the ids count from 1. */
interface Batch {
  readonly _id: number;
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** Words that one batch holds at most: a document of MongoDB has a limit. */
const wordsAtOnce = 20_000;
/** While another process's batch is not yet on most members, which is what is read. */
const tries = 50;
const betweenTriesMs = 10;

/**
 * The words that the texts of one collection have or once had, in the memory of each process. They lie in MongoDB as
 * batches, each written under the number after the last one: who finds that number taken reads that batch first. So
 * no word is written twice, and what is new to a process is all that has a higher number than it has read.
 */
export interface Vocabulary {
  /** Reads what others have learned since. */
  refresh(): Promise<void>;
  /** Grows with each batch that was read. */
  size(): number;
  has(field: string, word: string): boolean;
  /** The words that hold the piece; null: more than are worth naming. A piece has no white space in it. */
  holding(field: string, piece: string): readonly string[] | null;
  /**
   * To be awaited before a document with these words can be seen: whoever looks for it reads the words first. Whether
   * anything was new.
   */
  learn(words: ReadonlyMap<string, Iterable<string>>): Promise<boolean>;
}

/** Words of one field: to be looked up, and as one text, in which pieces are looked for. */
interface Held {
  readonly known: Set<string>;
  text: string;
}

export const placeOfWords = (place: string): string => `${place}.words`;

export function createVocabulary(db: Db, place: string): Vocabulary {
  const batches = db.collection<Batch>(placeOfWords(place));
  const fields = new Map<string, Held>();
  let last = 0;

  function take({ _id, words }: Batch): void {
    // Read by somebody else here meanwhile.
    if (_id <= last) return;
    last = _id;
    for (const [field, some] of Object.entries(words)) {
      const held = fields.get(field) ?? { known: new Set(), text: '\n' };
      fields.set(field, held);
      for (const word of some) held.known.add(word);
      held.text += `${some.join('\n')}\n`;
    }
  }

  async function refresh(): Promise<void> {
    const found = await batches
      .find({ _id: { $gt: last } }, { sort: { _id: 1 }, ...patiently })
      .toArray();
    for (const batch of found) take(batch);
  }

  const has = (field: string, word: string) => fields.get(field)?.known.has(word) === true;

  /** At most as many as one batch holds; null: none. */
  function unknownOf(words: ReadonlyMap<string, Iterable<string>>): Batch['words'] | null {
    const unknown: Record<string, readonly string[]> = {};
    let left = wordsAtOnce;
    for (const [field, some] of words) {
      const fresh = [...new Set(some)].filter((word) => !has(field, word)).slice(0, left);
      if (fresh.length > 0) unknown[field] = fresh;
      left -= fresh.length;
    }
    return left === wordsAtOnce ? null : unknown;
  }

  return {
    refresh,
    size: () => last,
    has,
    holding(field, piece) {
      const text = fields.get(field)?.text ?? '';
      const found: string[] = [];
      for (let at = text.indexOf(piece); at >= 0; ) {
        if (found.length === mostWords) return null;
        const end = text.indexOf('\n', at);
        found.push(text.slice(text.lastIndexOf('\n', at) + 1, end));
        at = text.indexOf(piece, end);
      }
      return found;
    },
    async learn(words) {
      let isNew = false;
      for (let left = tries; ; ) {
        const unknown = unknownOf(words);
        if (unknown === null) return isNew;
        const batch: Batch = { _id: last + 1, words: unknown };
        try {
          await batches.insertOne(batch);
          take(batch);
          isNew = true;
        } catch (error) {
          left -= 1;
          if (!isDuplicate(error) || left === 0) throw error;
          await refresh();
          if (last < batch._id) await wait(betweenTriesMs);
        }
      }
    },
  };
}
