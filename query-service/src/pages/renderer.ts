import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '@oja/platform';
import { createCheckpointCache } from '../models/cache.js';
import type { Reader } from '../models/reader.js';
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
export type OwnAnswers = (path: string) => Promise<Response>;

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
