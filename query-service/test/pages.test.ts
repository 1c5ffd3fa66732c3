import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { productDocument, storeDocument } from './support/fixtures.js';
import { type Market, openMarket } from './support/market.js';
import { type Served, serve } from './support/served.js';

const TEMPLATE =
  '<!doctype html><html><head><!--oja:head--><title>built</title><!--/oja:head--></head><body><div id="root"></div></body></html>';

let dist: string;
let previous: string;
let market: Market;
let served: Served;

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'oja-dist-'));
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'index.html'), TEMPLATE);
  writeFileSync(join(dist, 'assets', 'index-abc.js'), 'export {};');
  writeFileSync(join(dist, 'service-worker.js'), '// worker');
  const parts = { home: { scripts: ['/assets/home-abc.js'], styles: ['/assets/home-abc.css'] } };
  writeFileSync(join(dist, 'parts.json'), JSON.stringify(parts));
  writeFileSync(join(dist, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  previous = mkdtempSync(join(tmpdir(), 'oja-dist-'));
  mkdirSync(join(previous, 'assets'));
  writeFileSync(join(previous, 'assets', 'index-before.js'), 'export {};');
  market = await openMarket(dist, previous);
  served = await serve(market);
  const wicked = productDocument({
    productId: 'p-1',
    name: 'Tote "<script>alert(1)</script>" & more',
    description: "It's </script><b>fine</b> $& $1",
  });
  await market.put('catalogue', 'products', 'p-1', wicked);
  await market.put(
    'catalogue',
    'products',
    'off',
    productDocument({ productId: 'off', shown: false }),
  );
  await market.put('catalogue', 'stores', 's-1', storeDocument());
});
afterAll(async () => {
  await served.close();
  await market.close();
  rmSync(dist, { recursive: true });
  rmSync(previous, { recursive: true });
});

async function page(path: string) {
  const response = await served.get(path);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

it('serves the home page with its head, asked again each time, and no inline script allowed', async () => {
  const { status, headers, html } = await page('/');
  expect(status).toBe(200);
  expect(headers.get('Cache-Control')).toBe('no-cache');
  expect(headers.get('Content-Security-Policy')).toContain("script-src 'self';");
  expect(html).toContain('<title>Oja, the market</title>');
  expect(html).toContain('<link rel="canonical" href="http://market.test/" />');
  expect(html).toContain('<div id="root">');
  expect(html).not.toContain('built');
});

it.each(['/payment-form', '/payment/verify?reference=x', '/payment/verify/delivery-confirmation'])(
  'lets no other page learn the address of %s',
  async (path) => {
    expect((await page(path)).headers.get('Referrer-Policy')).toBe('no-referrer');
  },
);

it('is counted by the pattern of a page, which says nothing of who or what it is about', async () => {
  await page('/admin-dashboard/order-hunter2');
  await page('/Sellers-Store/Store-Hunter2/');
  const { html: metrics } = await page('/metrics');
  expect(metrics).toContain('route="/admin-dashboard/:transactionId"');
  expect(metrics).toContain('route="/sellers-store/:name"');
  expect(metrics).not.toMatch(/hunter2/i);
});

it('names in the home page its own parts and the first picture, so that they come with the shell', async () => {
  const { html } = await page('/');
  expect(html).toContain('<link rel="modulepreload" href="/assets/home-abc.js" crossorigin="" />');
  expect(html).toContain(
    '<link rel="preload" as="style" href="/assets/home-abc.css" crossorigin="" />',
  );
  expect(html).toMatch(/as="image" href="[^"]*one\.webp\?w=320"[^>]*fetchpriority="high"/);
  expect((await page('/about')).html).not.toContain('home-abc');
});

it('tells of a product, with everything escaped', async () => {
  const { status, html } = await page('/single-product/1/p-1');
  expect(status).toBe(200);
  expect(html).toContain('Tote &quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot; &amp; more | Oja');
  expect(html).toContain(
    '<meta property="og:image" content="http://market.test/v1/image/one.webp?w=640" />',
  );
  expect(html).toContain('<meta property="product:price:amount" content="11500" />');
  expect(html).toContain(
    '<meta property="og:url" content="http://market.test/single-product/1/p-1" />',
  );
  expect(html).toContain('imagesrcset="http://market.test/v1/image/one.webp?w=320 320w');
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect(JSON.parse(json)).toMatchObject({
    '@type': 'Product',
    name: 'Tote "<script>alert(1)</script>" & more',
    description: "It's </script><b>fine</b> $& $1",
    offers: { price: 11_500, priceCurrency: 'NGN', availability: 'https://schema.org/InStock' },
  });
  expect(html.match(/<script/g)).toHaveLength(1);
});

it('keeps from search engines what is in no list', async () => {
  const { status, html } = await page('/single-product/1/off');
  expect(status).toBe(200);
  expect(html).toContain('<meta name="robots" content="noindex" />');
  expect(html).toContain('schema.org/OutOfStock');
});

it('tells of a store', async () => {
  const { status, html } = await page('/sellers-store/bola-bags');
  expect(status).toBe(200);
  expect(html).toContain('<title>Bola Bags | Oja</title>');
  expect(html).toContain('"@type":"Store"');
  expect(html).toContain('property="og:image"');
});

it.each([
  '/single-product/1/none',
  '/sellers-store/nobody',
  '/category/Nothing',
  '/category/Fashion/Nothing',
  '/category/Fashion/Mobile-Phones',
  '/no-such-page',
  '/%zz',
  '/single-product/1',
])('serves the app with 404 for %s', async (path) => {
  const { status, html } = await page(path);
  expect(status).toBe(404);
  expect(html).toContain('<div id="root">');
  expect(html).toContain('content="noindex"');
});

it.each([
  '/category/Beauty-and-Skincare',
  '/category/fashion/cloth-accessories',
  '/About',
  '/terms-&-conditions',
  '/terms-%26-conditions',
  '/dashboard/',
  '/single-product/1/p-1/update',
  '/admin-dashboard/some-transaction',
])('knows the page %s', async (path) => {
  expect((await page(path)).status).toBe(200);
});

it.each(['/About', '/about/', '/%61bout'])('gives %s the one address of its page', async (path) => {
  expect((await page(path)).html).toContain(
    '<link rel="canonical" href="http://market.test/about"',
  );
});

it.each(['/index.html', '//index.html', '/%69ndex.html'])(
  'does not serve the template at %s',
  async (path) => {
    expect((await page(path)).status).toBe(404);
  },
);

it('serves what pages are made of: hashed for ever, the worker asked for again', async () => {
  const asset = await page('/assets/index-abc.js');
  expect(asset.headers.get('Cache-Control')).toContain('immutable');
  expect((await page('/service-worker.js')).headers.get('Cache-Control')).toBe('no-cache');
  expect((await page('/favicon.svg')).headers.get('Content-Type')).toContain('image/svg+xml');
  const gone = await page('/assets/index-old.js');
  expect(gone.status).toBe(404);
  expect(gone.html).not.toContain('<div');
});

it('still serves the assets of the build before, to pages that are open', async () => {
  const { status, headers } = await page('/assets/index-before.js');
  expect([status, headers.get('Cache-Control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
});

it('sends whoever asks by number to the public address', async () => {
  const response = await served.get('/about?x=1', { Accept: 'text/html' });
  expect([response.status, response.headers.get('Location')]).toEqual([
    307,
    'http://market.test/about?x=1',
  ]);
});

it('only reads', async () => {
  const response = await fetch(`${served.origin}/about`, { method: 'POST' });
  expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});

it('is ready once every read model has come to the head of the log', async () => {
  const asked = await served.get('/readyz');
  expect(asked.status).toBe(200);
});
