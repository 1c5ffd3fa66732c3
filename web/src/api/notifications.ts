import { queryOptions } from '@tanstack/react-query';
import { get } from './client.js';
import type { Answer } from './types.js';

export const unreadKey = (sellerId: string) => ['notifications', 'unread', sellerId];

/** The seller's notices that were not cleared yet. */
export function unreadQuery(sellerId: string) {
  return queryOptions({
    queryKey: unreadKey(sellerId),
    queryFn: ({ signal }) =>
      get<Answer<'unreadNotifications'>>(
        `/v1/notifications/unread/${encodeURIComponent(sellerId)}`,
        { signal },
      ),
  });
}
