/** What a collection is searched by. Said here in the words of the document store, which reads it. */
type ModelIndex =
  | { readonly kind: 'equality'; readonly fields: readonly string[] }
  | {
      readonly kind: 'sorted';
      readonly fields: readonly string[];
      readonly by: readonly string[];
      readonly order?: 'asc' | 'desc';
      readonly beside?: readonly string[];
    }
  | { readonly kind: 'multikey'; readonly field: string }
  | { readonly kind: 'words'; readonly field: string };

/**
 * A read model: who writes it, in which version, and by what it is found. Its version changes
 * whenever its documents do; the next start then builds it anew beside the old one.
 */
export interface ReadModel<C extends string = string> {
  readonly name: string;
  readonly version: number;
  readonly collections: { readonly [K in C]: readonly ModelIndex[] };
}

export const equality = (...fields: readonly string[]): ModelIndex => ({
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
): ModelIndex => ({ kind: 'sorted', fields, by, ...(beside && { beside }) });

/** Equal in `fields`, the newest or largest of `by` first. */
export const newest = (
  fields: readonly string[],
  by: readonly string[],
  beside?: readonly string[],
): ModelIndex => ({ kind: 'sorted', fields, by, order: 'desc', ...(beside && { beside }) });

export const words = (field: string): ModelIndex => ({ kind: 'words', field });
