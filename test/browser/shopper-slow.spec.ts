import { expect, type Page, test } from '@playwright/test';
import { expectStill, forgetShifts, painted, watchShifts } from './support/layout.js';
import { closePages } from './support/pages.js';
import { cards, openShop, type Shop, shopperPage, waitForHydration } from './support/shopper.js';
import {
  goWithin,
  holdCalls,
  type Order,
  openSlowPages,
  type SlowPages,
} from './support/slow-page.js';

let shop: Shop;
let slow: SlowPages;
test.afterEach(closePages);
test.beforeAll(async () => {
  shop = await openShop();
  slow = await openSlowPages(shop.url);
});
test.afterAll(async () => {
  await slow?.close();
  await shop?.close();
});

/** `product` and `store` stand for the links of the first card. */
async function addressOf(page: Page, path: string): Promise<string> {
  if (path.startsWith('/')) return path;
  await page.goto(`${shop.url}/category/Fashion`);
  const card = cards(page).first();
  const link = path === 'product' ? card.locator('a:has(img)') : card.locator('a:not(:has(img))');
  return (await link.getAttribute('href')) ?? '';
}

/** Server-rendered pages, which the browser paints while they arrive. */
const rendered: readonly (readonly [name: string, path: string])[] = [
  ['home', '/'],
  ['home of a place without goods', '/?localGovt=Ibeju-Lekki&x=1'],
  ['search', '/search-items?query=bag'],
  ['search that finds nothing', '/search-items?query=zzzzzz'],
  ['search with filters', '/search-items?query=bag&category=Fashion&max_price=90000'],
  ['category', '/category/Fashion'],
  ['subcategory', '/category/Fashion/Bags'],
  ['about', '/about'],
  ['terms', '/terms-&-conditions'],
  ['privacy', '/privacy-policy'],
  ['product', 'product'],
  ['store', 'store'],
];

for (const [name, path] of rendered)
  test(`${name}: what stands does not move while the rest of the page is on the way`, async ({
    browser,
  }) => {
    for (const width of [360, 1280]) {
      const { page, wrong } = await shopperPage(browser, { viewport: { width, height: 800 } });
      const address = await addressOf(page, path);
      await watchShifts(page);
      await slow.goto(page, address);
      await waitForHydration(page);
      await expectStill(page, `${name}, ${width}`);
      expect(wrong).toEqual([]);
      await page.context().close();
    }
  });

/** Parts that the browser fills itself: each list and figure appears when its call is answered. */
const filled: readonly (readonly [name: string, path: string, text: string | RegExp])[] = [
  ['home', '/', /^CATEGORIES$/],
  ['search', '/search-items?query=bag', 'products found'],
  ['category', '/category/Fashion', 'Everything in Fashion'],
  ['subcategory', '/category/Fashion/Bags', 'products found'],
  ['product', 'product', 'Similar Products'],
  ['store', 'store', /orders? confirmed/],
  ['reviews', '/ratings-and-reviews', /Users' Comments/],
];

const ways: readonly (readonly [width: number, order: Order])[] = [
  [360, 'first come'],
  [360, 'last come'],
  [1280, 'last come'],
];

for (const [name, path, text] of filled)
  test(`${name}: what stands does not move when the calls are answered`, async ({ browser }) => {
    for (const [width, order] of ways) {
      const { page, wrong } = await shopperPage(browser, { viewport: { width, height: 800 } });
      const address = await addressOf(page, path);
      await watchShifts(page);
      await page.goto(`${shop.url}/about`);
      await waitForHydration(page);
      const calls = await holdCalls(page);
      await goWithin(page, address);
      await expect(page.locator('[aria-busy=true]').first()).toBeAttached();
      await painted(page);
      await forgetShifts(page);
      await calls.answer(order);
      await expect(page.getByText(text).first()).toBeAttached();
      await expectStill(page, `${name}, ${width}, ${order}`);
      expect(wrong).toEqual([]);
      await page.context().close();
    }
  });
