import { SAVED_STORAGE } from '@oja/contracts/wire';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { closePages } from './support/pages.js';
import { hold } from './support/seller.js';
import {
  addToCart,
  cards,
  cartLink,
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

const ALL = /\/assets\/.*\.js$/;
/** All scripts but the first, small one: the app has not loaded. */
const APP = /\/assets\/(?!begin).*\.js$/;

const phone = (browser: Browser) => shopperPage(browser, { viewport: { width: 360, height: 740 } });
const hearts = (page: Page) => page.getByRole('button', { name: /^Save: / });
const saved = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    (name) => JSON.parse(localStorage.getItem(name) ?? '{}').state?.ids ?? [],
    SAVED_STORAGE,
  );

/** `product` stands for the page of the first card. */
const pages = ['/', '/search-items?query=bag', '/category/Fashion/Bags', 'product'] as const;

for (const path of pages)
  test(`a heart pressed before any script has come saves: ${path}`, async ({ browser }) => {
    const { page, wrong } = await phone(browser);
    let address: string = path;
    if (path === 'product') {
      await page.goto(`${shop.url}/category/Fashion`);
      address = (await cards(page).first().locator('a:has(img)').getAttribute('href')) ?? '';
    }
    const release = await hold(page, ALL);
    await page.goto(shop.url + address, { waitUntil: 'commit' });
    const heart = hearts(page).first();
    await heart.dblclick();
    release();
    await waitForHydration(page);
    await expect(heart).toHaveAttribute('aria-pressed', 'true');
    expect(await saved(page)).toHaveLength(1);
    expect(wrong).toEqual([]);
  });

test('each of several hearts pressed while the app is on the way saves', async ({ browser }) => {
  const { page } = await phone(browser);
  const release = await hold(page, APP);
  await page.goto(`${shop.url}/category/Fashion`);
  for (const n of [0, 1, 2])
    await cards(page).nth(n).getByRole('button', { name: /^Save/ }).click();
  release();
  await waitForHydration(page);
  await expect.poll(() => saved(page)).toHaveLength(3);
});

test('what was saved or lay in the cart already stays there when it is pressed too early', async ({
  browser,
}) => {
  const { page } = await phone(browser);
  await page.goto(`${shop.url}/category/Fashion`);
  await waitForHydration(page);
  await addToCart(page, 0);
  await hearts(page).first().click();
  await expect.poll(() => saved(page)).toHaveLength(1);
  const release = await hold(page, APP);
  await page.reload({ waitUntil: 'commit' });
  const card = cards(page).first();
  await card.getByRole('button', { name: /^Save/ }).click();
  await card.getByRole('button', { name: /^Add to cart/ }).click();
  // The last press shows when the recorded presses have been replayed.
  const other = cards(page).nth(1);
  await other.getByRole('button', { name: /^Save/ }).click();
  release();
  await expect(other.getByRole('button', { name: /^Save/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  expect(await saved(page)).toHaveLength(2);
  await expect(cartLink(page, 1)).toBeVisible();
});

test('a heart pressed too early saves also when the page is not the one that the app renders', async ({
  browser,
}) => {
  const { page, wrong } = await phone(browser);
  const release = await hold(page, APP);
  await page.route(`${shop.url}/category/Fashion`, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replace('>Everything in', '>Nothing in') });
  });
  await page.goto(`${shop.url}/category/Fashion`);
  await expect(page.getByRole('heading', { name: 'Nothing in Fashion' })).toBeVisible();
  const third = cards(page).nth(2).getByRole('button', { name: /^Save/ });
  await third.click();
  release();
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Everything in Fashion' })).toBeVisible();
  await expect(third).toHaveAttribute('aria-pressed', 'true');
  expect(await saved(page)).toHaveLength(1);
  expect(wrong).toHaveLength(1);
});

test('what has only been tabbed to is not pressed', async ({ browser }) => {
  const { page } = await phone(browser);
  const release = await hold(page, ALL);
  await page.goto(`${shop.url}/category/Fashion`, { waitUntil: 'commit' });
  const heart = cards(page).first().getByRole('button', { name: /^Save/ });
  await cards(page).first().locator('a:has(img)').focus();
  await page.keyboard.press('Tab');
  await expect(heart).toBeFocused();
  release();
  await waitForHydration(page);
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  expect(await saved(page)).toHaveLength(1);
});

test('a page whose app did not come on a bad connection loads again, and is alive', async ({
  browser,
}) => {
  const { page } = await phone(browser);
  let failures = 0;
  await page.route(/\/assets\/index-[^/]*\.js$/, (route) => {
    if (failures > 0) return route.continue();
    failures += 1;
    return route.abort('connectionreset');
  });
  await page.goto(`${shop.url}/category/Fashion`);
  await waitForHydration(page);
  expect(failures).toBe(1);
  const heart = hearts(page).first();
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
});

test('what was put into the cart too early lies there when the cart is opened too early too', async ({
  browser,
}) => {
  const { page, wrong } = await phone(browser);
  const release = await hold(page, APP);
  await page.goto(`${shop.url}/category/Fashion`);
  const card = cards(page).first();
  const name = (await card.getByRole('heading').textContent()) ?? '';
  await card.getByRole('button', { name: /^Add to cart/ }).click();
  await cartLink(page, 0).click();
  release();
  await expect(page).toHaveURL(/\/cart-contents\//);
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  await expect(cartLink(page, 1)).toBeVisible();
  expect(wrong).toEqual([]);
});

test('a link pressed after a button is followed when the app does not come for long', async ({
  browser,
}) => {
  const { page } = await phone(browser);
  await page.clock.install();
  await hold(page, APP);
  await page.goto(`${shop.url}/category/Fashion`);
  await hearts(page).first().click();
  await cards(page).first().locator('a:has(img)').click();
  await page.clock.runFor(10_000);
  await expect(page).toHaveURL(/\/single-product\//);
});

test('a heart pressed before the app broke off saves after the page was loaded again', async ({
  browser,
}) => {
  const { page } = await phone(browser);
  let breakOff = () => {};
  const pressed = new Promise<void>((resolve) => {
    breakOff = resolve;
  });
  let failures = 0;
  await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
    if (failures > 0) return route.continue();
    failures += 1;
    await pressed;
    return route.abort('connectionreset');
  });
  await page.goto(`${shop.url}/category/Fashion`);
  const heart = hearts(page).first();
  await heart.click();
  breakOff();
  await waitForHydration(page);
  expect(failures).toBe(1);
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  // It took effect once: not again after another reload.
  await heart.click();
  await page.reload();
  await waitForHydration(page);
  await hearts(page).nth(1).click();
  await expect.poll(() => saved(page)).toHaveLength(1);
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
});

/** Presses the first such element once React listens to the page but has not finished hydrating it. */
const pressWhileHydrating = (page: Page, selector: string) =>
  page.addInitScript((wanted) => {
    const { port1, port2 } = new MessageChannel();
    // A message comes between React's own tasks, which a timer may not.
    port1.onmessage = () => {
      const listens = Object.keys(document.getElementById('root') ?? {}).some((key) =>
        key.startsWith('__reactContainer'),
      );
      if (!listens) return port2.postMessage(0);
      const isAlive = document.documentElement.hasAttribute('data-alive');
      Reflect.set(globalThis, 'pressedInTime', !isAlive);
      document.querySelector<HTMLElement>(wanted)?.click();
    };
    port2.postMessage(0);
  }, selector);
const wasInTime = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'pressedInTime'));

test('a menu that is pressed while the page is hydrated opens', async ({ browser }) => {
  const { page } = await phone(browser);
  await pressWhileHydrating(page, '[aria-label="Menu"]');
  await page.goto(shop.url);
  await waitForHydration(page);
  expect(await wasInTime(page)).toBe(true);
  await expect(page.getByRole('button', { name: 'Menu' })).toHaveAttribute('aria-expanded', 'true');
});

test('a gallery that is pressed while the page is hydrated goes on by one picture', async ({
  browser,
}) => {
  const { page } = await phone(browser);
  await page.goto(`${shop.url}/category/Fashion`);
  await cards(page).first().locator('a:has(img)').click();
  await expect(page).toHaveURL(/\/single-product\//);
  await pressWhileHydrating(page, '[aria-label="Next picture"]');
  await page.reload();
  await waitForHydration(page);
  expect(await wasInTime(page)).toBe(true);
  const counter = page.getByRole('region', { name: 'Pictures' }).getByRole('status');
  await expect(counter).toHaveText(/ 2\//);
});

const lateOf = (page: Page) => page.getByText('This page is not complete yet.');

async function comesAtLast(page: Page, blocked: RegExp): Promise<void> {
  await page.unroute(blocked);
  await lateOf(page).getByRole('link', { name: 'Try again' }).click();
  await waitForHydration(page);
  await expect(lateOf(page)).toBeHidden();
}

test('a page whose app never comes says so once it was loaded again, and offers another try', async ({
  browser,
}) => {
  const { page } = await phone(browser);
  await page.route(APP, (route) => route.abort('connectionreset'));
  await page.goto(`${shop.url}/category/Fashion`);
  await page.locator('html[data-dead]').waitFor({ state: 'attached' });
  await expect(lateOf(page)).toBeVisible();
  await comesAtLast(page, APP);
});

test('a page of which no script comes says so by the style sheet alone', async ({ browser }) => {
  const { page } = await phone(browser);
  const scripts = /\/assets\/[^/]*\.js$/;
  await page.route(scripts, (route) => route.abort('connectionreset'));
  await page.goto(`${shop.url}/orders`);
  // It says so after a while.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await expect(lateOf(page)).toBeVisible();
  await comesAtLast(page, scripts);
});

test('the buttons of a page that stands in place of all others work', async ({ browser }) => {
  const { page } = await phone(browser);
  await page.goto(`${shop.url}/category/Fashion`);
  await cards(page).first().locator('a:has(img)').click();
  const store = page.getByRole('link', { name: /store/i }).first();
  const address = (await store.getAttribute('href')) ?? '';
  const frame = /\/assets\/StoreFrame-[^/]*\.js$/;
  await page.route(frame, (route) => route.abort('connectionreset'));
  await page.goto(shop.url + address);
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await page.unroute(frame);
  await again.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(again).toBeHidden();
  await waitForHydration(page);
});

test('a sort order chosen before the app is there sorts', async ({ browser }) => {
  const { page, wrong } = await phone(browser);
  const release = await hold(page, APP);
  await page.goto(`${shop.url}/search-items?query=bag`);
  const sort = page.getByRole('combobox', { name: 'Sort' });
  await sort.selectOption('dearest');
  release();
  await expect(page).toHaveURL(/sort=dearest/);
  await expect(sort).toHaveValue('dearest');
  expect(wrong).toEqual([]);
});

test('a list to which one goes back keeps the order of its address', async ({ browser }) => {
  const { page } = await phone(browser);
  const address = `${shop.url}/search-items?query=bag`;
  await page.goto(address);
  await waitForHydration(page);
  const sort = page.getByRole('combobox', { name: 'Sort' });
  await sort.selectOption('dearest');
  await expect(page).toHaveURL(/sort=dearest/);
  // As another document, which the browser fills with what was chosen in the one before.
  await page.goto(`${shop.url}/about`);
  await waitForHydration(page);
  // Later, so that the answer of this call is not lost with the page.
  await page.evaluate(() => void setTimeout(() => history.go(-2)));
  await expect(sort).toBeVisible();
  await waitForHydration(page);
  await hearts(page).first().click();
  await expect.poll(() => saved(page)).toHaveLength(1);
  await expect(page).toHaveURL(address);
  await expect(sort).toHaveValue('A-Z');
});

test('words typed after the search was cleared too early stay', async ({ browser }) => {
  const { page } = await phone(browser);
  const release = await hold(page, APP);
  await page.goto(`${shop.url}/search-items?query=bag`);
  await page.getByRole('button', { name: 'Clear search' }).click();
  const box = page.locator('input[name=query]');
  await box.fill('shoe');
  // The last press shows when the recorded presses have been replayed.
  await hearts(page).first().click();
  release();
  await expect.poll(() => saved(page)).toHaveLength(1);
  await expect(page).toHaveURL(/query=shoe/);
  await expect(box).toHaveValue('shoe');
});
