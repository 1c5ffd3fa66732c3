/** Null instead of undefined, because it also appears in the JSON of rendered pages. */
const firstPage: string | null = null;

/** For `infiniteQueryOptions`: each page says where the next one begins. */
export const cursorPagination = {
  initialPageParam: firstPage,
  getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor,
};

/** A list in pages, of which the first says how long it is in all. */
interface CountedPages {
  readonly pages: readonly { readonly total: number }[];
}

/**
 * For `placeholderData`: the list before stays until the one that was asked for is there, unless it was empty.
 * Nobody could tell an empty one from the answer, so it would say that nothing is there before that was read.
 */
export const keepPreviousUnlessEmpty = <T extends CountedPages>(
  before: T | undefined,
): T | undefined => (before?.pages[0]?.total === 0 ? undefined : before);
