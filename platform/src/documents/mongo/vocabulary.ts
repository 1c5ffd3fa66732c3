import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { isDuplicate, readLimits } from '../../mongo/connection.js';
import { mostWords } from '../words.js';

/** Words that were new when the batch was written, by field. The ids count from 1. */
interface Batch {
  readonly _id: number;
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** Most words in one batch: MongoDB's documents have a size limit. */
const wordsAtOnce = 20_000;
/** Attempts, while another process's batch is not on most members yet and so cannot be read. */
const tries = 50;
const betweenTriesMs = 10;

/**
 * The words that the texts of one collection have or once had, in the memory of each process. MongoDB has them in
 * numbered batches, each written under the next number; a process that finds the number taken reads that batch first.
 * So no word is written twice, and all batches with a higher number than a process has read are new to it.
 */
export interface Vocabulary {
  /** Reads the batches that other processes have written since. */
  refresh(): Promise<void>;
  /** The number of batches read. */
  size(): number;
  has(field: string, word: string): boolean;
  /** The words that contain the piece; null: too many to be useful. A piece has no white space in it. */
  holding(field: string, piece: string): readonly string[] | null;
  /**
   * Adds words, by field. Await it before a document with these words becomes visible, because a search reads
   * the words first. Resolves to whether any word was new.
   */
  learn(words: ReadonlyMap<string, Iterable<string>>): Promise<boolean>;
}

/** The words of one field: as a set for lookups, and as one text in which pieces are searched. */
interface FieldWords {
  readonly known: Set<string>;
  text: string;
}

export const placeOfWords = (place: string): string => `${place}.words`;

export function createVocabulary(db: Db, place: string): Vocabulary {
  const batches = db.collection<Batch>(placeOfWords(place));
  const fields = new Map<string, FieldWords>();
  let last = 0;

  function take({ _id, words }: Batch): void {
    // Another call in this process has read it meanwhile.
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
      .find({ _id: { $gt: last } }, { sort: { _id: 1 }, ...readLimits })
      .toArray();
    for (const batch of found) take(batch);
  }

  const has = (field: string, word: string) => fields.get(field)?.known.has(word) === true;

  /** The words that are not known yet, at most one batch of them; null: there are none. */
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
