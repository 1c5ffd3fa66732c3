import {
  notifyManager,
  onlineManager,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { ApiError } from './error.js';

/** How often a read is retried when no answer came or the server failed with a 5xx. */
const READ_RETRIES = 2;

function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= READ_RETRIES) return false;
  /** While offline the page shows the failure at once; the read runs again when the network is back. */
  if (!navigator.onLine) return false;
  return !(error instanceof ApiError) || error.isUnanswered || error.status >= 500;
}

/** The library takes every page to start online: one that starts offline would never see the network return. */
if (globalThis.navigator?.onLine === false) onlineManager.setOnline(false);

/**
 * A button is busy from its press on. The library waits for a timer before it tells the page of a change, and on a
 * slow phone a second tap comes before that.
 */
notifyManager.setScheduler(queueMicrotask);

/** A 404 is a valid answer that its page explains, so it is not logged. */
function logFailure(error: Error): void {
  if (!(error instanceof ApiError && error.status === 404)) console.error(error);
}

/** Server state of the whole app. Every query is defined with `queryOptions` beside its fetcher. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: logFailure }),
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      staleTime: 30_000,
      gcTime: 30 * 60_000,
      /** A browser that reports itself offline may still get answers from the service worker. */
      networkMode: 'offlineFirst',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Invalidates all queries whose keys begin with one of the given keys: queries on screen are refetched now,
 * the others when they are next used. A first load still in flight began before the change, and the library
 * would take its answer as fresh; it is cancelled and started again.
 */
export async function invalidate(...queryKeys: readonly QueryKey[]): Promise<void> {
  const cache = queryClient.getQueryCache();
  await Promise.all(
    queryKeys.map((queryKey) => {
      for (const query of cache.findAll({ queryKey, type: 'active', fetchStatus: 'fetching' }))
        if (query.state.data === undefined) void query.cancel({ silent: true });
      return queryClient.invalidateQueries({ queryKey });
    }),
  );
}
