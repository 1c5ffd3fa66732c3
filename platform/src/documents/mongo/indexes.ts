import type { IndexDescription } from 'mongodb';
import type { Shape } from '../shape.js';
import { at, listAt, tokensAt } from './filter.js';

/** MongoDB's indexes for what a collection declares; the one by id is there anyway. */
export function indexesOf(shape: Shape): IndexDescription[] {
  const ordered = shape.sqlIndexes
    .filter(({ fields, by }) => fields.length + by.length > 0)
    .flatMap(({ fields, by, order, bothWays }) => {
      // Read backwards, an index has the ids backwards too; only a second one has them as they are due.
      const orders = bothWays ? (['asc', 'desc'] as const) : [order];
      return orders.map((way) => orderedIndex(fields, by, way));
    });
  return [
    ...ordered,
    ...shape.multikey.map((field) => ({
      name: `list-${field}`,
      key: { [listAt(field)]: 1 as const },
    })),
    ...shape.words.map((field) => ({
      name: `words-${field}`,
      key: { [tokensAt(field)]: 1 as const },
    })),
  ];
}

function orderedIndex(
  fields: readonly string[],
  by: readonly string[],
  order: 'asc' | 'desc',
): IndexDescription {
  const key: [string, 1 | -1][] = [
    ...fields.map((field): [string, 1] => [at(field), 1]),
    ...by.map((field): [string, 1 | -1] => [at(field), order === 'asc' ? 1 : -1]),
    ['_id', 1],
  ];
  const name = [...fields, ...by.map((field) => `${field}.${order}`), 'id'].join('-');
  return { name, key: new Map(key) };
}
