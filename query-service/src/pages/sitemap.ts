import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readModels as models } from '@oja/contracts/models';
import { categoryPath, pagePaths, productPath, storePath } from '@oja/contracts/pages';
import { categories } from '@oja/domain/rules';
import type { EventStore, Logger, ReadModels } from '@oja/platform';
import { shown } from '../calls/goods/search-products.js';
import { descending, versionOf } from '../read-models.js';
import { isOpen } from '../wire/goods.js';
import { escaped } from './head-tags.js';
import type { PageTools } from './page-heads.js';

/**
 * Addresses in one part. Search engines accept ten times as many, but a part of this size is
 * unpacked in a few milliseconds.
 */
export const PART_SIZE = 5_000;

type Tools = Pick<PageTools, 'reader' | 'publicUrl'>;
interface Entry {
  readonly path: string;
  readonly changed?: string;
}

function* fixedEntries(): Generator<Entry> {
  const { home, reviews, about, contact } = pagePaths;
  for (const path of [home, reviews, about, contact]) yield { path };
  for (const { name, subcategories } of categories) {
    yield { path: categoryPath(name) };
    for (const subcategory of subcategories) yield { path: categoryPath(name, subcategory) };
  }
}

async function* storeEntries({ reader }: Tools): AsyncGenerator<Entry> {
  const collection = (await reader.open('catalogue')).of('stores');
  for await (const { document } of collection.each({}))
    if (isOpen(document) && !document.isSuspended && document.newest !== null)
      yield { path: storePath(document.businessName) };
}

async function* productEntries({ reader }: Tools): AsyncGenerator<Entry> {
  const collection = (await reader.open('catalogue')).of('products');
  const query = { filter: [shown], sort: descending('listedAt') };
  for await (const { document } of collection.each(query)) {
    const { subcategoryId, productId, updatedAt } = document;
    yield {
      path: productPath({ subcategory_id: subcategoryId, product_id: productId }),
      changed: updatedAt,
    };
  }
}

async function* allEntries(tools: Tools): AsyncGenerator<Entry> {
  yield* fixedEntries();
  yield* storeEntries(tools);
  yield* productEntries(tools);
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const asGzip = promisify(gzip);

const gzipXml = (element: string, items: readonly string[]): Promise<Buffer> =>
  asGzip(`${XML}<${element} ${SCHEMA}>\n${items.join('\n')}\n</${element}>\n`);

function itemOf(element: string, { path, changed }: Entry, publicUrl: string): string {
  const date = changed === undefined ? '' : `<lastmod>${escaped(changed)}</lastmod>`;
  return `<${element}><loc>${escaped(`${publicUrl}${path}`)}</loc>${date}</${element}>`;
}

const partPath = (part: number) => `/sitemaps/${part}.xml`;

/** All public pages of the market: the files of the sitemap by path, each gzipped XML. */
async function buildSitemap(tools: Tools): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const parts: string[] = [];
  let items: string[] = [];
  let newest: string | undefined;

  async function endPart(): Promise<void> {
    const path = partPath(parts.length + 1);
    files.set(path, await gzipXml('urlset', items));
    const part = newest === undefined ? { path } : { path, changed: newest };
    parts.push(itemOf('sitemap', part, tools.publicUrl));
    items = [];
    newest = undefined;
  }

  for await (const entry of allEntries(tools)) {
    items.push(itemOf('url', entry, tools.publicUrl));
    if (entry.changed !== undefined && (newest ?? '') < entry.changed) newest = entry.changed;
    if (items.length === PART_SIZE) await endPart();
  }
  if (items.length > 0) await endPart();
  return files.set('/sitemap.xml', await gzipXml('sitemapindex', parts));
}

/** How long after the start the first sitemap is made, in milliseconds: to list 100,000 goods would double a start. */
export const FIRST_SITEMAP_AFTER_MS = 20_000;
/** How often the catalogue is looked at again, in milliseconds. */
const SITEMAP_EVERY_MS = 600_000;

type SitemapTools = Tools & {
  readonly readModels: Pick<ReadModels, 'waitFor'>;
  readonly eventStore: Pick<EventStore, 'head'>;
  readonly logger: Logger;
};

export interface Sitemap {
  /**
   * The file at this path, gzipped XML; null when there is none. @throws when no sitemap exists and
   * making it fails.
   */
  file(path: string): Promise<Buffer | null>;
  /** Makes the sitemap again if the catalogue has changed since. */
  renew(): Promise<void>;
  close(): void;
}

/**
 * The sitemap: an index of parts. Listing the whole catalogue takes a second at 100,000 goods, so
 * normally no request does it. The sitemap is made some time after the start, once the catalogue has reached
 * the end of the log (much later during a rebuild), and then again now and then.
 */
export function createSitemap(tools: SitemapTools): Sitemap {
  const { reader, readModels, eventStore, logger } = tools;
  let files: ReadonlyMap<string, Buffer> | null = null;
  /** The version of the catalogue that the files were made of. */
  let madeOf = '';
  let making: Promise<void> | null = null;
  const closing = new AbortController();

  async function make(): Promise<void> {
    const version = await versionOf(reader, 'catalogue');
    if (version === madeOf) return;
    files = await buildSitemap(tools);
    madeOf = version;
  }

  const renew = () => {
    making ??= make().finally(() => {
      making = null;
    });
    return making;
  };

  /**
   * The catalogue may not have been begun yet. An empty log has nothing to list: the first request
   * makes the sitemap then.
   */
  async function renewOnceKnown(): Promise<void> {
    const head = await eventStore.head();
    const forEver = Number.POSITIVE_INFINITY;
    const isKnown =
      head !== null &&
      (await readModels.waitFor([models.catalogue], head, forEver, closing.signal));
    if (isKnown) await renew();
  }

  const logFailure = (work: Promise<void>) =>
    void work.catch((error: unknown) => {
      if (!closing.signal.aborted) logger.warn({ err: error }, 'the sitemap could not be made');
    });
  const first = setTimeout(() => logFailure(renewOnceKnown()), FIRST_SITEMAP_AFTER_MS).unref();
  const timer = setInterval(() => logFailure(renew()), SITEMAP_EVERY_MS).unref();
  return {
    async file(path) {
      if (files === null) await renew();
      return files?.get(path) ?? null;
    },
    renew,
    close() {
      closing.abort();
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}

/** Beginnings of the addresses that robots need not ask for; other personal pages tell them so themselves. */
const personal = [
  pagePaths.dashboard,
  pagePaths.adminHome,
  pagePaths.upload,
  pagePaths.cart.replace(':mode', ''),
  pagePaths.paymentForm,
  pagePaths.paymentVerification,
];

/** What robots may read: everything but personal pages. */
export const robots = (publicUrl: string): string =>
  [
    'User-agent: *',
    ...personal.map((path) => `Disallow: ${path}`),
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
