import type { Filter as MongoFilter } from 'mongodb';
import type { SortKey } from '../cursor.js';
import type { Condition, Filter, Query, Scalar } from '../port.js';
import { storableText, toStored } from '../scalars.js';
import { directionOf, type Order } from '../shape.js';
import type { Entry } from './entry.js';

export type EntryFilter = MongoFilter<Entry>;

/** The paths of a field in an entry: its scalar, its list, its words. */
export const fieldPath = (field: string) => `f.${field}`;
export const listPath = (field: string) => `l.${field}`;
export const wordsPath = (field: string) => `t.${field}`;

const matchesNothing: EntryFilter = { _id: { $in: [] } };

export function allOf(clauses: readonly EntryFilter[]): EntryFilter {
  return clauses.length === 0 ? {} : { $and: [...clauses] };
}

function anyOf(clauses: readonly EntryFilter[]): EntryFilter {
  return clauses.length === 0 ? matchesNothing : { $or: [...clauses] };
}

/** The port's filter for MongoDB, which compares only values of one kind, as the port does. */
export function filterOf(filter: Filter): EntryFilter {
  return allOf(filter.map(clauseOf));
}

function clauseOf(condition: Condition): EntryFilter {
  const { field } = condition;
  switch (condition.op) {
    case 'in':
      return { [fieldPath(field)]: { $in: condition.values.map(toStored) } };
    case 'contains':
      return containing(field, condition.value);
    case 'words':
      return allOf(condition.words.map((word) => holding(field, word)));
    default:
      return { [fieldPath(field)]: { [`$${condition.op}`]: toStored(condition.value) } };
  }
}

/** Stored lists have no nulls. */
function containing(field: string, value: Scalar): EntryFilter {
  const stored = toStored(value);
  return stored === null ? matchesNothing : { [listPath(field)]: { $elemMatch: { $eq: stored } } };
}

/** Matches the word literally, anywhere in the text. */
function holding(field: string, word: string): EntryFilter {
  return { [fieldPath(field)]: { $regex: escaped(storableText(word)) } };
}

/** Escapes every ASCII character that is special in a regular expression. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/#-]/g, '\\$&');
}

type Sort = NonNullable<Query['sort']>;

/** The kinds of values in MongoDB's sort order, which is the port's. */
const kinds = ['null', 'number', 'string', 'bool'] as const;

function kindOf(value: Scalar): (typeof kinds)[number] {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'number' : 'string';
}

/** @param ids the order of ties */
export function sortOf(sort: Sort, ids: Order): Record<string, 1 | -1> {
  const fields = sort.map(({ field, order }) => [fieldPath(field), directionOf(order)] as const);
  return { ...Object.fromEntries(fields), _id: directionOf(ids) };
}

/** What comes after an id among ties. */
export const beyondId = (id: string, ids: Order): EntryFilter => ({
  _id: { [ids === 'asc' ? '$gt' : '$lt']: storableText(id) },
});

/** Matches values beyond one: more (or less) within its kind, or of a kind that comes after it. */
function beyondValue(field: string, value: Scalar, order: Order): EntryFilter {
  const own = kinds.indexOf(kindOf(value));
  const others = order === 'asc' ? kinds.slice(own + 1) : kinds.slice(0, own);
  const within = { [fieldPath(field)]: { [order === 'asc' ? '$gt' : '$lt']: toStored(value) } };
  return anyOf([
    ...(value === null ? [] : [within]),
    ...others.map((kind) => ({ [fieldPath(field)]: { $type: kind } })),
  ]);
}

/** Matches what comes after a place: the rest of the ties, then what differs in the last field, and so on. */
export function afterCursor(sort: Sort, place: SortKey | null, ids: Order): EntryFilter {
  if (place === null) return {};
  const valueAt = (index: number) => toStored(place.values[index] ?? null);
  const ties = sort.map(({ field }, index) => ({ [fieldPath(field)]: { $eq: valueAt(index) } }));
  const parts = [allOf([...ties, beyondId(place.id, ids)])];
  for (const [index, { field, order }] of sort.entries()) {
    parts.push(allOf([...ties.slice(0, index), beyondValue(field, valueAt(index), order)]));
  }
  return allOf([...notBefore(sort, place), anyOf(parts)]);
}

/**
 * Excludes what comes before the place's first value. `afterCursor` implies it, but the server makes no index range of
 * an `$or`, and would read all earlier pages again. `$not` keeps values of other kinds, which a comparison would
 * not. Left out for nulls and booleans, which would exclude next to nothing.
 */
function notBefore(sort: Sort, place: SortKey): readonly EntryFilter[] {
  const [first] = sort;
  const value = toStored(place.values[0] ?? null);
  if (first === undefined || value === null || typeof value === 'boolean') return [];
  const { field, order } = first;
  return [{ [fieldPath(field)]: { $not: { [order === 'asc' ? '$lt' : '$gt']: value } } }];
}
