import { queryOptions } from '@tanstack/react-query';
import { call } from './client.js';

/** Image host, push key, contact details, and whether this is a demo. Changes only with a deploy. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call('getSettings', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
