import { onlineManager, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './error.js';

/** How often a read is tried again when no answer came or the server stumbled. */
const READ_RETRIES = 2;

function worthRetrying(failures: number, error: Error): boolean {
  if (failures >= READ_RETRIES) return false;
  /** Without a network the page says so at once; the read is made again when the network is back. */
  if (!navigator.onLine) return false;
  return !(error instanceof ApiError) || error.unanswered || error.status >= 500;
}

/** Every page counts as online at first: one that begins offline would not notice that the network is back. */
if (globalThis.navigator?.onLine === false) onlineManager.setOnline(false);

/** That there is no such thing is an answer, and its page says so. */
function noteFailure(error: Error): void {
  if (!(error instanceof ApiError && error.status === 404)) console.error(error);
}

/** Server state of the whole app. Every query is described by `queryOptions` beside its fetcher. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  defaultOptions: {
    queries: {
      retry: worthRetrying,
      staleTime: 30_000,
      gcTime: 30 * 60_000,
      /** A browser that thinks itself offline may still have the service worker's answers. */
      networkMode: 'offlineFirst',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Reads again what begins with one of the keys, after a change: what is shown now, the rest when it is looked at. A
 * first load that is still on its way began before the change, and the library would take its answer for the new one:
 * it is begun anew.
 */
export async function readAgain(...queryKeys: readonly QueryKey[]): Promise<void> {
  const cache = queryClient.getQueryCache();
  await Promise.all(
    queryKeys.map((queryKey) => {
      for (const query of cache.findAll({ queryKey, type: 'active', fetchStatus: 'fetching' }))
        if (query.state.data === undefined) void query.cancel({ silent: true });
      return queryClient.invalidateQueries({ queryKey });
    }),
  );
}
