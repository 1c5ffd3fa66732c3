import { queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import type { Answer } from './types.js';

export const unreadKey = (sellerId: string) => ['notifications', 'unread', sellerId];

/** The seller's notices that are not cleared yet. */
export function unreadQuery(sellerId: string) {
  return queryOptions({
    queryKey: unreadKey(sellerId),
    queryFn: ({ signal }) => call('unreadNotifications', { params: { userId: sellerId }, signal }),
  });
}

/** The number at the bell: unread orders and all other unread news. */
export const countUnread = (unread: Answer<'unreadNotifications'> | undefined): number =>
  unread === undefined ? 0 : unread.result.length + unread.news.length;

/**
 * Clears the notices that the seller has seen, and keeps those that came later.
 * @param position the position that the read answered
 * @throws ApiError; 404 when there was nothing to clear
 */
export async function clearNotifications(sellerId: string, position: string): Promise<void> {
  await call('clearNotifications', { params: { userId: sellerId }, position });
}
