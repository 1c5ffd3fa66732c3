import { queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Answer } from './types.js';

export const unreadKey = (sellerId: string) => ['notifications', 'unread', sellerId];

/** The seller's notices that were not cleared yet. */
export function unreadQuery(sellerId: string) {
  return queryOptions({
    queryKey: unreadKey(sellerId),
    queryFn: ({ signal }) => call('unreadNotifications', { params: { userId: sellerId }, signal }),
  });
}

/** Orders and whatever else there is word of: what the bell counts. */
export const countUnread = (unread: Answer<'unreadNotifications'> | undefined): number =>
  unread === undefined ? 0 : unread.result.length + unread.news.length;

/**
 * Clears what was seen, and spares what came after.
 * @param position the one that the read answered
 * @throws ApiError; 404 when there was nothing to clear
 */
export async function clearNotifications(
  sellerId: string,
  position: string | null,
): Promise<string> {
  const { message } = await call('clearNotifications', {
    params: { userId: sellerId },
    ...(position === null ? {} : { position }),
  });
  return message;
}
