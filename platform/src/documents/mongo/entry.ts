import type { Collection, Db } from 'mongodb';
import type { Document, Scalar } from '../port.js';
import { canonicalJson, scalarsOf, textOf, toStored } from '../scalars.js';
import { indexedValue, type TableShape } from '../shape.js';
import { wordsIn } from '../words.js';
import type { Vocabulary } from './vocabulary.js';

/**
 * Which indexes of words a collection has in order: one in the order of the text itself, or in all orders; 'beside': in
 * all, and that of the text itself has the fields that lie beside it in the index without words.
 */
export type WordOrders = 'own' | 'all' | 'beside';

/** A collection's published spec, and what this process keeps with it. */
export interface KnownCollection {
  readonly shape: TableShape;
  /** Grows when indexes are added; each entry records the version it was written with. */
  readonly version: number;
  /** The collection's name in MongoDB. */
  readonly storedAs: string;
  /** The words of its texts; one vocabulary for all versions stored under a name. */
  readonly vocabulary: Vocabulary;
  /** By name of the counted fields: from which version on entries are in the counts. */
  readonly countedSince: ReadonlyMap<string, number>;
  /** Whether all entries are in the counts; false while they are filled for newly declared indexes. */
  readonly countsHold: boolean;
  /** Whether the late indexes and those of words are still missing; the shape lacks the late ones too. */
  readonly isLoading: boolean;
  /** Whether entries have words and an index of them; those of an earlier release get them when they are filled. */
  readonly hasWords: boolean;
  /** Which indexes of words there are. */
  readonly wordOrders: WordOrders;
}

/**
 * A document as MongoDB stores it. `json` is the document itself, as canonical JSON: BSON has no lone
 * surrogates, no NUL in names, and an order of members, and a guard compares one text. The searched values
 * are stored beside it.
 */
export interface Entry {
  readonly _id: string;
  readonly json: string;
  readonly version: number;
  /** Scalars of the shape's `columns`: the fields of all indexes but `multikey`; null where there is none. */
  readonly f: Readonly<Record<string, Scalar>>;
  /** Values of `multikey` fields. */
  readonly l: Readonly<Record<string, readonly Scalar[]>>;
  /** Words of `words` fields. */
  readonly t: Readonly<Record<string, readonly string[]>>;
}

/** The entries of a collection. */
export const entriesIn = (
  db: Db,
  { storedAs }: Pick<KnownCollection, 'storedAs'>,
): Collection<Entry> => db.collection<Entry>(storedAs);

/** An entry written by an earlier release has pieces of two letters, as `w`, and no words. */
type AnyEntry = Omit<Entry, 't'> & Partial<Pick<Entry, 't'>>;

/**
 * The fields whose stored values differ from the entry's document, or that have a word which no search uses because
 * the vocabulary lacks it.
 */
export function misindexedFields(known: KnownCollection, entry: AnyEntry): readonly string[] {
  const right = entryOf(known, entry._id, JSON.parse(entry.json));
  const { columns, multikey, words } = known.shape;
  const differs = (part: 'f' | 'l' | 't') => (field: string) =>
    JSON.stringify(entry[part]?.[field]) !== JSON.stringify(right[part][field]);
  const isUnknown = (field: string) =>
    right.t[field]?.some((word) => !known.vocabulary.has(field, word)) === true;
  const wrong = [
    ...columns.filter(differs('f')),
    ...multikey.filter(differs('l')),
    ...words.filter((field) => differs('t')(field) || isUnknown(field)),
  ];
  return [...new Set(wrong)];
}

/** The entry of a document. @throws InvalidDocument for what is not JSON, and for a field that cannot be indexed. */
export function entryOf(
  { shape, version }: Pick<KnownCollection, 'shape' | 'version'>,
  id: string,
  document: Document,
): Entry {
  const each = <T>(fields: readonly string[], of: (field: string) => T) =>
    Object.fromEntries(fields.map((field) => [field, of(field)]));
  return {
    _id: id,
    json: canonicalJson(document),
    version,
    f: each(shape.columns, (field) => toStored(indexedValue(shape, document, field))),
    l: each(shape.multikey, (field) => scalarsOf(document, field).map(toStored)),
    t: each(shape.words, (field) => [...new Set(wordsIn(textOf(document, field) ?? ''))]),
  };
}
