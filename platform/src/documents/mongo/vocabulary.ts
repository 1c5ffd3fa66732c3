import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { StoreUnavailable } from '../../eventstore/port.js';
import { isDuplicate, readLimits } from '../../mongo/connection.js';
import { maxWords } from '../words.js';

/** Words that were new when the batch was written, by field. The ids count from 1. */
interface Batch {
  readonly _id: number;
  readonly words: Readonly<Record<string, readonly string[]>>;
  /** The lowest number of those that were put together in it. */
  readonly from?: number;
}

/** Words by field. */
export type Words = Map<string, Set<string>>;

export function addWords(to: Words, words: Readonly<Record<string, readonly string[]>>): void {
  for (const [field, some] of Object.entries(words)) {
    const all = to.get(field) ?? new Set<string>();
    to.set(field, all);
    for (const word of some) all.add(word);
  }
}

/** Most words in one batch: MongoDB's documents have a size limit. */
const wordsAtOnce = 20_000;
/** As many batches in a row are put together, so that a process that starts has few to read. */
const mergedAtOnce = 256;
/** Attempts, while another process's batch is not on most members yet and so cannot be read. */
const maxTries = 50;
const betweenTriesMs = 10;

/**
 * The words that the texts of one collection have or once had, in the memory of each process. MongoDB has them in
 * numbered batches, each written under the next number; a process that finds the number taken reads that batch first.
 * So no word is written twice, and all batches with a higher number than a process has read are new to it. Batches in
 * a row are put together under the number of the last, as each commit with a new word writes one.
 */
export interface Vocabulary {
  /** Reads the batches that other processes have written since. */
  refresh(): Promise<void>;
  /** The number of batches read. */
  size(): number;
  has(field: string, word: string): boolean;
  /** The words that contain the piece; null: too many to be useful. A piece has no white space in it. */
  containing(field: string, piece: string): readonly string[] | null;
  /**
   * Adds words, by field. Await it before a document with these words becomes visible, because a search reads
   * the words first. Resolves to whether any word was new.
   */
  add(words: ReadonlyMap<string, Iterable<string>>): Promise<boolean>;
}

/** The words of one field: as a set for lookups, and as one text in which pieces are searched. */
interface FieldWords {
  readonly known: Set<string>;
  text: string;
}

export const wordsStoredAs = (storedAs: string): string => `${storedAs}.words`;

/** Batches in their order, in groups of which each fits into one batch. */
function inGroups(some: readonly Batch[]): readonly (readonly Batch[])[] {
  const groups: Batch[][] = [];
  let room = 0;
  for (const batch of some) {
    const size = Object.values(batch.words).reduce((sum, { length }) => sum + length, 0);
    room -= size;
    if (room >= 0) groups.at(-1)?.push(batch);
    else {
      groups.push([batch]);
      room = wordsAtOnce - size;
    }
  }
  return groups;
}

function unionOf(some: readonly Batch[]): Batch['words'] {
  const all: Words = new Map();
  for (const { words } of some) addWords(all, words);
  return Object.fromEntries([...all].map(([field, own]) => [field, [...own]]));
}

export function createVocabulary(db: Db, storedAs: string): Vocabulary {
  const batches = db.collection<Batch>(wordsStoredAs(storedAs));
  const fields = new Map<string, FieldWords>();
  let last = 0;

  function take({ _id, words }: Batch): void {
    // Another call in this process has read it meanwhile.
    if (_id <= last) return;
    last = _id;
    for (const [field, some] of Object.entries(words)) {
      const entry = fields.get(field) ?? { known: new Set(), text: '\n' };
      fields.set(field, entry);
      // What was put together since has words that were read one by one.
      const fresh = some.filter((word) => !entry.known.has(word));
      for (const word of fresh) entry.known.add(word);
      if (fresh.length > 0) entry.text += `${fresh.join('\n')}\n`;
    }
  }

  /**
   * Puts batches together, in the order of their numbers: their words are written to the last of them before the others
   * go. So whoever reads meanwhile, or does the same at once, misses none, and what is left by one that was killed
   * has its words twice.
   */
  async function merge(some: readonly Batch[]): Promise<void> {
    for (const together of inGroups(some)) {
      const [first, ...others] = together;
      const last = others.pop();
      if (first === undefined || last === undefined) continue;
      const whole = { words: unionOf(together), from: first.from ?? first._id };
      const { matchedCount } = await batches.updateOne({ _id: last._id }, { $set: whole });
      // Else another process has put more together.
      if (matchedCount === 0) return;
      await batches.deleteMany({ _id: { $in: [first, ...others].map(({ _id }) => _id) } });
    }
  }

  const read = (numbers: { readonly $gt: number; readonly $lte?: number }) =>
    batches.find({ _id: numbers }, { sort: { _id: 1 }, ...readLimits }).toArray();

  /** Merges in the background. Should it fail, the batches stand as they were, and the next process tries. */
  function mergeSoon(some: Promise<readonly Batch[]> | readonly Batch[]): void {
    void (async () => merge(await some))().catch(() => undefined);
  }

  async function refresh(): Promise<void> {
    const found = await read({ $gt: last });
    for (const batch of found) take(batch);
    if (found.length > mergedAtOnce) mergeSoon(found);
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

  /** Writes a batch under its number. False: the number is taken, or was, as others have written since. */
  async function append(batch: Batch): Promise<boolean> {
    try {
      await batches.insertOne(batch);
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
    // The number of a batch that was put together with later ones is free again, but who has read those misses this one.
    const later = { _id: { $gt: batch._id }, from: { $lte: batch._id } };
    if ((await batches.findOne(later, readLimits)) === null) return true;
    // Unless earlier ones have been put together in it since.
    await batches.deleteOne({ _id: batch._id, from: { $exists: false } });
    return false;
  }

  return {
    refresh,
    size: () => last,
    has,
    containing(field, piece) {
      const text = fields.get(field)?.text ?? '';
      const found: string[] = [];
      for (let at = text.indexOf(piece); at >= 0; ) {
        if (found.length === maxWords) return null;
        const end = text.indexOf('\n', at);
        found.push(text.slice(text.lastIndexOf('\n', at) + 1, end));
        at = text.indexOf(piece, end);
      }
      return found;
    },
    async add(words) {
      let isNew = false;
      for (let left = maxTries; ; ) {
        const unknown = unknownOf(words);
        if (unknown === null) return isNew;
        const batch: Batch = { _id: last + 1, words: unknown };
        if (await append(batch)) {
          take(batch);
          isNew = true;
          const { _id: to } = batch;
          if (to % mergedAtOnce === 0) mergeSoon(read({ $gt: to - mergedAtOnce, $lte: to }));
          continue;
        }
        left -= 1;
        if (left === 0)
          throw new StoreUnavailable(
            'MongoDB',
            `${storedAs}: others write words without a pause`,
            false,
          );
        await refresh();
        if (last < batch._id) await wait(betweenTriesMs);
      }
    },
  };
}
