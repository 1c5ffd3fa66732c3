import type { Filter as MongoFilter, Document as Stage } from 'mongodb';
import { besides } from '../conditions.js';
import type { Place } from '../cursor.js';
import type { Condition, Filter, Query, Scalar } from '../port.js';
import { keepableText } from '../scalars.js';
import type { Shape } from '../shape.js';
import { type Entry, toStored } from './entry.js';

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
export function filterOf(filter: Filter): EntryFilter {
  return allOf(filter.map(clauseOf));
}

function clauseOf(condition: Condition): EntryFilter {
  const { field } = condition;
  switch (condition.op) {
    case 'in':
      return { [at(field)]: { $in: condition.values.map(toStored) } };
    case 'contains':
      return containing(field, condition.value);
    case 'words':
      return allOf(condition.words.map((word) => holding(field, word)));
    default:
      return { [at(field)]: { [`$${condition.op}`]: toStored(condition.value) } };
  }
}

/** Lists keep no nulls. */
function containing(field: string, value: Scalar): EntryFilter {
  const stored = toStored(value);
  return stored === null ? nothing : { [listAt(field)]: { $elemMatch: { $eq: stored } } };
}

/** The text itself, literally. */
function holding(field: string, word: string): EntryFilter {
  return { [at(field)]: { $regex: escaped(keepableText(word)) } };
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
  return allOf([...notBefore(sort, place), anyOf(parts)]);
}

/**
 * What comes after a place does not come before its first value: said apart, since the server turns alternatives into no
 * range of its index, and would read all that was on the pages before. Unlike a comparison the opposite of one keeps
 * values of other kinds. Nothing of nulls and booleans, which divide nothing.
 */
function notBefore(sort: Sort, place: Place): readonly EntryFilter[] {
  const [first] = sort;
  const value = toStored(place.values[0] ?? null);
  if (first === undefined || value === null || typeof value === 'boolean') return [];
  const { field, order } = first;
  return [{ [at(field)]: { $not: { [order === 'asc' ? '$lt' : '$gt']: value } } }];
}

/** What a filter asks of other fields than these. */
export const restOf = (filter: Filter, fields: readonly string[]): Filter =>
  filter.filter(({ field }) => !fields.includes(field));

/**
 * One pass over what matches what is asked of other fields, grouped by all that is counted; from these groups, which
 * are far fewer, each field of what matches the rest as well. There must be a field. `narrowing`: what holds for all
 * that matches the rest. `counting`: how many entries each stands for.
 */
export function facetPipeline(
  shape: Shape,
  filter: Filter,
  fields: readonly string[],
  narrowing: readonly EntryFilter[],
  counting: 1 | '$rows' = 1,
): Stage[] {
  const own = filter.filter(({ field }) => fields.includes(field));
  const partOf = (field: string) => (shape.columns.includes(field) ? 'f' : 'l');
  const keysIn = (part: 'f' | 'l') =>
    Object.fromEntries(
      fields.filter((field) => partOf(field) === part).map((field) => [field, `$${part}.${field}`]),
    );
  const facets = fields.map((field): [string, Stage[]] => {
    const path = `$${partOf(field)}.${field}`;
    const others = besides(own, field);
    return [
      field,
      [
        ...(others.length === 0 ? [] : [{ $match: filterOf(others) }]),
        ...(partOf(field) === 'l' ? [{ $unwind: path }] : []),
        { $group: { _id: path, count: { $sum: '$rows' } } },
      ],
    ];
  });
  return [
    { $match: allOf([...narrowing, filterOf(restOf(filter, fields))]) },
    { $group: { _id: { f: keysIn('f'), l: keysIn('l') }, rows: { $sum: counting } } },
    { $replaceWith: { f: '$_id.f', l: '$_id.l', rows: '$rows' } },
    { $facet: Object.fromEntries(facets) },
  ];
}

/** What the pipeline answers for a field. */
export interface FoundCount {
  readonly _id: Scalar;
  readonly count: number;
}
