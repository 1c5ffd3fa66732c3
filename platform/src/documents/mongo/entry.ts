import { type Document, InvalidDocument, type Scalar } from '../port.js';
import { keepableText, scalarOf, scalarsOf, textOf } from '../scalars.js';
import type { Shape } from '../shape.js';
import { wordsIn } from '../words.js';
import type { Vocabulary } from './vocabulary.js';

/** What a collection declares, as somebody has published it. */
export interface Known {
  readonly shape: Shape;
  /** Grows when indexes are added; entries name the one they were written under. */
  readonly version: number;
  /** What the collection is called in MongoDB. */
  readonly place: string;
  /** The words of its texts, the same for all versions of one place. */
  readonly vocabulary: Vocabulary;
  /** Since which version entries are counted by these fields: those of earlier ones are not among the counts. */
  readonly countedSince: ReadonlyMap<string, number>;
  /** Whether all entries are among the counts: not while they are filled with what is newly declared. */
  readonly countsHold: boolean;
  /** Without its late indexes, which the shape lacks as well. */
  readonly isLoading: boolean;
  /** Whether entries have their words, and an index of them; those that an earlier release made have them once filled. */
  readonly hasWords: boolean;
}

/**
 * How a document lies in MongoDB. The document itself is its canonical JSON: BSON has no half
 * surrogate pairs, no NUL in names and an order of members, and a guard compares one text. What is
 * searched lies beside it.
 */
export interface Entry {
  readonly _id: string;
  readonly json: string;
  readonly version: number;
  /** Scalars of `equality`, `sorted` and `words` fields; null where there is none. */
  readonly f: Readonly<Record<string, Scalar>>;
  /** Values of `multikey` fields. */
  readonly l: Readonly<Record<string, readonly Scalar[]>>;
  /** Words of `words` fields. */
  readonly t: Readonly<Record<string, readonly string[]>>;
}

/** @throws InvalidDocument for what is no scalar, also when a caller without types sends it. */
export function toStored(value: Scalar): Scalar {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return keepableText(value);
    case 'number':
      if (!Number.isFinite(value)) throw new InvalidDocument(`${value} is not JSON`);
      return value;
    default:
      if (value === null) return null;
      throw new InvalidDocument(`A ${typeof value} is not a scalar`);
  }
}

/** One that an earlier release wrote has pieces of two letters, as `w`, and no words. */
type FoundEntry = Omit<Entry, 't'> & Partial<Pick<Entry, 't'>>;

/**
 * The fields of which the entry says otherwise beside its document than in it, or that have a word by which nobody
 * looks for it, as the vocabulary lacks it.
 */
export function misindexedFields(known: Known, entry: FoundEntry): readonly string[] {
  const right = entryOf(known, entry._id, entry.json);
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

/** `json` is canonical. @throws InvalidDocument when an indexed field holds what cannot be indexed. */
export function entryOf(
  { shape, version }: Pick<Known, 'shape' | 'version'>,
  id: string,
  json: string,
): Entry {
  const document: Document = JSON.parse(json);
  const scalarAt = (field: string) =>
    shape.words.includes(field) ? textOf(document, field) : scalarOf(document, field);
  const each = <T>(fields: readonly string[], of: (field: string) => T) =>
    Object.fromEntries(fields.map((field) => [field, of(field)]));
  return {
    _id: id,
    json,
    version,
    f: each(shape.columns, (field) => toStored(scalarAt(field))),
    l: each(shape.multikey, (field) => scalarsOf(document, field).map(toStored)),
    t: each(shape.words, (field) => [...new Set(wordsIn(textOf(document, field) ?? ''))]),
  };
}

/** All words of some entries, by field. */
export function wordsOf(entries: readonly Entry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const words = new Map<string, Set<string>>();
  for (const { t } of entries) {
    for (const [field, own] of Object.entries(t)) {
      const all = words.get(field) ?? new Set<string>();
      words.set(field, all);
      for (const word of own) all.add(word);
    }
  }
  return words;
}
