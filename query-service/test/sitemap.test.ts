import { gunzipSync } from 'node:zlib';
import { type Document, positionOf } from '@oja/platform';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import {
  createSitemap,
  FIRST_SITEMAP_AFTER_MS,
  PART_SIZE,
  type Sitemap,
} from '../src/pages/sitemap.js';
import { createReader, type Reader } from '../src/read-models.js';
import { productDocument, storeDocument } from './support/fixtures.js';
import { append, type Market, openMarket, PUBLIC_URL, quiet } from './support/market.js';
import { type Served, serve } from './support/served.js';

let market: Market;
let served: Served;

beforeAll(async () => {
  market = await openMarket();
  await market.put('catalogue', 'products', 'p-1', productDocument({ productId: 'p-1' }));
  const off: Document = productDocument({ productId: 'off', shown: false });
  await market.put('catalogue', 'products', 'off', off);
  await market.put('catalogue', 'stores', 's-1', storeDocument());
  served = await serve(market);
});
afterAll(async () => {
  await served.close();
  await market.close();
});

async function asked(path: string, encoding = 'gzip') {
  const response = await served.get(path, { 'Accept-Encoding': encoding });
  return { headers: response.headers, text: await response.text() };
}

it('tells robots where everything public is', async () => {
  expect((await asked('/robots.txt')).text).toContain('Sitemap: http://market.test/sitemap.xml');
  const index = await asked('/sitemap.xml');
  expect(index.headers.get('Content-Type')).toContain('application/xml');
  expect(index.headers.get('Content-Encoding')).toBe('gzip');
  expect(index.text).toContain('<loc>http://market.test/sitemaps/1.xml</loc>');
  const part = await asked('/sitemaps/1.xml', 'identity');
  expect(part.headers.get('Content-Encoding')).toBeNull();
  expect(part.text).toContain('<loc>http://market.test/single-product/1/p-1</loc>');
  expect(part.text).toContain('<loc>http://market.test/sellers-store/Bola-Bags</loc>');
  expect(part.text).not.toContain('/off<');
  expect(part.text.trim().endsWith('</urlset>')).toBe(true);
});

/** A reader that counts how often a collection is read. */
function counting(reader: Reader) {
  const seen = { read: 0 };
  const open: Reader['open'] = async (model) => {
    const opened = await reader.open(model);
    const of: typeof opened.of = (name) => {
      seen.read += 1;
      return opened.of(name);
    };
    return { ...opened, of };
  };
  return { seen, reader: { ...reader, open } };
}

const entriesIn = async (sitemap: Sitemap, path: string) => {
  const file = await sitemap.file(path);
  return file && gunzipSync(file).toString().match(/<loc>/g)?.length;
};

it('lists all goods in parts, and reads them when the catalogue has moved, never for a request', async () => {
  const { seen, reader } = counting(createReader(market.documents, market.readModels));
  const sitemap = createSitemap({ ...market, reader, publicUrl: PUBLIC_URL, logger: quiet });
  try {
    const before = await entriesIn(sitemap, '/sitemaps/1.xml');
    expect(await sitemap.file('/sitemaps/2.xml')).toBeNull();
    const { read } = seen;
    for (let n = 0; n < PART_SIZE; n += 1) {
      const productId = `p-late-${n}`;
      await market.put('catalogue', 'products', productId, productDocument({ productId }));
    }
    await sitemap.renew();
    expect([await entriesIn(sitemap, '/sitemap.xml'), seen.read]).toEqual([1, read]);

    await market.moveOn('catalogue', positionOf(1));
    await sitemap.renew();
    expect(await entriesIn(sitemap, '/sitemap.xml')).toBe(2);
    expect(await entriesIn(sitemap, '/sitemaps/1.xml')).toBe(PART_SIZE);
    expect(await entriesIn(sitemap, '/sitemaps/2.xml')).toBe(before);
    expect(seen.read).toBe(2 * read);
  } finally {
    sitemap.close();
  }
});

it('is there again after the first try met an engine that was away', async () => {
  const reader = createReader(market.documents, market.readModels);
  let isAway = true;
  const open: Reader['open'] = (model) =>
    isAway ? Promise.reject(new Error('away')) : reader.open(model);
  const sitemap = createSitemap({
    ...market,
    reader: { ...reader, open },
    publicUrl: PUBLIC_URL,
    logger: quiet,
  });
  try {
    await expect(sitemap.file('/sitemap.xml')).rejects.toThrow('away');
    isAway = false;
    expect(await sitemap.file('/sitemap.xml')).not.toBeNull();
  } finally {
    sitemap.close();
  }
});

it('asks for the catalogue a while after the start, once it has come to where the log stands', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = await openMarket();
  const position = await append(begun.eventStore, 'contact-1', [{ type: 'Said', data: {} }]);
  const { seen, reader } = counting(createReader(begun.documents, begun.readModels));
  const waitFor = vi.spyOn(begun.readModels, 'waitFor');
  const logger = { ...quiet, warn: vi.fn() };
  const sitemap = createSitemap({ ...begun, reader, publicUrl: PUBLIC_URL, logger });
  try {
    vi.advanceTimersByTime(FIRST_SITEMAP_AFTER_MS - 1);
    await begun.eventStore.head();
    expect(waitFor).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await vi.waitFor(() => expect(waitFor).toHaveBeenCalled(), 20_000);
    expect(seen.read).toBe(0);
    await begun.moveOn('catalogue', position);
    await vi.waitFor(() => expect(seen.read).toBeGreaterThan(0), 20_000);
    await sitemap.renew();
    expect(logger.warn).not.toHaveBeenCalled();
  } finally {
    sitemap.close();
    await begun.close();
  }
});
