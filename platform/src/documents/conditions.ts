import type { Parameter } from '../sqlite/index.js';
import {
  type Condition,
  type Filter,
  InvalidDocument,
  type Scalar,
  UnservedQuery,
} from './port.js';
import { storableText, toColumn } from './scalars.js';
import { column, lettersColumn, multikeyTable, type TableShape } from './shape.js';
import { isSingleLetter, letterBits } from './words.js';

/** A piece of SQL with its bound parameters. Values are never part of the text. */
export interface Fragment {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

export function sql(text: string, ...parameters: readonly Parameter[]): Fragment {
  return { text, parameters };
}

function joined(fragments: readonly Fragment[], operator: string, none: string): Fragment {
  if (fragments.length === 0) return sql(none);
  return {
    text: fragments.map(({ text }) => `(${text})`).join(operator),
    parameters: fragments.flatMap(({ parameters }) => parameters),
  };
}

export const allOf = (fragments: readonly Fragment[]) => joined(fragments, ' AND ', '1');
export const anyOf = (fragments: readonly Fragment[]) => joined(fragments, ' OR ', '0');

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
type Comparison = keyof typeof comparisons;

/** The filter's conditions on other fields. */
export const withoutField = (filter: Filter, field: string): Filter =>
  filter.filter((condition) => condition.field !== field);

/** @throws UnservedQuery when no index of the right kind names the field. */
export function checkFilter(shape: TableShape, filter: Filter): void {
  for (const { field, op } of filter) {
    const served =
      op === 'contains' ? shape.multikey : op === 'words' ? shape.texts : shape.columns;
    if (!served.includes(field)) {
      throw new UnservedQuery(shape.name, `no index serves '${op}' on '${field}'`);
    }
  }
}

/** @throws InvalidDocument for a page of less than one item, or of a part of one. */
export function checkLimit(limit: number | undefined): void {
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1))
    throw new InvalidDocument(`A page cannot have ${limit} items`);
}

/** SQL for a checked filter on the collection's table. Words are expensive to search, so they come last. */
export function filterSql(shape: TableShape, filter: Filter): Fragment {
  const isWords = ({ op }: Condition) => op === 'words';
  const inOrder = [...filter.filter((one) => !isWords(one)), ...filter.filter(isWords)];
  return allOf(inOrder.map((condition) => conditionSql(shape, condition)));
}

/** SQL for a checked condition on the collection's table. */
export function conditionSql(shape: TableShape, condition: Condition): Fragment {
  const name = column(condition.field);
  switch (condition.op) {
    case 'eq':
      return equal(name, condition.value);
    case 'ne':
      return sql(`${name} IS NOT ?`, toColumn(condition.value));
    case 'in':
      return isOneOf(name, condition.values);
    case 'contains':
      return containing(shape, condition.field, condition.value);
    case 'words':
      return holding(shape, condition.field, condition.words.map(storableText));
    default:
      return compared(name, condition.op, condition.value);
  }
}

/** Not `IS ?`, which uses an index less well than `=`. */
export function equal(name: string, value: Scalar): Fragment {
  return value === null ? sql(`${name} IS NULL`) : sql(`${name} = ?`, toColumn(value));
}

/** Values compare with their own kind only: 5 is neither more nor less than 'a'. */
function compared(name: string, op: Comparison, value: Scalar): Fragment {
  if (value === null) return op.endsWith('e') ? sql(`${name} IS NULL`) : sql('0');
  const own = sql(`${name} ${comparisons[op]} ?`, toColumn(value));
  const up = op.startsWith('g');
  switch (typeof value) {
    case 'number':
      return up ? allOf([own, sql(`${name} < ''`)]) : own;
    case 'string':
      return allOf([own, sql(up ? `${name} < x''` : `${name} >= ''`)]);
    case 'boolean':
      return up ? own : allOf([own, sql(`${name} >= x''`)]);
  }
}

/** Padded to a power of two, so that lists of different lengths share a few prepared statements. */
function isOneOf(name: string, values: readonly Scalar[]): Fragment {
  const bound = values.filter((value) => value !== null).map(toColumn);
  const last = bound.at(-1);
  const isNull = values.includes(null) ? [sql(`${name} IS NULL`)] : [];
  if (last === undefined) return anyOf(isNull);
  const size = 2 ** Math.ceil(Math.log2(bound.length));
  const padded: readonly Parameter[] = [
    ...bound,
    ...Array<Parameter>(size - bound.length).fill(last),
  ];
  const marks = Array(size).fill('?').join(', ');
  const listed = sql(`${name} IN (${marks})`, ...padded);
  return isNull.length === 0 ? listed : anyOf([listed, ...isNull]);
}

/** The letters are tested first, then the longest word: a row that fails one is not tested for the others. */
function holding(shape: TableShape, field: string, words: readonly string[]): Fragment {
  const hasLetters = shape.letters.includes(field);
  const letters = hasLetters ? letterBits(words.join('')) : 0;
  const test = sql(`(${lettersColumn(field)} & ?) = ?`, letters, letters);
  const inside = words
    .filter((word) => !(hasLetters && isSingleLetter(word)))
    .sort((one, other) => other.length - one.length)
    .map((word) => sql(`instr(${column(field)}, ?) > 0`, word));
  return allOf([...(letters === 0 ? [] : [test]), ...inside]);
}

function containing(shape: TableShape, field: string, value: Scalar): Fragment {
  const list = multikeyTable(shape.name, field);
  return sql(
    `EXISTS (SELECT 1 FROM ${list} l WHERE l.value = ? AND l.row = ${shape.table}.row)`,
    toColumn(value),
  );
}
