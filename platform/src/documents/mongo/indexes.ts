import type { IndexDescription } from 'mongodb';
import { directionOf, type SqlIndex, type TableShape, withoutLateIndexes } from '../shape.js';
import type { WordOrders } from './entry.js';
import { fieldPath, listPath, wordsPath } from './queries.js';

/**
 * MongoDB's indexes for those a collection declares; the one by id always exists. While a collection is loaded, it has
 * none for words: creating them afterwards is much faster.
 */
export function indexesOf(declared: TableShape, isLoading: boolean): IndexDescription[] {
  const shape = isLoading ? { ...withoutLateIndexes(declared), words: [] } : declared;
  const ordered = shape.sqlIndexes
    .filter(({ fields, by }) => fields.length + by.length > 0)
    .map(orderedIndex);
  return [
    ...ordered,
    ...shape.words.flatMap((field) =>
      wordIndexes(shape, field, 'beside').map((index) => ({
        name: `words-in-order-${nameInOrder(index, field)}.${index.order}`,
        key: keyInOrder(index, field),
      })),
    ),
    ...shape.multikey.map((field) => ({
      name: `list-${field}`,
      key: { [listPath(field)]: 1 as const },
    })),
    ...shape.words.map((field) => ({
      // Earlier releases named their word indexes `words-…`.
      name: `whole-words-${field}`,
      key: { [wordsPath(field)]: 1 as const },
    })),
  ];
}

/**
 * The orders in which there also is an index by word (`keyInOrder`), so that a word's entries lie together in this
 * order: that of the text itself, with the fewest fields before it, and each that has the text beside it. Without such
 * an index, a walk passes all entries that lack the word; from Z to A, those are all whose text begins with another.
 * The first is the one in the order of the text.
 */
export function wordIndexes(
  shape: TableShape,
  field: string,
  which: WordOrders,
): readonly SqlIndex[] {
  const own = shape.sqlIndexes.filter(({ by }) => by.length === 1 && by[0] === field);
  const [best] = own.sort(
    (one, other) =>
      one.fields.length - other.fields.length || other.beside.length - one.beside.length,
  );
  const beside = which === 'beside' ? best?.beside : [];
  const ofText = best ? [{ ...best, beside: beside ?? [] }] : [];
  if (which === 'own') return ofText;
  const withText = shape.sqlIndexes.filter((index) => index.beside.includes(field));
  return [...ofText, ...withText.map((index) => ({ ...index, beside: [] }))];
}

function nameInOrder({ fields, by, beside }: SqlIndex, field: string): string {
  const order = by.join() === field ? [] : [...fields, ...by];
  return [field, ...order, ...(beside.length > 0 ? ['beside', ...beside] : [])].join('-');
}

export const keyInOrder = (index: SqlIndex, field: string) =>
  new Map<string, 1 | -1>([[wordsPath(field), 1], ...keyOf(index)]);

/** The key of an index: its fields, the fields it sorts by, the id, and the fields beside. */
export function keyOf({ fields, by, beside, order }: SqlIndex): Map<string, 1 | -1> {
  return new Map([
    ...fields.map((field): [string, 1] => [fieldPath(field), 1]),
    ...by.map((field): [string, 1 | -1] => [fieldPath(field), directionOf(order)]),
    ['_id', 1],
    ...beside.map((field): [string, 1] => [fieldPath(field), 1]),
  ]);
}

function orderedIndex(index: SqlIndex): IndexDescription {
  const { fields, by, beside, order } = index;
  const ordered = by.map((field) => (order === 'asc' ? field : `${field}.desc`));
  // Named by its key, so that two declarations of one index agree: MongoDB refuses it under a second name.
  const name = [...fields, ...ordered, 'id', ...beside].join('-');
  return { name, key: keyOf(index) };
}
