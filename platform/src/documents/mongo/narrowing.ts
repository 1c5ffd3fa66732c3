import type { Collection } from 'mongodb';
import { patiently } from '../../mongo/connection.js';
import type { Filter } from '../port.js';
import { wordsIn } from '../words.js';
import type { Entry, Known } from './entry.js';
import { type EntryFilter, wordsAt } from './queries.js';

/** So many entries are read, tested and sorted in a few milliseconds, whatever else is asked of them. */
const few = 1_000;

/** What a filter asks for in other words: the whole words of which an entry has one, as only an index can be asked. */
export interface Narrowing {
  readonly clause: EntryFilter;
  /** The index to go by, where few entries have one of the words: without it the server tries many and remembers one. */
  readonly hint: Readonly<Record<string, 1>> | null;
}

interface Candidate {
  readonly field: string;
  readonly words: readonly string[];
}

/**
 * By the piece of a word that is in the fewest entries, as far as they are worth counting: an index of lists cannot be
 * asked for two of their values at once. Null: nothing that is looked for narrows, or the entries have no words yet.
 */
export async function narrowingOf(
  entries: Collection<Entry>,
  { vocabulary, hasWords }: Known,
  filter: Filter,
): Promise<Narrowing | null> {
  if (!hasWords) return null;
  const candidates = filter.flatMap((condition): readonly Candidate[] => {
    if (condition.op !== 'words') return [];
    const { field } = condition;
    return [...new Set(condition.words.flatMap(wordsIn))].flatMap((piece) => {
      const words = vocabulary.holding(field, piece);
      return words === null ? [] : [{ field, words }];
    });
  });
  const counted = await Promise.all(
    candidates.map(async ({ field, words }) => {
      // Null stands for entries of an earlier release, which have no words.
      const clause: EntryFilter = { [wordsAt(field)]: { $in: [...words, null] } };
      const hint = { [wordsAt(field)]: 1 } as const;
      const limit = few + 1;
      return {
        clause,
        hint,
        rows: await entries.countDocuments(clause, { limit, hint, ...patiently }),
      };
    }),
  );
  const [narrowest] = counted.sort((one, other) => one.rows - other.rows);
  if (narrowest === undefined) return null;
  const { clause, hint, rows } = narrowest;
  return { clause, hint: rows > few ? null : hint };
}
