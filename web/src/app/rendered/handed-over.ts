import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Id of the element in which a rendered page brings what it was rendered with. */
export const RENDERED_ID = 'oja-rendered';

/** An answer that a page was rendered with. */
export interface KnownQuery {
  readonly key: QueryKey;
  readonly data: unknown;
}

/**
 * Takes over what the server rendered the page with, so that the browser renders the same and asks for nothing again.
 * A page that was kept for another address (the shell, offline) is none of ours.
 * @returns whether the page that stands there is of this address
 */
export function takeOver(client: QueryClient): boolean {
  const element = document.getElementById(RENDERED_ID);
  if (element?.dataset.address !== location.pathname + location.search) return false;
  try {
    const queries = JSON.parse(element.textContent) as readonly KnownQuery[];
    /** A page that a worker kept is as old as it says, whatever a clock that is behind makes of it. */
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

/** What an address says. */
interface Asked {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: URLSearchParams;
}

/**
 * Asks for what a page shows first, so that the server can render it. False: it shows something else in its place.
 * @throws ApiError when a call fails
 */
export type FillPage = (client: QueryClient, asked: Asked) => Promise<boolean>;
