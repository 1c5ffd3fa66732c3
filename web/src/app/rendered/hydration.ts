import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Id of the element that holds the query data with which the server rendered the page. */
export const RENDERED_ID = 'oja-rendered';

/** A query and its answer, as the page was rendered with it. */
export interface DehydratedQuery {
  readonly key: QueryKey;
  readonly data: unknown;
}

/**
 * Puts the server's query data into the cache, so that the browser hydrates the same page and fetches nothing
 * again. A page that was kept for another address (the app shell, offline) is ignored.
 * @returns whether the page belongs to this address
 */
export function hydrateQueries(client: QueryClient): boolean {
  const element = document.getElementById(RENDERED_ID);
  if (element?.dataset.address !== location.pathname + location.search) return false;
  try {
    const queries = JSON.parse(element.textContent) as readonly DehydratedQuery[];
    /** A page from a cache keeps its own time, unless a slow clock would put that into the future. */
    const updatedAt = Math.min(Date.now(), Number(element.dataset.at) || 0);
    for (const { key, data } of queries) client.setQueryData(key, data, { updatedAt });
    return true;
  } catch (error) {
    console.error(error);
    return false;
  } finally {
    element.remove();
  }
}

/** The path parameters and the query of an address. */
interface PageLocation {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: URLSearchParams;
}

/**
 * Fetches what a page shows first, so that the server can render it. Resolves to false when the page would
 * show something else in its place.
 * @throws ApiError when a call fails
 */
export type PrefetchPage = (client: QueryClient, page: PageLocation) => Promise<boolean>;
