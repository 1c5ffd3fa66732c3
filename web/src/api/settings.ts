import { queryOptions } from '@tanstack/react-query';
import { call } from './client.js';

/** Where pictures go, the push key, how to reach people, and whether this is a demo. It changes with a deploy only. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call('getSettings', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
