import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { calls, callsOf, routeTable } from '@oja/contracts';
import { MINUTE_MS } from '@oja/domain/rules';
import { createLocalRateLimiter, type RateRule } from '@oja/http';
import { addressBlock, createLimitLog } from '@oja/platform';
import type { QueryHandlers, QueryServiceDeps } from '../deps.js';
import { createCheckpointCache, type Reader } from '../read-models.js';
import { escaped, jsonInHtml } from './head-tags.js';
import { readTemplate } from './template.js';

/** A page as the web app's server build renders it: the content of the root element, and the query data it used. */
interface Rendered {
  readonly html: string;
  readonly queries: readonly unknown[];
}

/** Renders the page at an address (path and query); null for a page that only a browser can render. */
type Render = (address: string) => Promise<Rendered | null>;
type CreateRenderer = (answer: OwnAnswers) => Render;

/** Answers a call of the API, given path and query, as for an anonymous visitor. */
type OwnAnswers = (path: string) => Promise<Response>;

/** A request for a page: its address (path and query), and the client's address. */
interface PageRequest {
  readonly address: string;
  readonly clientAddress: string;
}

/** Renders what replaces the empty root element of a page; null when the browser is to render it. */
export type RenderBody = (asked: PageRequest, template: string) => Promise<string | null>;

interface RendererDeps extends Pick<QueryServiceDeps, 'clock' | 'logger' | 'settings'> {
  /** Folder of the web app's server build. It is loaded by path, since the web app is not part of this service. */
  readonly webServer: string | undefined;
  readonly webDist: string;
  readonly reader: Reader;
  readonly answer: OwnAnswers;
}

/** How many pages are cached until the catalogue changes: each is some ten thousand characters. */
const MAX_CACHED_PAGES = 100;

/**
 * The only place where the server build is loaded. Its exports are not checked. It is CommonJS, because only of that can
 * compiled code be kept.
 */
function load(webServer: string): CreateRenderer {
  const module: unknown = createRequire(import.meta.url)(join(webServer, 'server.cjs'));
  return (module as { readonly createRenderer: CreateRenderer }).createRenderer;
}

/**
 * How many pages are rendered for one address. A rendered search costs more than the call, which
 * has a limit of its own: above this one, the browser makes the call and falls under that limit.
 */
const RENDERED: RateRule = { name: 'pages', limit: 900, windowMs: MINUTE_MS };

/** Counts the pages that are rendered for an address; false above the limit. A demo has none. */
function createPageLimit({ clock, logger, settings }: RendererDeps) {
  const limiter = createLocalRateLimiter();
  const limited = createLimitLog(logger);
  return async (clientAddress: string): Promise<boolean> => {
    if (settings.demo) return true;
    const hit = await limiter.hit(RENDERED, addressBlock(clientAddress), clock.now());
    if (!hit.allowed) limited({ rule: RENDERED.name, actor: null, clientAddress });
    return hit.allowed;
  };
}

const bodyOf = ({ html, queries }: Rendered) => ({
  root: `<div id="root">${html}</div>`,
  json: jsonInHtml(queries),
});

/**
 * Renders pages with the answers of the calls, so that people see them before any script has
 * loaded. When anything fails, the browser renders the page, and says in its own words what is
 * wrong.
 */
export function createRenderBody(deps: RendererDeps): RenderBody {
  const { webServer, webDist, reader, answer, logger } = deps;
  if (webServer === undefined) return () => Promise.resolve(null);
  const kept = createCheckpointCache<ReturnType<typeof bodyOf> | null>(
    reader,
    'catalogue',
    MAX_CACHED_PAGES,
  );
  const isWithinLimit = createPageLimit(deps);
  /** The template that was built together with the renderer. Another one would not match the rendered page. */
  const builtFor = readTemplate(webDist);
  let renderer: Render | null = null;
  try {
    renderer = load(webServer)(answer);
  } catch (error) {
    logger.warn(
      { err: error },
      'pages are not rendered on the server: the renderer could not be loaded',
    );
  }

  return async ({ address, clientAddress }, template) => {
    if (renderer === null || template !== (await builtFor)) return null;
    if (!(await isWithinLimit(clientAddress))) return null;
    try {
      const body = await kept(address, async () => {
        const rendered = await renderer(address);
        return rendered && bodyOf(rendered);
      });
      if (body === null) return null;
      const attributes = `data-address="${escaped(address)}" data-at="${Date.now()}"`;
      return `${body.root}\n    <script type="application/json" id="oja-rendered" ${attributes}>${body.json}</script>`;
    } catch (error) {
      logger.debug({ err: error, address }, 'a page could not be rendered on the server');
      return null;
    }
  };
}

/** An anonymous request: it is not known for whom a page is rendered. */
const anonymousRequest = () => ({
  body: undefined,
  actor: null,
  tokenFailure: null,
  commandId: randomUUID(),
  correlationId: randomUUID(),
  clientAddress: '',
  disconnected: new AbortController().signal,
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

/** Answers the calls that public pages make in this process, without the network. Any other call is a 404. */
export function createOwnAnswers(handlers: QueryHandlers): OwnAnswers {
  const table = routeTable(callsOf(calls, 'query-service'));

  return async (asked) => {
    const { pathname, searchParams } = new URL(asked, 'http://oja.invalid');
    const found = table.find('GET', pathname);
    const unknown = Response.json({ success: false }, { status: 404 });
    if (found.kind !== 'found') return unknown;
    const { name } = found.call;
    const request = anonymousRequest();
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
