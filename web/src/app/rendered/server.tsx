import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { answerCallsBy } from '../../api/transport.js';
import { routes } from '../../routes.js';
import { fillPage } from './first-data.js';
import type { KnownQuery } from './handed-over.js';

/** A page as everybody sees it first. */
export interface RenderedPage {
  /** What stands in `#root`. */
  readonly html: string;
  /** What the browser has to know to render the same. */
  readonly queries: readonly KnownQuery[];
}

/** Where rendered addresses are resolved; it never shows. */
const ORIGIN = 'http://oja.invalid';

/**
 * What query-service loads, by its path, to render pages.
 * @param answer answers the calls of the API that pages make, asked for by path and query, as to nobody in particular
 * @returns renders an address (path and query); null for pages that are the browser's matter, and when a call failed
 */
export function createRenderer(answer: (path: string) => Promise<Response>) {
  answerCallsBy((path) => answer(path));
  const pages = createStaticHandler(routes);

  return async (address: string): Promise<RenderedPage | null> => {
    const url = new URL(address, ORIGIN);
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    if (!(await fillPage(client, url))) return null;
    const context = await pages.query(new Request(url));
    if (context instanceof Response) return null;
    const router = createStaticRouter(pages.dataRoutes, context);
    const html = renderToString(
      <StrictMode>
        <QueryClientProvider client={client}>
          <StaticRouterProvider router={router} context={context} hydrate={false} />
        </QueryClientProvider>
      </StrictMode>,
    );
    const known = client.getQueryCache().getAll();
    return {
      html,
      queries: known.map(({ queryKey, state }) => ({ key: queryKey, data: state.data })),
    };
  };
}
