import { pagePaths } from '@oja/contracts/pages';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  StaticRouterProvider,
} from 'react-router-dom';
import { setTransport } from '../../api/client.js';
import { pageNames, pages, routes } from '../../routes.js';
import type { DehydratedQuery } from './hydration.js';

/** A page as every visitor sees it first. */
interface RenderedPage {
  /** The content of `#root`. */
  readonly html: string;
  /** The query data that the browser needs to hydrate the same page. */
  readonly queries: readonly DehydratedQuery[];
}

const patterns = pageNames.map((name) => ({ path: pagePaths[name], id: name, page: pages[name] }));

/**
 * Fetches what a page shows first.
 * @returns whether the page can be rendered; false for a page that shows what only the browser knows
 * @throws ApiError when a call fails
 */
async function prefetchPage(
  client: QueryClient,
  { pathname, searchParams }: URL,
): Promise<boolean> {
  const [match] = matchRoutes(patterns, pathname) ?? [];
  if (match?.route.page.rendered === undefined) return false;
  const { prefetch } = await match.route.page.load();
  return prefetch === undefined || prefetch(client, { params: match.params, search: searchParams });
}

/** A base against which addresses are resolved; it is never shown. */
const ORIGIN = 'http://oja.invalid';

/**
 * The entry point that query-service loads, by its path, to render pages.
 * @param answer answers the API calls that pages make, given path and query, as for an anonymous visitor
 * @returns a renderer of an address (path and query); it resolves to null for pages that only the browser can
 * render
 * @throws ApiError from the renderer when a call fails
 */
export function createRenderer(answer: (path: string) => Promise<Response>) {
  setTransport((path) => answer(path));
  const pages = createStaticHandler(routes);

  return async (address: string): Promise<RenderedPage | null> => {
    const url = new URL(address, ORIGIN);
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    if (!(await prefetchPage(client, url))) return null;
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
