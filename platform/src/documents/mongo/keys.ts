import type { Collection, Document as Stage } from 'mongodb';
import { readLimits } from '../../mongo/connection.js';
import type { SortKey } from '../cursor.js';
import type { Filter } from '../port.js';
import { byCodePoint, storableText } from '../scalars.js';
import { directionOf, idsIn, type Walk } from '../shape.js';
import type { Entry, KnownCollection } from './entry.js';
import { keyInOrder, wordIndexes } from './indexes.js';
import {
  allOf,
  beyondId,
  type EntryFilter,
  fieldPath,
  filterOf,
  sortOf,
  wordsPath,
} from './queries.js';

/**
 * Entries with several common words, found by the keys of the index that has words in the order of their text. It also
 * holds the text, and what lies beside it, but of an index of lists the server tests a text only after reading the
 * entry, which takes as long as 5 to 20 keys. So the keys themselves are read, and the texts tested afterwards.
 */

/** The words of a field that contain a piece: each entry that can match has one of them. */
export interface PieceWords {
  readonly field: string;
  readonly piece: string;
  readonly words: readonly string[];
}

/** The most words whose keys the server has to merge into one order. */
export const maxKeyReads = 100;

/** Some entries by the keys of an index: those that `clause` matches, and whose texts match. */
export interface Keys {
  readonly clause: EntryFilter;
  readonly texts: Filter;
  readonly hint: ReadonlyMap<string, 1 | -1>;
}

/**
 * The keys of the entries with these words; null: the index lacks a field of the filter or a `wanted` one, or entries
 * are still being filled, which may have no words yet.
 * @param walk the order in which they are wanted, if in any
 */
export function keysOf(
  { shape, wordOrders, countsHold }: KnownCollection,
  filter: Filter,
  { field, words }: PieceWords,
  wanted: readonly string[],
  walk?: Walk,
): Keys | null {
  if (words.length > maxKeyReads || wordOrders !== 'beside' || !countsHold) return null;
  const [index] = wordIndexes(shape, field, wordOrders);
  if (index === undefined) return null;
  if (walk !== undefined && idsIn(index, walk.wanted) !== walk.ids) return null;
  const covered = [...index.fields, ...index.by, ...index.beside];
  const isServed =
    filter.every((one) => covered.includes(one.field) && one.op !== 'contains') &&
    wanted.every((one) => covered.includes(one)) &&
    index.fields.every((one) => filter.some(({ op, field: of }) => op === 'eq' && of === one));
  if (!isServed) return null;
  const others = filter.filter(({ op }) => op !== 'words');
  return {
    clause: allOf([{ [wordsPath(field)]: { $in: [...words] } }, filterOf(others)]),
    texts: filter.filter(({ op }) => op === 'words'),
    hint: keyInOrder(index, field),
  };
}

/** Stages for the matching keys, with the `wanted` fields. No stage is moved ahead of a `$limit`. */
export const stagesOf = ({ clause, texts }: Keys, wanted: readonly string[]): Stage[] => [
  { $match: clause },
  { $limit: Number.MAX_SAFE_INTEGER },
  {
    $project: {
      _id: 0,
      ...Object.fromEntries(
        [...texts.map(({ field }) => field), ...wanted].map((one) => [fieldPath(one), 1]),
      ),
    },
  },
  { $match: filterOf(texts) },
];

export async function countKeys(entries: Collection<Entry>, keys: Keys): Promise<number> {
  const hint = Object.fromEntries(keys.hint);
  const [counted] = await entries
    .aggregate<{ rows: number }>([...stagesOf(keys, []), { $count: 'rows' }], {
      ...readLimits,
      hint,
    })
    .toArray();
  return counted?.rows ?? 0;
}

/** How many keys of each list are read at once, at first and at most. */
const firstKeyLimit = 100;
const maxKeyLimit = 1_600;

/**
 * The ids of the first `wanted` entries after a place, in the order of the text, that several lists of keys have in
 * common. Of the parts read, the one that ends furthest has all matches up to its end, so the lists go on from there:
 * names that begin alike lie together, and what another list has up to that end is leapt over.
 */
export async function idsInAll(
  entries: Collection<Entry>,
  lists: readonly Keys[],
  {
    field,
    walk,
    wanted,
    after,
  }: { field: string; walk: Walk; wanted: number; after: SortKey | null },
): Promise<readonly string[]> {
  const matching: string[] = [];
  let from = after && { text: String(after.values[0] ?? ''), id: after.id };
  for (let limit = firstKeyLimit; ; limit = Math.min(4 * limit, maxKeyLimit)) {
    const parts = await Promise.all(
      lists.map((keys) => readKeysAfter(entries, keys, field, walk, from, limit)),
    );
    const furthest = parts.reduce((one, other) =>
      endsFurther(other, one, limit, walk) ? other : one,
    );
    const { texts = [] } = lists[0] ?? {};
    matching.push(...furthest.filter(({ text }) => matches(text, texts)).map(({ id }) => id));
    from = furthest.at(-1) ?? null;
    if (matching.length >= wanted || furthest.length < limit) return matching.slice(0, wanted);
  }
}

/** A key: its text and the id of its entry. */
interface Key {
  readonly text: string;
  readonly id: string;
}

/** The first keys after one. Two ranges, because keys with its own text are sorted by id. */
async function readKeysAfter(
  entries: Collection<Entry>,
  { clause, hint }: Keys,
  field: string,
  { wanted: order, ids }: Walk,
  from: Key | null,
  limit: number,
): Promise<readonly Key[]> {
  const beyond = order === 'asc' ? '$gt' : '$lt';
  const ranges: readonly EntryFilter[] =
    from === null
      ? [{}]
      : [
          { [fieldPath(field)]: from.text, ...beyondId(from.id, ids) },
          { [fieldPath(field)]: { [beyond]: from.text } },
        ];
  const keys: Key[] = [];
  for (const range of ranges) {
    if (keys.length === limit) break;
    const found = await entries
      .find<Pick<Entry, '_id' | 'f'>>(allOf([clause, range]), {
        projection: { [fieldPath(field)]: 1 },
        sort: sortOf([{ field, order }], ids),
        limit: limit - keys.length,
        batchSize: limit - keys.length,
        hint: Object.fromEntries(hint),
        ...readLimits,
      })
      .toArray();
    keys.push(...found.map(({ _id, f }) => ({ id: _id, text: String(f[field]) })));
  }
  return keys;
}

/** A part of fewer keys than were asked for goes to the end of its list. */
function endsFurther(
  one: readonly Key[],
  other: readonly Key[],
  limit: number,
  { wanted, ids }: Walk,
) {
  const [end, otherEnd] = [one.at(-1), other.at(-1)];
  if (one.length < limit || end === undefined) return true;
  if (other.length < limit || otherEnd === undefined) return false;
  const texts = byCodePoint(end.text, otherEnd.text) * directionOf(wanted);
  return (texts || byCodePoint(end.id, otherEnd.id) * directionOf(ids)) > 0;
}

const matches = (text: string, filter: Filter) =>
  filter.every(
    (condition) =>
      condition.op !== 'words' ||
      condition.words.every((word) => text.includes(storableText(word))),
  );
