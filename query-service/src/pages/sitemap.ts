import { categoryPath, productPath, storePath } from '@oja/contracts/pages';
import { categories } from '@oja/domain/rules';
import type { Clock } from '@oja/platform';
import { descending, equal } from '../models/reader.js';
import { isOpen } from '../wire/goods.js';
import { escaped } from './escape.js';
import type { PageTools } from './page.js';

/** The most that search engines read of one sitemap. */
const MOST = 50_000;
/** Documents read at a time. */
const PAGE = 500;

type Tools = Pick<PageTools, 'reader' | 'publicUrl'>;
interface Entry {
  readonly path: string;
  readonly changed?: string;
}

function* fixed(): Generator<Entry> {
  for (const path of ['/', '/ratings-and-reviews', '/about', '/contact']) yield { path };
  for (const { name, subcategories } of categories) {
    yield { path: categoryPath(name) };
    for (const subcategory of subcategories) yield { path: categoryPath(name, subcategory) };
  }
}

async function* stores({ reader }: Tools): AsyncGenerator<Entry> {
  const collection = (await reader.open('catalogue')).of('stores');
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await collection.find({ limit: PAGE, ...(cursor && { cursor }) });
    for (const { document } of page.items) {
      if (isOpen(document) && !document.isSuspended && document.newest !== null) {
        yield { path: storePath(document.businessName) };
      }
    }
    cursor = page.next;
  }
}

async function* products({ reader }: Tools): AsyncGenerator<Entry> {
  const collection = (await reader.open('catalogue')).of('products');
  const query = { filter: [equal('shown', true)], sort: descending('listedAt'), limit: PAGE };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await collection.find({ ...query, ...(cursor && { cursor }) });
    for (const { document } of page.items) {
      const { subcategoryId, productId, updatedAt } = document;
      yield {
        path: productPath({ subcategory_id: subcategoryId, product_id: productId }),
        changed: updatedAt,
      };
    }
    cursor = page.next;
  }
}

async function* all(tools: Tools): AsyncGenerator<Entry> {
  yield* fixed();
  yield* stores(tools);
  yield* products(tools);
}

function entryText({ path, changed }: Entry, publicUrl: string): string {
  const date = changed === undefined ? '' : `<lastmod>${escaped(changed)}</lastmod>`;
  return `<url><loc>${escaped(`${publicUrl}${path}`)}</loc>${date}</url>\n`;
}

/** The market's public pages as XML; the newest goods where they do not all fit. */
async function sitemapOf(tools: Tools): Promise<Buffer> {
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
  ];
  let written = 0;
  for await (const entry of all(tools)) {
    parts.push(entryText(entry, tools.publicUrl));
    written += 1;
    if (written === MOST) break;
    // Others are answered in between: reading it all takes a second.
    if (written % PAGE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  parts.push('</urlset>\n');
  return Buffer.from(parts.join(''));
}

/** How long one is given out before it is made anew, in milliseconds. */
export const SITEMAP_MS = 3_600_000;

/** The sitemap, made once an hour however often it is asked for: it lists the whole catalogue. */
export function createSitemap(tools: Tools & { readonly clock: Clock }): () => Promise<Buffer> {
  let kept: { readonly until: number; readonly made: Promise<Buffer> } | null = null;
  return () => {
    const now = tools.clock.now();
    if (kept !== null && now < kept.until) return kept.made;
    const own = { until: now + SITEMAP_MS, made: sitemapOf(tools) };
    kept = own;
    own.made.catch(() => {
      if (kept === own) kept = null;
    });
    return own.made;
  };
}

/** What robots may read: everything but what belongs to one person. */
export const robots = (publicUrl: string): string =>
  [
    'User-agent: *',
    ...['/dashboard', '/admin-dashboard', '/upload-product', '/cart-contents/', '/payment'].map(
      (path) => `Disallow: ${path}`,
    ),
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
