/** Null instead of undefined, because it also appears in the JSON of rendered pages. */
const firstPage: string | null = null;

/** For `infiniteQueryOptions`: each page says where the next one begins. */
export const byCursor = {
  initialPageParam: firstPage,
  getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor,
};
