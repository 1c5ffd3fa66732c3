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
 * For `placeholderData`: the previous list stays until the new one is loaded, unless it was empty. An empty list could not
 * be told from an answer, and would say that nothing was found before the answer came.
 */
export const keepPreviousUnlessEmpty = <T extends CountedPages>(
  before: T | undefined,
): T | undefined => (before?.pages[0]?.total === 0 ? undefined : before);
