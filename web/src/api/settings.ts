import { queryOptions } from '@tanstack/react-query';
import { get } from './client.js';
import type { Answer } from './types.js';

/** Where pictures go, the push key, how to reach people, and whether this is a demo. It changes with a deploy only. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => get<Answer<'getSettings'>>('/v1/settings', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
