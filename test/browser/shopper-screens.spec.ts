import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.js';
import { boxOf, expectInPlace, expectStill, watchShifts } from './support/layout.js';
import { closePages } from './support/pages.js';
import { hold } from './support/seller.js';
import {
  addToCart,
  cards,
  expectSameDocument,
  markDocument,
  openShop,
  type Shop,
  shopperPage,
  waitForHydration,
} from './support/shopper.js';

let shop: Shop;
test.afterEach(closePages);
test.beforeAll(async () => {
  shop = await openShop();
});
test.afterAll(async () => shop?.close());

const SEARCH = '/search-items?query=';

/** The path of every shopper screen, and a text that is visible once it has loaded. */
const screens: readonly (readonly [name: string, path: string, text: string | RegExp])[] = [
  ['home', '/', 'CATEGORIES'],
  ['home of a place without goods', '/?localGovt=Ibeju-Lekki&x=1', 'Filter products by Location:'],
  ['search', `${SEARCH}bag`, 'products found'],
  ['search that finds nothing', `${SEARCH}zzzzzz`, /No products found/],
  ['search for one long word', SEARCH + 'w'.repeat(100), /No products found/],
  [
    'search with many filters',
    `${SEARCH}bag&category=Fashion&localGovt=Ajeromi-Ifelodun&max_price=90000`,
    'Remove all filters',
  ],
  ['category', '/category/Fashion', 'Everything in Fashion'],
  ['subcategory', '/category/Fashion/Bags', /product/],
  ['saved', '/saved', 'Nothing is saved here yet'],
  ['reviews', '/ratings-and-reviews', /Users' Comments/],
  ['contact', '/contact', 'Get in touch'],
  ['terms', '/terms-&-conditions', '1. What Oja is'],
  ['privacy', '/privacy-policy', /Privacy Policy/],
  ['about', '/about', 'Safest'],
  ['empty cart', '/cart-contents/multiple-order', 'Oops!!! Cart is empty'],
  ['unknown address', '/no-such-page', 'Unexpected Application Error!'],
  ['unknown product', '/single-product/1/none', 'This product is not on the market'],
  ['unknown store', '/sellers-store/nobody-at-all', 'There is no store of this name'],
];

/** The paths of one product and of its seller's store. */
async function goodsOf(page: Page): Promise<{ product: string; store: string }> {
  await page.goto(`${shop.url}/category/Fashion`);
  const card = cards(page).first();
  const product = await card.locator('a:has(img)').getAttribute('href');
  const store = await card.locator('a:not(:has(img))').getAttribute('href');
  return { product: product ?? '', store: store ?? '' };
}

async function looked(page: Page, what: string): Promise<void> {
  await expectInPlace(page, what);
  await expectAccessible(page, what);
}

async function open(browser: Browser, path: string, text: string | RegExp, width = 1280) {
  const { page, wrong } = await shopperPage(browser, { viewport: { width, height: 800 } });
  await watchShifts(page);
  await page.goto(shop.url + path);
  await expect(page.getByText(text).first()).toBeAttached();
  await waitForHydration(page);
  return { page, wrong };
}

for (const [name, path, text] of screens)
  test(`${name}: nothing overlaps, nothing jumps, and axe finds nothing`, async ({ browser }) => {
    for (const width of [360, 1280]) {
      const { page, wrong } = await open(browser, path, text, width);
      await page.waitForLoadState('networkidle');
      await expectStill(page, `${name}, ${width}`);
      if (width === 1280) await looked(page, name);
      expect(wrong).toEqual([]);
      await page.context().close();
    }
  });

test('a product and a store: nothing overlaps, nothing jumps, and axe finds nothing', async ({
  browser,
}) => {
  const { page: first } = await shopperPage(browser);
  const { product, store } = await goodsOf(first);
  for (const [name, path, text] of [
    ['product', product, 'Similar Products'],
    ['store', store, /orders? confirmed/],
  ] as const)
    for (const width of [360, 1280]) {
      const { page, wrong } = await open(browser, path, text, width);
      await page.waitForLoadState('networkidle');
      await expectStill(page, `${name}, ${width}`);
      if (width === 1280) await looked(page, name);
      expect(wrong).toEqual([]);
      await page.context().close();
    }
});

test('a full cart: nothing overlaps, and axe finds nothing', async ({ browser }) => {
  const { page, wrong } = await open(browser, '/category/Fashion', 'Everything in Fashion');
  for (const n of [0, 1, 2]) await addToCart(page, n);
  await page.goto(`${shop.url}/cart-contents/multiple-order`);
  await expect(page.getByText('Cart Summary')).toBeVisible();
  await looked(page, 'cart');
  expect(wrong).toEqual([]);
});

test('a list that does not load says so and can be tried again', async ({ browser }) => {
  const { page } = await shopperPage(browser);
  await page.goto(`${shop.url}/cart-contents/single`);
  await waitForHydration(page);
  await page.route('**/v1/products/search**', (route) => route.fulfill({ status: 400, json: {} }));
  await page.getByPlaceholder('I am looking for...').fill('bag');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await looked(page, 'search that failed');
  await page.unroute('**/v1/products/search**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(cards(page).first()).toBeVisible();
});

/** The styles of a list: its columns, its font, and whether its first picture or motif is a square. */
const drawn = (list: Locator) =>
  list.evaluate((one) => {
    const { display, gridTemplateColumns, fontFamily } = getComputedStyle(one);
    const { width, height } = (
      one.querySelector('img, [data-motif]') ?? one
    ).getBoundingClientRect();
    return {
      columns: display === 'grid' ? gridTemplateColumns.split(' ').length : 0,
      isInOwnFont: fontFamily.startsWith('"Oja Sans"') && document.fonts.check('16px "Oja Sans"'),
      isSquare: width > 0 && Math.abs(width - height) < 1,
    };
  });

test('shows goods without any script, with prices and places, drawn as with scripts', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, {
    javaScriptEnabled: false,
    viewport: { width: 1280, height: 800 },
  });
  const goods = cards(page).first().locator('..');
  const looks = { isInOwnFont: true, isSquare: true };
  for (const [path, columns] of [
    ['/', 5],
    [`${SEARCH}bag`, 4],
    ['/category/Fashion', 5],
  ] as const) {
    await page.goto(shop.url + path);
    await expect(cards(page).first()).toContainText('₦');
    expect(await drawn(goods), path).toEqual({ ...looks, columns });
  }
  const product = await cards(page).first().locator('a:has(img)').getAttribute('href');
  await page.goto(shop.url + product);
  const buy = page.getByRole('region', { name: 'Buy' });
  await expect(buy).toContainText('₦');
  expect(await drawn(buy.locator('..'))).toEqual({ ...looks, columns: 2 });
  expect(await drawn(goods)).toEqual({ ...looks, columns: 5 });
  await page.goto(`${shop.url}/about`);
  const promises = page.getByRole('heading', { name: 'Safest' }).locator('../..');
  expect(await drawn(promises)).toEqual({ ...looks, columns: 4 });
  await page.goto(`${shop.url}/sellers-store/Adunni-Textiles`);
  const [bar, notice] = [page.getByRole('banner'), page.locator('noscript')];
  const { y, height } = await boxOf(notice);
  expect((await boxOf(bar)).y, 'the bar lies below the notice').toBeGreaterThanOrEqual(y + height);
});

test('what is typed before the scripts have come is searched for', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser);
  const release = await hold(page, '**/assets/*.js');
  await page.goto(shop.url, { waitUntil: 'commit' });
  await page.getByPlaceholder('I am looking for...').fill('bag');
  release();
  await expect(page).toHaveURL(/\/search-items\?query=bag&/);
  await expect(page.getByPlaceholder('I am looking for...')).toHaveValue('bag');
  expect(wrong).toEqual([]);
});

test('what opens, is chosen or is wrong on a page: axe finds nothing', async ({ browser }) => {
  const { page, wrong } = await open(browser, '/', 'CATEGORIES', 360);
  await page.getByRole('button', { name: /^Filter products by Location/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lagos' }).click();
  await expectAccessible(page, 'places');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Price and Delivery' }).click();
  await expectAccessible(page, 'price and delivery');

  await page.goto(`${shop.url}${SEARCH}bag`);
  await waitForHydration(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expectAccessible(page, 'filters');

  await page.goto(`${shop.url}/ratings-and-reviews`);
  await page.getByText('How many stars').locator('..').locator('label').first().click();
  await expectAccessible(page, 'a review');

  await page.goto(`${shop.url}/contact?subject=An+order`);
  await page.getByLabel('Email').fill('nobody');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('name is required').first()).toBeVisible();
  await looked(page, 'contact with mistakes');
  expect(wrong).toEqual([]);
});

for (const [part, button] of [
  ['Zoom', 'Enlarge the picture'],
  ['PlaceDialog', /^Filter products by Location/],
] as const)
  test(`a press whose ${part} does not come leaves the page as it is, and the next opens it`, async ({
    browser,
  }) => {
    const { page } = await shopperPage(browser);
    const lost = new RegExp(`/assets/${part}-.*\\.js$|/robots\\.txt$`);
    await page.route(lost, (route) => route.abort());
    await page.goto(shop.url);
    await waitForHydration(page);
    if (part === 'Zoom') await cards(page).first().getByRole('link').first().click();
    await expect(page.getByRole('button', { name: button })).toBeVisible();
    await markDocument(page);
    const heading = page.getByRole('heading', { level: 1 });
    const title = (await heading.textContent()) ?? '';
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText(/^That did not load/)).toBeVisible();
    await expect(heading).toHaveText(title);
    await page.unroute(lost);
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectSameDocument(page);
  });
