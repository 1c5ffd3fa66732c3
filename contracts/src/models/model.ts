/**
 * An index of a collection. The document store refuses a query that no declared index serves.
 *
 * `equality`: the fields equal given values.
 * `sorted`: equality on `fields`, then ordered by `by` (ties by id). Serves both directions, of which one is the reverse
 * of the other, unless `order` names one. `beside` fields are stored after the order, so that filters on them are tested
 * in the index.
 * `multikey`: the field holds a list of scalars. No model declares one at present; collections of 0.1.0 do, and must open.
 * `words`: the field holds folded text (see `fold` in domain) and is searched by parts of words.
 * `text`: the same, for searches whose other conditions leave few documents: their texts are read, from an index that has
 * the field beside its order. Nothing grows with each new word.
 * `counted`: the number of documents for each combination of the fields' values, so that counting
 * by these fields reads no documents.
 * Fields of `equality`, `sorted` and `counted` hold scalars; an absent field counts as null.
 * `late`: the projector itself never queries by it, so it may be built after a generation has been
 * loaded. That is much faster than maintaining it during the load.
 */
export type Index =
  | { readonly kind: 'equality'; readonly fields: readonly string[]; readonly late?: true }
  | {
      readonly kind: 'sorted';
      readonly fields: readonly string[];
      readonly by: readonly string[];
      readonly order?: 'asc' | 'desc';
      readonly beside?: readonly string[];
      readonly late?: true;
    }
  | { readonly kind: 'multikey'; readonly field: string }
  | { readonly kind: 'words' | 'text'; readonly field: string }
  | { readonly kind: 'counted'; readonly fields: readonly string[] };

/**
 * The declaration of a read model: its name, its version, and its indexes. The version changes
 * whenever the documents do; the next start then builds a new generation beside the old one.
 */
export interface ReadModel<C extends string = string> {
  readonly name: string;
  readonly version: number;
  readonly collections: { readonly [K in C]: readonly Index[] };
}

export const equality = (...fields: readonly string[]): Index => ({
  kind: 'equality',
  fields,
});

/**
 * Equality on `fields`, ordered by `by` in both directions. `beside`: further fields that such
 * lists often filter by; they are tested in the index, without reading each document.
 */
export const sorted = (
  fields: readonly string[],
  by: readonly string[],
  beside?: readonly string[],
): Index => ({ kind: 'sorted', fields, by, ...(beside && { beside }) });

/** Equality on `fields`, ordered by `by`, newest or largest first. */
export const newestFirst = (
  fields: readonly string[],
  by: readonly string[],
  beside?: readonly string[],
): Index => ({ kind: 'sorted', fields, by, order: 'desc', ...(beside && { beside }) });

export const wordIndex = (field: string): Index => ({ kind: 'words', field });
export const textIndex = (field: string): Index => ({ kind: 'text', field });

/** Counts documents by these fields. Put the fields that filters compare for equality first. */
export const countIndex = (...fields: readonly string[]): Index => ({ kind: 'counted', fields });

/** Marks indexes to be built after a generation has been loaded. Only `equality` and `sorted` can be late. */
export const late = (...indexes: readonly Index[]): readonly Index[] =>
  indexes.map((index) =>
    index.kind === 'equality' || index.kind === 'sorted' ? { ...index, late: true } : index,
  );
