import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { calls, callsOf, routeTable } from '@oja/contracts';
import type { Logger } from '@oja/platform';
import type { QueryHandlers } from '../deps.js';
import { createCheckpointCache, type Reader } from '../read-models.js';
import { escaped, jsonInHtml } from './head-tags.js';
import { readTemplate } from './template.js';

/** A page as the web app's server build renders it: what stands in the root, and what it was rendered with. */
interface Rendered {
  readonly html: string;
  readonly queries: readonly unknown[];
}

/** By the address of a page, path and query; null for a page that only a browser can render. */
type Render = (address: string) => Promise<Rendered | null>;
type CreateRenderer = (answer: OwnAnswers) => Render;

/** Answers a call of the API, by its path and query, as to somebody who is not signed in. */
type OwnAnswers = (path: string) => Promise<Response>;

/** What goes into the page's body in place of the empty root; null: the browser renders. */
export type RenderBody = (address: string, template: string) => Promise<string | null>;

interface RendererDeps {
  /** Folder of the web app's server build; it is loaded by path, since the web is no part of this service. */
  readonly webServer: string | undefined;
  readonly webDist: string;
  readonly reader: Reader;
  readonly answer: OwnAnswers;
  readonly logger: Logger;
}

/** Pages kept while the catalogue stands still: each is some ten thousand characters. */
const KEPT_PAGES = 100;

/** The one parsed boundary to the server build. */
async function load(webServer: string): Promise<CreateRenderer> {
  const module: unknown = await import(pathToFileURL(join(webServer, 'server.js')).href);
  return (module as { readonly createRenderer: CreateRenderer }).createRenderer;
}

const bodyOf = ({ html, queries }: Rendered) => ({
  root: `<div id="root">${html}</div>`,
  json: jsonInHtml(queries),
});

/**
 * Renders pages with what the calls answer, so that people see them before any script has come. Whatever goes wrong
 * leaves the page to the browser, which says what is wrong in its own words.
 */
export function createRenderBody(deps: RendererDeps): RenderBody {
  const { webServer, webDist, reader, answer, logger } = deps;
  if (webServer === undefined) return () => Promise.resolve(null);
  const kept = createCheckpointCache<ReturnType<typeof bodyOf> | null>(
    reader,
    'catalogue',
    KEPT_PAGES,
  );
  /** The page that was built together with the renderer: with another one the two would not agree. */
  const builtFor = readTemplate(webDist);
  const render = load(webServer).then(
    (createRenderer) => createRenderer(answer),
    (error: unknown) => {
      logger.warn({ err: error }, 'pages are rendered by browsers alone');
      return null;
    },
  );

  return async (address, template) => {
    const renderer = await render;
    if (renderer === null || template !== (await builtFor)) return null;
    try {
      const body = await kept(address, async () => {
        const rendered = await renderer(address);
        return rendered && bodyOf(rendered);
      });
      if (body === null) return null;
      const attributes = `data-address="${escaped(address)}" data-at="${Date.now()}"`;
      return `${body.root}\n    <script type="application/json" id="oja-rendered" ${attributes}>${body.json}</script>`;
    } catch (error) {
      logger.debug({ err: error, address }, 'page left to the browser');
      return null;
    }
  };
}

/** A request that came from nowhere: whoever a page is rendered for is not known. */
const fromNobody = () => ({
  body: undefined,
  actor: null,
  notRecognised: null,
  commandId: randomUUID(),
  correlationId: randomUUID(),
  clientAddress: '',
  left: new AbortController().signal,
  position: null,
  cookie: () => undefined,
  header: () => undefined,
});

type Answer = Awaited<ReturnType<QueryHandlers['searchProducts' | 'getProduct' | 'getStore']>>;

function responseOf(answer: Answer): Response {
  if ('failed' in answer) {
    const { status, message } = answer.failed;
    return Response.json({ success: false, message }, { status });
  }
  return Response.json(answer.body, { status: answer.status });
}

/** The calls that public pages make, answered without a way through the network; any other is not there. */
export function createOwnAnswers(handlers: QueryHandlers): OwnAnswers {
  const table = routeTable(callsOf(calls, 'query-service'));

  return async (asked) => {
    const { pathname, searchParams } = new URL(asked, 'http://oja.invalid');
    const found = table.find('GET', pathname);
    const unknown = Response.json({ success: false }, { status: 404 });
    if (found.kind !== 'found') return unknown;
    const { name } = found.call;
    const request = fromNobody();
    if (name === 'searchProducts') {
      const query = calls.searchProducts.query.parse(Object.fromEntries(searchParams));
      return responseOf(await handlers[name]({ ...request, params: undefined, query }));
    }
    if (name === 'getProduct') {
      const params = calls.getProduct.params.parse(found.params);
      return responseOf(await handlers[name]({ ...request, params, query: undefined }));
    }
    if (name === 'getStore') {
      const params = calls.getStore.params.parse(found.params);
      return responseOf(await handlers[name]({ ...request, params, query: undefined }));
    }
    return unknown;
  };
}
