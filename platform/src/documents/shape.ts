import {
  type CollectionSpec,
  type Document,
  type Filter,
  type Index,
  InvalidDocument,
  type Query,
  type Scalar,
} from './port.js';
import { canonicalJson, scalarOf, textOf } from './scalars.js';

/** An SQL index: the fields that must be equal, those it sorts by, the id, and the fields beside. */
export interface SqlIndex {
  readonly name: string;
  readonly fields: readonly string[];
  readonly by: readonly string[];
  readonly beside: readonly string[];
  /** The order in the file. */
  readonly order: 'asc' | 'desc';
  /** Whether it may be read backwards too. */
  readonly bothWays: boolean;
  /** Whether it may be created after a load. */
  readonly late: boolean;
}

export type Order = SqlIndex['order'];

/** By what a comparison is multiplied, and how MongoDB writes the order. */
export const directionOf = (order: Order): 1 | -1 => (order === 'asc' ? 1 : -1);

/** An index that is read in one direction. */
export interface Walk extends SqlIndex {
  /** In which order the fields that it sorts by are read. */
  readonly wanted: Order;
  /** In which order the ids of equal ones are read: the file has them ascending, and an index may be read backwards. */
  readonly ids: Order;
}

/** The order of ids when an index is read in an order of its fields; null where it cannot be. */
export const idsIn = ({ order, bothWays }: SqlIndex, wanted: Order): Order | null => {
  if (order === wanted) return 'asc';
  return bothWays ? 'desc' : null;
};

/** A collection in SQL. SQL names are quoted, and contain no quote. */
export interface TableShape {
  readonly name: string;
  readonly indexes: readonly Index[];
  /** The table of ids and indexed fields; narrow, so that reading all of it is quick. */
  readonly table: string;
  /** The table of documents, by row. */
  readonly documents: string;
  /** Fields that have a column. */
  readonly columns: readonly string[];
  readonly multikey: readonly string[];
  readonly words: readonly string[];
  /** Fields that hold text: those of words, and those whose texts are read. */
  readonly texts: readonly string[];
  /** Words fields that have a column of letters: all, except in a file of an earlier format. */
  readonly letters: readonly string[];
  readonly sqlIndexes: readonly SqlIndex[];
  readonly counted: readonly Counted[];
}

/** Fields by whose values documents are counted at each write, and the table of these counts. */
export interface Counted {
  readonly table: string;
  readonly fields: readonly string[];
}

const validName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

export const column = (field: string) => `"f_${field}"`;
export const lettersColumn = (field: string) => `"l_${field}"`;
export const multikeyTable = (collection: string, field: string) => `"${collection}$list$${field}"`;
export const wordsTable = (collection: string, field: string) => `"${collection}$tokens$${field}"`;
export const vocabularyTable = (collection: string, field: string) =>
  `"${collection}$vocabulary$${field}"`;
/** Where an earlier format, without a vocabulary, had the words. */
export const bigramsTable = (collection: string, field: string) => `"${collection}$words$${field}"`;

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

function fieldsOf(index: Index): readonly string[] {
  switch (index.kind) {
    case 'equality':
    case 'counted':
      return index.fields;
    case 'sorted':
      return [...index.fields, ...index.by, ...(index.beside ?? [])];
    case 'multikey':
    case 'words':
    case 'text':
      return [index.field];
  }
}

function sqlIndexesOf(collection: string, index: Index): readonly SqlIndex[] {
  if (index.kind === 'equality') {
    const name = `"${collection}$eq$${index.fields.join('$')}"`;
    const { fields, late = false } = index;
    return [{ name, fields, by: [], beside: [], order: 'asc', bothWays: false, late }];
  }
  if (index.kind !== 'sorted') return [];
  const { fields, by, order = 'asc', beside = [], late = false } = index;
  const lists = [
    fields.join('$'),
    'by',
    ...by,
    ...(beside.length > 0 ? ['beside', ...beside] : []),
  ];
  const name = `"${[collection, order, ...lists].join('$')}"`;
  return [{ name, fields, by, beside, order, bothWays: index.order === undefined, late }];
}

/**
 * @throws InvalidDocument for a name that is not letters, digits and `_` or that SQLite reserves, for fields that
 *   differ in case only, and for an index with no field or one twice.
 */
export function checkSpec(spec: CollectionSpec): void {
  const names = [spec.name, ...spec.indexes.flatMap(fieldsOf)];
  const bad = names.find(
    (name) => !validName.test(name) || name.toLowerCase().startsWith('sqlite_'),
  );
  if (bad !== undefined) throw new InvalidDocument(`'${bad}' cannot be a name`);
  const fields = unique(spec.indexes.flatMap(fieldsOf));
  if (unique(fields.map((field) => field.toLowerCase())).length < fields.length) {
    throw new InvalidDocument(`${spec.name}: two fields differ in case only`);
  }
  for (const index of spec.indexes) {
    const own = fieldsOf(index);
    if (own.length === 0 || unique(own).length < own.length) {
      throw new InvalidDocument(`${spec.name}: an index names no field, or one twice`);
    }
  }
}

/** `hasLetters`: false for a file of a format that had no letters. */
export function toShape({ name, indexes }: CollectionSpec, hasLetters = true): TableShape {
  const ofKind = (...kinds: readonly Index['kind'][]) =>
    unique(indexes.filter(({ kind }) => kinds.includes(kind)).flatMap(fieldsOf));
  const byId: SqlIndex = {
    name: `"${name}$id"`,
    fields: [],
    by: [],
    beside: [],
    order: 'asc',
    bothWays: false,
    late: false,
  };
  const sqlIndexes = new Map([[byId.name, byId]]);
  for (const index of indexes.flatMap((declared) => sqlIndexesOf(name, declared))) {
    const known = sqlIndexes.get(index.name);
    const bothWays = index.bothWays || known?.bothWays === true;
    sqlIndexes.set(index.name, { ...index, bothWays, late: index.late && known?.late !== false });
  }
  return {
    name,
    indexes,
    table: `"${name}"`,
    documents: `"${name}$documents"`,
    columns: ofKind('equality', 'sorted', 'words', 'text', 'counted'),
    multikey: ofKind('multikey'),
    words: ofKind('words'),
    texts: ofKind('words', 'text'),
    letters: hasLetters ? ofKind('words') : [],
    sqlIndexes: [...sqlIndexes.values()],
    counted: indexes.flatMap((index) =>
      index.kind === 'counted'
        ? [{ table: `"${name}$counts$${index.fields.join('$')}"`, fields: index.fields }]
        : [],
    ),
  };
}

/** The value of a field that has a column. @throws InvalidDocument for what is no scalar, or no text where there must be one. */
export const indexedValue = (
  { texts }: Pick<TableShape, 'texts'>,
  document: Document,
  field: string,
): Scalar => (texts.includes(field) ? textOf(document, field) : scalarOf(document, field));

/** The shape during a load: without the late indexes. */
export const withoutLateIndexes = (shape: TableShape): TableShape => ({
  ...shape,
  sqlIndexes: shape.sqlIndexes.filter(({ late }) => !late),
});

/** Every index of both, each once. */
export function unionOfIndexes(one: readonly Index[], other: readonly Index[]): readonly Index[] {
  const known = new Map([...one, ...other].map((index) => [canonicalJson({ ...index }), index]));
  return [...known.values()];
}

/**
 * The index that has the rows in the wanted order; null: there is none. Of several, the one with the most equal
 * fields before the order, then the most fields beside it.
 */
export function walkIndex(
  shape: TableShape,
  filter: Filter,
  sort: NonNullable<Query['sort']>,
): Walk | null {
  const equal = new Set(filter.flatMap(({ field, op }) => (op === 'eq' ? [field] : [])));
  const wanted = sort[0]?.order ?? 'asc';
  const serves = ({ fields, by }: SqlIndex) =>
    fields.every((field) => equal.has(field)) &&
    by.length === sort.length &&
    sort.every((part, at) => part.field === by[at] && part.order === wanted);
  const serving = shape.sqlIndexes.flatMap((index): readonly Walk[] => {
    const ids = idsIn(index, wanted);
    return ids !== null && serves(index) ? [{ ...index, wanted, ids }] : [];
  });
  const [best = null] = serving.sort(
    (one, other) =>
      other.fields.length - one.fields.length || other.beside.length - one.beside.length,
  );
  return best;
}
