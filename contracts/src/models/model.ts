/**
 * An index that a collection declares; the document store refuses a query that none of them serves.
 * `sorted`: equality on `fields`, then order by `by` (ties by id); both ways, unless `order` names the
 * one that is needed; `beside` lie behind the order, so that they are tested along it. `multikey`: the
 * field holds a list of scalars. `words`: the field holds text already folded (the one fold is in
 * domain); searched by pieces of words. `counted`: how many documents hold each combination of the fields'
 * values, so that counting by these fields alone does not look at documents. A field of `equality`, `sorted` or
 * `counted` holds a scalar; one that is not there counts as null. `late`: nothing that writes the model asks by it, so
 * that it may be made when a generation has been loaded, which takes far less time than to keep it up meanwhile.
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
  | { readonly kind: 'words'; readonly field: string }
  | { readonly kind: 'counted'; readonly fields: readonly string[] };

/**
 * A read model: who writes it, in which version, and by what it is found. Its version changes
 * whenever its documents do; the next start then builds it anew beside the old one.
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
 * Equal in `fields`, in the order of `by`, both ways. `beside`: what else such a list is often narrowed by, which need
 * not be looked up then for each row gone past.
 */
export const sorted = (
  fields: readonly string[],
  by: readonly string[],
  beside?: readonly string[],
): Index => ({ kind: 'sorted', fields, by, ...(beside && { beside }) });

/** Equal in `fields`, the newest or largest of `by` first. */
export const newest = (
  fields: readonly string[],
  by: readonly string[],
  beside?: readonly string[],
): Index => ({ kind: 'sorted', fields, by, order: 'desc', ...(beside && { beside }) });

export const words = (field: string): Index => ({ kind: 'words', field });

/** The number of documents by these fields; what filters have equal comes first. */
export const counted = (...fields: readonly string[]): Index => ({ kind: 'counted', fields });

/** Made when a generation has been loaded. */
export const late = (...indexes: readonly Index[]): readonly Index[] =>
  indexes.map((index) =>
    index.kind === 'equality' || index.kind === 'sorted' ? { ...index, late: true } : index,
  );
