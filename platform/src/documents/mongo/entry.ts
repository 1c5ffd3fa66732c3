import { type Document, InvalidDocument, type Scalar } from '../port.js';
import { keepableText, scalarOf, scalarsOf, textOf } from '../scalars.js';
import type { Shape } from '../shape.js';
import { bigramsOf } from '../words.js';

/** What a collection declares, as somebody has published it. */
export interface Known {
  readonly shape: Shape;
  /** Grows when indexes are added; entries name the one they were written under. */
  readonly version: number;
  /** What the collection is called in MongoDB. */
  readonly place: string;
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
  /** Bigrams of `words` fields. */
  readonly w: Readonly<Record<string, readonly string[]>>;
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

/** The distinct bigrams of a text's words; words of one letter have none. */
export function tokensOf(text: string): readonly string[] {
  return [...new Set(bigramsOf(text).split(' '))].filter((token) => token !== '');
}

/** The fields of which the entry says otherwise beside its document than in it. */
export function misindexedFields(known: Known, entry: Entry): readonly string[] {
  const right = entryOf(known, entry._id, entry.json);
  const { columns, multikey, words } = known.shape;
  const differs = (part: 'f' | 'l' | 'w') => (field: string) =>
    JSON.stringify(entry[part][field]) !== JSON.stringify(right[part][field]);
  const wrong = [
    ...columns.filter(differs('f')),
    ...multikey.filter(differs('l')),
    ...words.filter(differs('w')),
  ];
  return [...new Set(wrong)];
}

/** `json` is canonical. @throws InvalidDocument when an indexed field holds what cannot be indexed. */
export function entryOf({ shape, version }: Known, id: string, json: string): Entry {
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
    w: each(shape.words, (field) => tokensOf(textOf(document, field) ?? '')),
  };
}
