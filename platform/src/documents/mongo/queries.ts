import type { Filter as MongoFilter, Document as Stage } from 'mongodb';
import { besides } from '../conditions.js';
import type { Place } from '../cursor.js';
import type { Condition, Filter, Query, Scalar } from '../port.js';
import { keepableText } from '../scalars.js';
import { wordsIn } from '../words.js';
import { type Entry, type Known, toStored } from './entry.js';

export type EntryFilter = MongoFilter<Entry>;

/** Where the fields of a document lie in its entry. */
export const at = (field: string) => `f.${field}`;
export const listAt = (field: string) => `l.${field}`;
export const wordsAt = (field: string) => `t.${field}`;

const nothing: EntryFilter = { _id: { $in: [] } };

export function allOf(clauses: readonly EntryFilter[]): EntryFilter {
  return clauses.length === 0 ? {} : { $and: [...clauses] };
}

function anyOf(clauses: readonly EntryFilter[]): EntryFilter {
  return clauses.length === 0 ? nothing : { $or: [...clauses] };
}

/** A port's filter as MongoDB's. Its comparisons keep to values of one kind, as the port's do. */
export function filterOf(known: Known, filter: Filter): EntryFilter {
  return allOf(filter.map((condition) => clauseOf(known, condition)));
}

function clauseOf(known: Known, condition: Condition): EntryFilter {
  const { field } = condition;
  switch (condition.op) {
    case 'in':
      return { [at(field)]: { $in: condition.values.map(toStored) } };
    case 'contains':
      return containing(field, condition.value);
    case 'words':
      return holding(known, field, condition.words);
    default:
      return { [at(field)]: { [`$${condition.op}`]: toStored(condition.value) } };
  }
}

/** Lists keep no nulls. */
function containing(field: string, value: Scalar): EntryFilter {
  const stored = toStored(value);
  return stored === null ? nothing : { [listAt(field)]: { $elemMatch: { $eq: stored } } };
}

/**
 * Candidates by the whole words that hold what is looked for, from the index; then each piece itself, literally. Only
 * the piece that the fewest words hold narrows: an index of lists cannot be asked for two of their values at once. Null
 * stands for entries of an earlier release, which have no words.
 */
function holding({ vocabulary }: Known, field: string, words: readonly string[]): EntryFilter {
  const literal = words.map((word) => ({ [at(field)]: { $regex: escaped(keepableText(word)) } }));
  const [narrowest] = [...new Set(words.flatMap(wordsIn))]
    .flatMap((piece) => {
      const found = vocabulary.holding(field, piece);
      return found === null ? [] : [found];
    })
    .sort((one, other) => one.length - other.length);
  if (narrowest === undefined) return allOf(literal);
  return allOf([{ [wordsAt(field)]: { $in: [...narrowest, null] } }, ...literal]);
}

/** Every character of ASCII that means something in a regular expression, as itself. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/#-]/g, '\\$&');
}

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

/**
 * One pass over what matches what is asked of other fields, which counts each field of what matches the rest as well.
 * There must be a field.
 */
export function facetPipeline(known: Known, filter: Filter, fields: readonly string[]): Stage[] {
  const own = filter.filter(({ field }) => fields.includes(field));
  const rest = filter.filter(({ field }) => !fields.includes(field));
  const counting = fields.map((field): [string, Stage[]] => {
    const isList = !known.shape.columns.includes(field);
    const path = `$${isList ? 'l' : 'f'}.${field}`;
    const group = { $group: { _id: path, count: { $sum: 1 } } };
    const others = besides(own, field);
    const matched = others.length === 0 ? [] : [{ $match: filterOf(known, others) }];
    return [field, [...matched, ...(isList ? [{ $unwind: path }] : []), group]];
  });
  return [{ $match: filterOf(known, rest) }, { $facet: Object.fromEntries(counting) }];
}

/** What the pipeline answers for a field. */
export interface Counted {
  readonly _id: Scalar;
  readonly count: number;
}
