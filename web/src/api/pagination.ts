import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

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

interface Pages {
  readonly data: InfiniteData<unknown> | undefined;
  readonly isError: boolean;
}

/** What is used of a list that is read page by page, whatever is in it. */
export type PagedQuery = Pages &
  Pick<UseInfiniteQueryResult, 'isFetchingNextPage'> & {
    readonly fetchNextPage: (how: { readonly cancelRefetch: boolean }) => Promise<Pages>;
  };

/** Waits for a running fetch. By default the library cancels it and takes the old pages as fresh. */
export const JOIN_RUNNING_FETCH = { cancelRefetch: false };

/** Reads the next page of a list, after the pages that are just being read again. */
export function useNextPage(list: PagedQuery) {
  const [isWanted, setWanted] = useState(false);
  const more = async () => {
    setWanted(true);
    const { isError, data } = await list.fetchNextPage(JOIN_RUNNING_FETCH);
    const hasOnlyJoined = data?.pages.length === list.data?.pages.length;
    if (hasOnlyJoined && !isError) await list.fetchNextPage(JOIN_RUNNING_FETCH);
    setWanted(false);
  };
  return { busy: isWanted || list.isFetchingNextPage, more: () => void more() };
}
