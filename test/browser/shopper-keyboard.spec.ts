import { SAVED_STORAGE } from '@oja/contracts/wire';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.js';
import { tabAlong, tabTo } from './support/keyboard.js';
import { closePages } from './support/pages.js';
import {
  addToCart,
  cards,
  cartLink,
  openShop,
  type Shop,
  shopperPage,
  waitForHydration,
} from './support/shopper.js';

/** What shoppers do with a product, by keyboard alone. */
let shop: Shop;
/** Paths of products with several pictures. */
let products: readonly string[];
test.afterEach(closePages);
test.beforeAll(async ({ browser }) => {
  shop = await openShop();
  const { page } = await shopperPage(browser);
  await page.goto(`${shop.url}/category/Fashion`);
  const links = cards(page).locator('a:has(img)');
  products = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
});
test.afterAll(async () => shop?.close());

async function openProduct(page: Page, n = 0): Promise<void> {
  await page.goto(shop.url + products[n]);
  await waitForHydration(page);
}

const saved = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    (name) => JSON.parse(localStorage.getItem(name) ?? '{}').state?.ids ?? [],
    SAVED_STORAGE,
  );

/** A browser without navigator.share. */
async function withoutWebShare(browser: Browser) {
  const opened = await shopperPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await opened.page.addInitScript(() => {
    Reflect.defineProperty(Navigator.prototype, 'share', { value: undefined });
  });
  return opened;
}

test('shares a product: the link is copied, and the menu gives the focus back', async ({
  browser,
}) => {
  const { page, wrong } = await withoutWebShare(browser);
  await page.setViewportSize({ width: 360, height: 740 });
  await openProduct(page);
  const share = page.getByRole('button', { name: 'Share this product' });
  await tabTo(page, share);
  await page.keyboard.press('Enter');
  const copy = page.getByRole('button', { name: 'Copy the link' });
  const whatsApp = page.getByRole('link', { name: 'WhatsApp' });
  // The open list must stand above the bar at the bottom of a phone, wherever its button is.
  const edges = async () => {
    const bar = await page.getByRole('region', { name: 'Order', exact: true }).boundingBox();
    const last = await whatsApp.boundingBox();
    return { last: (last?.y ?? 0) + (last?.height ?? 0), bar: bar?.y ?? 0 };
  };
  await expect.poll(async () => (({ last, bar }) => last <= bar)(await edges())).toBe(true);
  await tabTo(page, whatsApp);
  await expectAccessible(page, 'the open menu to share');
  await expect(whatsApp).toHaveAttribute('href', /^https:\/\/wa\.me\/\?text=.+single-product/);
  await page.keyboard.press('Escape');
  await expect(copy).toBeHidden();
  await expect(share).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, copy);
  await page.keyboard.press('Enter');
  await expect(page.getByText('The link is copied.')).toBeVisible();
  await expect(share).toBeFocused();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shop.url + products[0]);
  expect(wrong).toEqual([]);
});

test('saves a product and lets it go again on the page of what is saved', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser);
  await page.goto(`${shop.url}/category/Fashion`);
  await waitForHydration(page);
  for (const n of [0, 1]) {
    await tabTo(
      page,
      cards(page)
        .nth(n)
        .getByRole('button', { name: /^Save: / }),
    );
    await page.keyboard.press('Space');
    await expect.poll(() => saved(page), { timeout: 15_000 }).toHaveLength(n + 1);
  }
  await page.goto(`${shop.url}/saved`);
  await expect(cards(page)).toHaveCount(2);
  await expectAccessible(page, 'saved goods');
  const room = () =>
    cards(page)
      .last()
      .evaluate((card) => {
        const { bottom } = card.getBoundingClientRect();
        return document.documentElement.getBoundingClientRect().bottom - bottom;
      });
  await page.setViewportSize({ width: 360, height: 400 });
  expect(await room()).toBeGreaterThanOrEqual(24);
  const heart = cards(page)
    .first()
    .getByRole('button', { name: /^Save: / });
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await tabTo(page, heart);
  await page.keyboard.press('Enter');
  await expect(cards(page)).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1, name: 'Saved' })).toBeFocused();
  await tabTo(page, heart);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Nothing is saved here yet' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Saved' })).toBeFocused();
  expect(wrong).toEqual([]);
});

test('finds again what was looked at, clears it, and takes that back', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser);
  for (const n of [0, 1]) await openProduct(page, n);
  const row = page.getByRole('region', { name: 'Recently seen' });
  await expect(row.locator('article')).toHaveCount(1);
  await expectAccessible(page, 'a product with what was seen before');
  // On phones the row reaches both edges of the window, and its cards are cut only there.
  await page.setViewportSize({ width: 360, height: 740 });
  const rail = await row.getByRole('list').boundingBox();
  expect([rail?.x, rail?.width]).toEqual([0, 360]);
  const clear = row.getByRole('button', { name: /^Clear/ });
  await clear.focus();
  await page.keyboard.press('Enter');
  await expect(row).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await page.keyboard.press('Enter');
  await expect(row.locator('article')).toHaveCount(1);
  const link = row.locator('article a:has(img)');
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/(single-product|view-card)/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(wrong).toEqual([]);
});

test('takes the last out of the cart and puts it back, and knows where one is', async ({
  browser,
}) => {
  const { page, wrong } = await shopperPage(browser);
  await page.goto(shop.url);
  await waitForHydration(page);
  const name = await addToCart(page, 0);
  await cartLink(page, 1).focus();
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1, name: 'Your cart' });
  await expect(heading).toBeFocused();
  const remove = page.getByRole('button', { name: `Remove ${name}` });
  await tabTo(page, remove);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Oops!!! Cart is empty' })).toBeFocused();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await page.keyboard.press('Enter');
  await expect(undo).toBeHidden();
  await expect(heading).toBeFocused();
  await tabTo(page, remove);
  expect(wrong).toEqual([]);
});

test('enlarges a picture, turns to the next, zooms, and comes back to where it was', async ({
  browser,
}) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await openProduct(page);
  const enlarge = page.getByRole('button', { name: 'Enlarge the picture' });
  await tabTo(page, enlarge);
  await page.keyboard.press('Enter');
  const zoom = page.getByRole('dialog');
  const status = zoom.getByRole('status');
  await expect(status).toContainText(/1\/\d+, 100 %/);
  await expectAccessible(page, 'an enlarged picture');
  await page.keyboard.press('ArrowRight');
  await expect(status).toContainText(/2\/\d+, 100 %/);
  await page.keyboard.press('+');
  await expect(status).toContainText(/2\/\d+, 150 %/);
  const picture = zoom.getByRole('img', { name: /, 2 of / });
  const before = await picture.boundingBox();
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(async () => (await picture.boundingBox())?.x, { timeout: 15_000 })
    .not.toBe(before?.x);
  await expect(status).toContainText(/2\/\d+, 150 %/);
  await tabTo(page, zoom.getByRole('button', { name: 'Smaller' }));
  await page.keyboard.press('Enter');
  await expect(status).toContainText(/2\/\d+, 100 %/);
  await tabTo(page, zoom.getByRole('button', { name: 'Next picture' }));
  await page.keyboard.press('Enter');
  await expect(status).not.toContainText(/2\/\d+,/);
  await page.keyboard.press('Escape');
  await expect(zoom).toBeHidden();
  await expect(enlarge).toBeFocused();
  expect(wrong).toEqual([]);
});

test('goes by the menu of a phone, and leaves it by Escape', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(shop.url);
  await waitForHydration(page);
  const menu = page.getByRole('button', { name: 'Menu' });
  const way = (name: string) => page.getByRole('banner').getByRole('link', { name });
  await tabTo(page, menu);
  await page.keyboard.press('Enter');
  for (const name of ['Electronics', 'My orders', 'Ratings and reviews', 'About', 'Contact Us'])
    await tabTo(page, way(name));
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Enter');
  await tabTo(page, way('My orders'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/orders`);
  await expect(page.getByRole('heading', { level: 1, name: 'My orders' })).toBeFocused();
});

test('narrows a search by a typed price, and puts the cheapest first', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await page.goto(`${shop.url}/search-items?query=bag`);
  await waitForHydration(page);
  const prices = async () => {
    const texts = await cards(page)
      .getByText(/^₦[\d,.]+$/)
      .allTextContents();
    return texts.map((text) => Number(text.replaceAll(/[^\d.]/g, '')));
  };
  await tabTo(page, page.getByLabel('Price from, in naira'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('12000');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/min_price=12000/);
  await tabTo(page, page.getByLabel('Sort'));
  await page.keyboard.type('Lowest');
  await expect(page).toHaveURL(/sort=cheapest/);
  await expect(page.getByLabel('Sort')).toBeFocused();
  await expect
    .poll(async () => {
      const all = await prices();
      const isSorted = all.every((price, i) => price >= (all[i - 1] ?? 12_000));
      return { some: all.length > 1, isSorted };
    })
    .toEqual({ some: true, isSorted: true });
  expect(wrong).toEqual([]);
});

/** Picture, heart, seller, and two buttons. */
const STOPS_A_CARD = 5;

for (const [width, height] of [
  [360, 740],
  [1280, 480],
] as const)
  test(`goes back up a long list without losing sight of the focus: ${width} px`, async ({
    browser,
  }) => {
    const { page } = await shopperPage(browser, { viewport: { width, height } });
    await page.goto(`${shop.url}/category/Fashion`);
    await waitForHydration(page);
    await cards(page)
      .nth(12)
      .getByRole('button', { name: /^Save: / })
      .focus();
    await expect(page.locator('header[data-stuck]')).toBeAttached();
    await tabAlong(page, 'Shift+Tab', 10 * STOPS_A_CARD);
  });

test('skips the header of a phone to what stands below it', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(`${shop.url}/category/Fashion`);
  await waitForHydration(page);
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await tabAlong(page, 'Tab', 2);
});

test('skips the header without a trace in the history', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  const skip = async () => {
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('#main')).toBeFocused();
  };
  await page.goto(`${shop.url}/category/Fashion`);
  await waitForHydration(page);
  await skip();
  await cards(page).first().getByRole('link').first().click();
  await expect(page.getByRole('button', { name: 'Enlarge the picture' })).toBeVisible();
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  await skip();
  // The header sticks above it.
  const top = () => page.locator('#main').evaluate((main) => main.getBoundingClientRect().top);
  await expect.poll(async () => Math.abs(await top())).toBeLessThan(100);
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/category/Fashion`);
});

test('goes through similar products above the bar at the bottom of a phone', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await openProduct(page);
  const similar = page.getByRole('region', { name: 'Similar Products' });
  await expect(similar.getByRole('article').first()).toBeVisible();
  await similar.getByRole('link', { name: /^See all/ }).focus();
  await tabAlong(page, 'Tab', 6 * STOPS_A_CARD);
});

test('goes through the filters of a phone between the head and the foot of their dialog', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 480 } });
  await page.goto(`${shop.url}/search-items?query=bag`);
  await waitForHydration(page);
  await tabTo(page, page.getByRole('button', { name: /^Filters/ }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  await tabTo(page, dialog.getByRole('button', { name: /^Show / }));
  for (;;) {
    await tabAlong(page, 'Shift+Tab', 1);
    const close = dialog.getByRole('button', { name: 'Close' });
    if (await close.evaluate((button) => button === document.activeElement)) break;
  }
});

test('stays where it is while the keyboard is in what sticks', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await openProduct(page);
  const bar = page.getByRole('region', { name: 'Order', exact: true });
  const top = 300;
  await page.mouse.wheel(0, top);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
  await expect(page.locator('header[data-stuck]')).toBeAttached();
  for (const place of [
    page.getByRole('banner').getByRole('textbox', { name: 'Search' }),
    bar.getByRole('button', { name: 'Single order' }),
    bar.getByRole('button', { name: /^Add to cart/ }),
  ]) {
    await place.focus();
    // A scroll that the focus has begun is over once a key is answered.
    await page.keyboard.press('Shift');
    expect(await page.evaluate(() => scrollY)).toBe(top);
  }

  await page.goto(`${shop.url}/search-items?query=bag`);
  await waitForHydration(page);
  await page.getByRole('button', { name: /^Filters/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  await page.setViewportSize({ width: 360, height: 480 });
  const scrolled = await dialog.evaluate((box) => {
    box.scrollTop = 60;
    return box.scrollTop;
  });
  expect(scrolled).toBe(60);
  for (const name of [/^Show /, 'Close']) {
    await dialog.getByRole('button', { name }).focus();
    await page.keyboard.press('Shift');
    expect(await dialog.evaluate((box) => box.scrollTop)).toBe(scrolled);
  }
});

test('stays where it is when the strip of what is new gets the focus, and leaves by it', async ({
  browser,
}) => {
  const page = await (
    await browser.newContext({ viewport: { width: 360, height: 740 } })
  ).newPage();
  await page.goto(shop.url);
  await waitForHydration(page);
  const dismiss = page.getByRole('dialog', { name: 'New on Oja' }).getByRole('button');
  await expect(dismiss).toBeVisible();
  for (const top of [0, 300]) {
    await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
    await dismiss.focus();
    await page.keyboard.press('Shift');
    expect(await page.evaluate(() => scrollY)).toBe(top);
    await dismiss.blur();
  }
});

test('goes on at the top of home after the way back up', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 1280, height: 740 } });
  await page.goto(shop.url);
  await waitForHydration(page);
  await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }));
  const up = page.getByRole('button', { name: 'Back to top' });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect(up).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(250);
});
