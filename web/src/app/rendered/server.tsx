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
import { answerCallsBy } from '../../api/client.js';
import { pageNames, pages, routes } from '../../routes.js';
import type { KnownQuery } from './handed-over.js';

/** A page as everybody sees it first. */
interface RenderedPage {
  /** What stands in `#root`. */
  readonly html: string;
  /** What the browser has to know to render the same. */
  readonly queries: readonly KnownQuery[];
}

const patterns = pageNames.map((name) => ({ path: pagePaths[name], id: name, page: pages[name] }));

/**
 * Asks for what a page shows first.
 * @returns whether the page can be rendered; false for one that shows what only the browser knows
 * @throws ApiError when a call fails
 */
async function fillPage(client: QueryClient, { pathname, searchParams }: URL): Promise<boolean> {
  const [match] = matchRoutes(patterns, pathname) ?? [];
  if (match?.route.page.rendered === undefined) return false;
  const { fill } = await match.route.page.load();
  return fill === undefined || fill(client, { params: match.params, search: searchParams });
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
