import { queryOptions } from '@tanstack/react-query';
import { get } from './client.js';
import type { Answer } from './types.js';

export type TimelineKind = 'transaction' | 'product' | 'seller';

/** Who did what, when, oldest first. */
export function timelineQuery(kind: TimelineKind, id: string) {
  return queryOptions({
    queryKey: ['timeline', kind, id],
    queryFn: async ({ signal }) => {
      const path = `/v1/timeline/${kind}/${encodeURIComponent(id)}`;
      return (await get<Answer<'getTimeline'>>(path, { signal })).result;
    },
  });
}
