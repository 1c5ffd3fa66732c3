import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type PageName, pagePaths } from '@oja/contracts/pages';
import {
  answerFailure,
  type Context,
  type Middleware,
  redirectToPublicHost,
  staticFiles,
} from '@oja/http';
import type { QueryServiceDeps } from '../deps.js';
import type { Reader } from '../read-models.js';
import {
  categoryPage,
  homePage,
  notFoundPage,
  type Page,
  type PageTools,
  plainPage,
  productPage,
  storePage,
} from './page-heads.js';
import type { RenderBody } from './renderer.js';
import { robots, type Sitemap } from './sitemap.js';
import { emptyPage, NO_FILES, pageFilesOf, readTemplate, renderedPage } from './template.js';

const NOT_INDEXED = { hidden: true };

/** The head of each page of the web app. Any other address is a 404. */
const heads: Readonly<Record<PageName, Page>> = {
  home: homePage,
  search: plainPage('Search'),
  category: (tools, category = '') => categoryPage(tools, category),
  subcategory: (tools, category = '', subcategory = '') =>
    categoryPage(tools, category, subcategory),
  openedProduct: plainPage('Product', NOT_INDEXED),
  product: (tools, _subcategory, id = '') => productPage(tools, id),
  updateProduct: plainPage('Edit details', NOT_INDEXED),
  store: (tools, name = '') => storePage(tools, name),
  cart: plainPage('Cart', NOT_INDEXED),
  paymentForm: plainPage('Checkout', NOT_INDEXED),
  paymentVerification: plainPage('Payment Verification', NOT_INDEXED),
  deliveryConfirmation: plainPage('Delivery', NOT_INDEXED),
  myOrders: plainPage('My orders', NOT_INDEXED),
  receipt: plainPage('Receipt', NOT_INDEXED),
  saved: plainPage('Saved', NOT_INDEXED),
  reviews: plainPage('Ratings and reviews'),
  about: plainPage('About Us'),
  contact: plainPage('Contact Us'),
  terms: plainPage('Terms and Conditions'),
  privacy: plainPage('Privacy Policy'),
  login: plainPage('Log in'),
  register: plainPage('Sign up'),
  upload: plainPage('Upload', NOT_INDEXED),
  dashboard: plainPage('All Products', NOT_INDEXED),
  orders: plainPage('Orders', NOT_INDEXED),
  order: plainPage('Order', NOT_INDEXED),
  sales: plainPage('Sales', NOT_INDEXED),
  notifications: plainPage('Notifications', NOT_INDEXED),
  profile: plainPage('Profile', NOT_INDEXED),
  password: plainPage('Change password', NOT_INDEXED),
  adminHome: plainPage('Admin', NOT_INDEXED),
  sellers: plainPage('Admin', NOT_INDEXED),
  admins: plainPage('Admin', NOT_INDEXED),
  transaction: plainPage('Admin', NOT_INDEXED),
};

/** The app without a page. The service worker shows it at addresses that it has never seen. */
const SHELL = {
  name: 'shell',
  path: '/shell.html',
  page: plainPage('Market', NOT_INDEXED),
} as const;

const isPageName = (name: string): name is PageName => name in heads;
const routes = Object.keys(heads)
  .filter(isPageName)
  .map((name) => ({ name, path: pagePaths[name], page: heads[name] }));

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1);
const parsedRoutes = [...routes, SHELL].map((route) => ({
  ...route,
  segments: segmentsOf(route.path),
}));

function decodePath(path: string): readonly string[] | null {
  try {
    return segmentsOf(path.replace(/(?<=.)\/$/, '')).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Matches like the web app's own router: ignoring case, and with or without a trailing slash. */
function matchesRoute(own: readonly string[], asked: readonly string[]): boolean {
  return (
    own.length === asked.length &&
    own.every((segment, at) => {
      const other = asked[at] ?? '';
      return segment.startsWith(':') ? other !== '' : segment === other.toLowerCase();
    })
  );
}

/**
 * Pages whose address may name a payment, which opens nothing but must not reach other pages as a referrer. The
 * number in an order's address opens nothing either; its secret is only ever after the #, which no browser sends.
 */
const checkoutPages: readonly string[] = [
  'paymentForm',
  'paymentVerification',
  'deliveryConfirmation',
] satisfies readonly PageName[];

interface FoundPage {
  readonly page: Page;
  readonly name: PageName | 'shell';
  /** The pattern of the page's address. */
  readonly path: string;
  readonly params: readonly string[];
  /** Whether it is a page of the checkout. */
  readonly isOfCheckout: boolean;
}

/** The page at an undecoded path, with its decoded path parameters; null when there is none. */
function pageAt(path: string): FoundPage | null {
  const asked = decodePath(path);
  const found = asked && parsedRoutes.find(({ segments }) => matchesRoute(segments, asked));
  if (!asked || !found) return null;
  const params = asked.filter((_, at) => found.segments[at]?.startsWith(':'));
  return {
    page: found.page,
    name: found.name,
    path: found.path,
    params,
    isOfCheckout: checkoutPages.includes(found.name),
  };
}

type PagesDeps = Pick<QueryServiceDeps, 'images' | 'publicUrl' | 'webDist' | 'previousWebDist'> & {
  readonly reader: Reader;
  readonly sitemap: Sitemap;
  readonly renderBody: RenderBody;
};

/** Browsers ask again each time; the ETag tells whether the page has changed. */
const NO_CACHE = 'no-cache';
/** Robots come back often, so this text and the sitemap may be an hour old. */
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
  const [template, files] = await Promise.all([
    readTemplate(webDist),
    found === null ? NO_FILES : pageFilesOf(webDist, found.name),
  ]);
  if (template === null) {
    const message = 'The pages of Oja have not been built yet';
    return answerFailure(ctx, { status: 503, message, headers: { 'Retry-After': '10' } });
  }
  // However it was spelled, an address without parameters is one address to search engines.
  const path = found !== null && found.params.length === 0 ? found.path : tools.path;
  const answer =
    found === null ? notFoundPage(tools) : await found.page({ ...tools, path }, ...found.params);
  ctx.status = answer.status;
  ctx.type = 'html';
  ctx.set('Cache-Control', NO_CACHE);
  if (found?.isOfCheckout) ctx.set('Referrer-Policy', 'no-referrer');
  const { head } = answer;
  const asked = { address: ctx.originalUrl, clientAddress: ctx.state.clientAddress };
  const root = answer.status === 200 ? await renderBody(asked, template) : null;
  ctx.body =
    root === null
      ? emptyPage(template, { head, files })
      : await renderedPage(template, { head, files, root, webDist });
}

/** Serves a build's files. Assets that open pages of the previous build ask for come from that build. */
function builtFiles({ webDist, previousWebDist }: PagesDeps): Middleware {
  // The template is what pages are made of, and no page itself.
  const current = staticFiles({ folder: webDist, except: '/index.html' });
  const previous = previousWebDist === undefined ? null : staticFiles({ folder: previousWebDist });
  return async (ctx, next) => {
    await current(ctx, next);
    const isGone = ctx.body == null && ctx.path.startsWith('/assets/');
    if (isGone && previous !== null) await previous(ctx, noNext);
  };
}

/** Serves everything that is not a call: pages, their files, robots.txt and the sitemap. */
export function createPages(deps: PagesDeps): Middleware {
  const { reader, images, publicUrl, sitemap } = deps;
  const toPublicHost = redirectToPublicHost(publicUrl);
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
    return toPublicHost(ctx, () => files(ctx, () => rest(ctx, next)));
  };
}
