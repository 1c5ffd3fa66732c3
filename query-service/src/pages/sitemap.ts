import { categoryPath, productPath, storePath } from '@oja/contracts/pages';
import { categories } from '@oja/domain/rules';
import { descending, equal } from '../models/reader.js';
import { isOpen } from '../wire/goods.js';
import { escaped } from './escape.js';
import type { PageTools } from './page.js';

/** The most that search engines read of one sitemap. */
const MOST = 50_000;
/** Documents read at a time, so that the whole catalogue is never in memory. */
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

/** The market's public pages as XML, read as it is sent; the newest goods where they do not all fit. */
export async function* sitemap(tools: Tools): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  let written = 0;
  for await (const entry of all(tools)) {
    yield entryText(entry, tools.publicUrl);
    written += 1;
    if (written === MOST) break;
  }
  yield '</urlset>\n';
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
