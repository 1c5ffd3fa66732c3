import type { Filter as MongoFilter } from 'mongodb';
import type { Condition, Filter, Scalar } from '../port.js';
import { keepableText } from '../scalars.js';
import { type Entry, tokensOf, toStored } from './entry.js';

export type EntryFilter = MongoFilter<Entry>;

/** Where the fields of a document lie in its entry. */
export const at = (field: string) => `f.${field}`;
export const listAt = (field: string) => `l.${field}`;
export const tokensAt = (field: string) => `w.${field}`;

const nothing: EntryFilter = { _id: { $in: [] } };

export function allOf(clauses: readonly EntryFilter[]): EntryFilter {
  return clauses.length === 0 ? {} : { $and: [...clauses] };
}

export function anyOf(clauses: readonly EntryFilter[]): EntryFilter {
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

/** Candidates by their bigrams, from the index; then the word itself, literally. */
function holding(field: string, word: string): EntryFilter {
  const tokens = tokensOf(word);
  const literal = { [at(field)]: { $regex: escaped(keepableText(word)) } };
  return tokens.length === 0
    ? literal
    : { $and: [{ [tokensAt(field)]: { $all: [...tokens] } }, literal] };
}

/** Every character of ASCII that means something in a regular expression, as itself. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/#-]/g, '\\$&');
}
