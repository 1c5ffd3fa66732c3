import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

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
