import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { answerFailure, type Context, type Middleware, publicHost, staticFiles } from '@oja/http';
import type { QueryServiceDeps } from '../deps.js';
import type { Reader } from '../models/reader.js';
import { notFoundPage, type PageTools } from './page-heads.js';
import type { RenderBody } from './renderer.js';
import { pageAt } from './routes.js';
import { robots, type Sitemap } from './sitemap.js';
import { emptyPage, NO_PARTS, partsOf, readTemplate, renderedPage } from './template.js';

type PagesDeps = Pick<QueryServiceDeps, 'images' | 'publicUrl' | 'webDist' | 'previousWebDist'> & {
  readonly reader: Reader;
  readonly sitemap: Sitemap;
  readonly renderBody: RenderBody;
};

/** Asked again each time: whether it changed is told by its ETag. */
const NO_CACHE = 'no-cache';
/** Robots come back often; the sitemap may be an hour old. */
const ROBOTS_CACHE = 'public, max-age=3600';

const SITEMAP = /^\/sitemap(s\/\d+)?\.xml$/;
const unzip = promisify(gunzip);

const noNext = () => Promise.resolve();

async function page(
  ctx: Context,
  tools: PageTools,
  { webDist, renderBody }: PagesDeps,
): Promise<void> {
  const found = pageAt(ctx.path);
  if (found !== null) ctx.state.route = found.path;
  const [template, parts] = await Promise.all([
    readTemplate(webDist),
    found === null ? NO_PARTS : partsOf(webDist, found.name),
  ]);
  if (template === null) {
    const message = 'The pages of Oja have not been built yet';
    return answerFailure(ctx, { status: 503, message, headers: { 'Retry-After': '10' } });
  }
  const answer = found === null ? notFoundPage(tools) : await found.page(tools, ...found.params);
  ctx.status = answer.status;
  ctx.type = 'html';
  ctx.set('Cache-Control', NO_CACHE);
  if (found?.hidesReferrer) ctx.set('Referrer-Policy', 'no-referrer');
  const { head } = answer;
  const root = answer.status === 200 ? await renderBody(ctx.originalUrl, template) : null;
  ctx.body =
    root === null
      ? emptyPage(template, { head, parts })
      : await renderedPage(template, { head, parts, root, webDist });
}

/** A build's files; what an open page of the build before still asks for comes from that one. */
function builtFiles({ webDist, previousWebDist }: PagesDeps): Middleware {
  const current = staticFiles({ folder: webDist });
  const previous = previousWebDist === undefined ? null : staticFiles({ folder: previousWebDist });
  return async (ctx, next) => {
    await current(ctx, next);
    const isGone = ctx.body == null && ctx.path.startsWith('/assets/');
    if (isGone && previous !== null) await previous(ctx, noNext);
  };
}

/** Everything that a browser asks for that is no call: pages, what they are made of, and for robots. */
export function createPages(deps: PagesDeps): Middleware {
  const { reader, images, publicUrl, sitemap } = deps;
  const toPublicHost = publicHost(publicUrl);
  const files = builtFiles(deps);

  const rest: Middleware = async (ctx) => {
    if (ctx.path === '/robots.txt') {
      ctx.type = 'text/plain';
      ctx.set('Cache-Control', ROBOTS_CACHE);
      ctx.body = robots(publicUrl);
      return;
    }
    const file = SITEMAP.test(ctx.path) ? await sitemap.file(ctx.path) : null;
    if (file === null) {
      await page(ctx, { reader, images, publicUrl, path: ctx.path }, deps);
      return;
    }
    ctx.type = 'application/xml';
    ctx.set('Cache-Control', ROBOTS_CACHE);
    const takesGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (takesGzip) ctx.set('Content-Encoding', 'gzip');
    ctx.body = takesGzip ? file : await unzip(file);
  };

  return (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      const headers = { Allow: 'GET, HEAD' };
      answerFailure(ctx, { status: 405, message: 'Pages can only be read', headers });
      return Promise.resolve();
    }
    // Nobody asks for the template itself: it is the home page.
    const inner = ctx.path === '/index.html' ? rest : files;
    return toPublicHost(ctx, () => inner(ctx, () => rest(ctx, next)));
  };
}
