import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { productDocument, storeDocument } from './support/fixtures.js';
import { type Market, openMarket } from './support/market.js';
import { type Served, serve } from './support/served.js';

const TEMPLATE =
  '<!doctype html><html><head><!--oja:head--><!--/oja:head--></head><body><div id="root"></div></body></html>';

/** A server build that renders the answers to its calls, and throws or gives up when the address says so. */
const SERVER = `
exports.createRenderer = (answer) => async (address) => {
  if (address.includes('breaks')) throw new Error('broken');
  if (address.includes('gives-up')) return null;
  const asked = ['/v1/products/search?query=tote', '/v1/product/p-1', '/v1/stores/bola-bags', '/v1/user/products'];
  const answers = await Promise.all(asked.map(answer));
  const bodies = await Promise.all(answers.map((one) => one.json()));
  return { html: '<main>$& ' + answers.map((one) => one.status).join() + '</main>', queries: bodies.map((data) => ({ key: [address], data })) };
};`;

let folder: string;
let market: Market;
let served: Served;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-rendering-'));
  mkdirSync(join(folder, 'dist'));
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(folder, 'dist', 'index.html'), TEMPLATE);
  const parts = { home: { scripts: ['/assets/home.js'], styles: ['/assets/home.css'] } };
  writeFileSync(join(folder, 'dist', 'parts.json'), JSON.stringify(parts));
  writeFileSync(join(folder, 'server', 'server.cjs'), SERVER);
  market = await openMarket(join(folder, 'dist'), undefined, join(folder, 'server'));
  const wicked = productDocument({ productId: 'p-1', name: 'Tote </script><script>alert(1)' });
  await market.put('catalogue', 'products', 'p-1', wicked);
  await market.put('catalogue', 'stores', 's-1', storeDocument());
  served = await serve(market);
});
afterAll(async () => {
  await served.close();
  await market.close();
  rmSync(folder, { recursive: true });
});

const html = async (path: string) => (await served.get(path)).text();
const handedOver = (page: string) =>
  /<script type="application\/json" id="oja-rendered" ([^>]*)>(.*?)<\/script>/s.exec(page);

it('puts what is rendered into the root, and its data beside it', async () => {
  const page = await html('/');
  expect(page).toContain('<div id="root"><main>$& 200,200,200,404</main></div>');
  const [, attributes = '', json = ''] = handedOver(page) ?? [];
  expect(attributes).toMatch(/^data-address="\/" data-at="\d+"$/);
  const [search, product] = JSON.parse(json);
  expect(search.data.result[0].prod_name).toBe('Tote </script><script>alert(1)');
  expect(product.data.result).not.toHaveProperty('seller_price');
  expect(page.match(/<\/script>/g)).toHaveLength(page.match(/<script/g)?.length ?? 0);
});

it('links the styles of a rendered page, which is seen before any script runs', async () => {
  expect(await html('/')).toContain(
    '<link rel="stylesheet" href="/assets/home.css" crossorigin="" />',
  );
});

it('keeps a page while the catalogue stands still, whatever its address asks for', async () => {
  const [first, again] = [await html('/?a="><script>'), await html('/?a="><script>')];
  const [, attributes = '', json] = handedOver(first) ?? [];
  expect(attributes).not.toContain('<');
  expect(handedOver(again)?.[2]).toBe(json);
});

it.each(['/about?breaks', '/about?gives-up', '/no-such-page', '/shell.html?gives-up'])(
  'leaves %s to the browser',
  async (path) => {
    const page = await html(path);
    expect(page).toContain('<div id="root"></div>');
    expect(handedOver(page)).toBeNull();
  },
);

it('renders so many pages a minute for one address, and leaves the rest to its browsers', async () => {
  const busy = await openMarket(join(folder, 'dist'), undefined, join(folder, 'server'), false);
  const open = await serve(busy);
  const isRendered = async (n: number, from: string) => {
    const page = await open.get(`/search-items?query=${n}`, { 'X-Forwarded-For': from });
    return handedOver(await page.text()) !== null;
  };
  let rendered = 0;
  for (let n = 0; n < 920; n += 1) if (await isRendered(n, '203.0.113.9')) rendered += 1;
  expect(rendered).toBe(900);
  expect(await isRendered(0, '203.0.113.10')).toBe(true);
  busy.clock.time += 60_000;
  expect(await isRendered(0, '203.0.113.9')).toBe(true);
  await open.close();
  await busy.close();
});

it('renders no more once another build has taken the place of its own', async () => {
  writeFileSync(join(folder, 'dist', 'index.html'), TEMPLATE.replace('<head>', '<head><meta />'));
  expect(await html('/')).toContain('<div id="root"></div>');
});
