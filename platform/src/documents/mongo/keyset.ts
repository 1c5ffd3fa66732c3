import type { Place } from '../cursor.js';
import type { Query, Scalar } from '../port.js';
import { keepableText } from '../scalars.js';
import { toStored } from './entry.js';
import { allOf, anyOf, at, type EntryFilter } from './filter.js';

type Order = 'asc' | 'desc';
type Sort = NonNullable<Query['sort']>;

/** Kinds of values in the order in which MongoDB sorts them, which is the port's. */
const kinds = ['null', 'number', 'string', 'bool'] as const;

function kindOf(value: Scalar): (typeof kinds)[number] {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'number' : 'string';
}

/** Ties by id, ascending, whichever way the rest goes. */
export function sortOf(sort: Sort): Record<string, 1 | -1> {
  const fields = sort.map(({ field, order }) => [at(field), order === 'asc' ? 1 : -1] as const);
  return { ...Object.fromEntries(fields), _id: 1 };
}

/** Beyond a value: more (or less) within its kind, or of a kind that comes after it. */
function beyond(field: string, value: Scalar, order: Order): EntryFilter {
  const own = kinds.indexOf(kindOf(value));
  const others = order === 'asc' ? kinds.slice(own + 1) : kinds.slice(0, own);
  const within = { [at(field)]: { [order === 'asc' ? '$gt' : '$lt']: toStored(value) } };
  return anyOf([
    ...(value === null ? [] : [within]),
    ...others.map((kind) => ({ [at(field)]: { $type: kind } })),
  ]);
}

/** What comes after a place: the rest of the ties, then what differs in the last field, and so on. */
export function afterPlace(sort: Sort, place: Place | null): EntryFilter {
  if (place === null) return {};
  const valueAt = (index: number) => toStored(place.values[index] ?? null);
  const ties = sort.map(({ field }, index) => ({ [at(field)]: { $eq: valueAt(index) } }));
  const parts = [allOf([...ties, { _id: { $gt: keepableText(place.id) } }])];
  for (const [index, { field, order }] of sort.entries()) {
    parts.push(allOf([...ties.slice(0, index), beyond(field, valueAt(index), order)]));
  }
  return anyOf(parts);
}
