import type { QueryClient } from '@tanstack/react-query';

/** What an address says. */
export interface Asked {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: URLSearchParams;
}

/**
 * Asks for what a page shows first, so that the server can render it. False: it shows something else in its place.
 * @throws ApiError when a call fails
 */
export type FillPage = (client: QueryClient, asked: Asked) => Promise<boolean>;
