import { expect, type Page, test } from '@playwright/test';
import { closePages } from './support/pages.js';
import {
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

/** Longer than any slide of the carousel stands, in milliseconds. */
const A_WHILE = 10_000;

const carousel = (page: Page) => page.getByRole('region', { name: 'Trending products' });
const place = (page: Page) =>
  carousel(page)
    .getByText(/^\d+ of \d+$/)
    .textContent();

/** Opens home with a clock that can be moved on, and waits until the carousel's script drives it. */
async function home(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(shop.url);
  await waitForHydration(page);
  await expect(carousel(page).locator('[data-moving]')).toBeAttached();
}

const expectMoves = async (page: Page) => {
  const before = await place(page);
  await expect.poll(() => place(page)).not.toBe(before);
};

const expectStands = async (page: Page) => {
  const before = await place(page);
  await page.clock.runFor(A_WHILE);
  expect(await place(page)).toBe(before);
};

test('goods pass by, round and round', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await home(page);
  await expect.poll(() => place(page)).toBe('2 of 8');
  await expect.poll(() => place(page), { timeout: 40_000 }).toBe('8 of 8');
  await expect.poll(() => place(page)).toBe('1 of 8');
  expect(wrong).toEqual([]);
});

test('goods stand under the pointer and under the focus, and go on after being touched', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await home(page);
  const away = () => page.mouse.move(640, 700);

  await carousel(page).hover();
  await expectStands(page);
  await away();
  await expectMoves(page);

  await carousel(page).getByRole('button', { name: 'Next' }).click();
  await expectStands(page);
  await away();
  await expectMoves(page);

  await carousel(page).getByRole('button', { name: 'Previous' }).focus();
  await page.keyboard.press('Tab');
  await expectStands(page);
  await carousel(page).hover();
  await away();
  await expectStands(page);
  await page.getByPlaceholder('I am looking for...').focus();
  await expectMoves(page);

  const rail = await carousel(page).locator('[data-moving]').boundingBox();
  if (rail === null) throw new Error('there is no rail');
  await page.mouse.move(rail.x + 600, rail.y + 20);
  await page.mouse.down();
  await page.mouse.move(rail.x + 300, rail.y + 20, { steps: 5 });
  await page.mouse.up();
  await away();
  await expectMoves(page);
});

test('goods stand once paused, and from the beginning where less motion is asked for', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await home(page);
  await carousel(page).getByRole('button', { name: 'Pause' }).click();
  await page.mouse.move(640, 700);
  await expectStands(page);
  await carousel(page).getByRole('button', { name: 'Play' }).click();
  await page.mouse.move(640, 700);
  await expectMoves(page);

  const { page: still } = await shopperPage(browser, {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  await home(still);
  await expectStands(still);
});

test('on a phone keys go down the page: the goods, and then what passes by below them', async ({
  browser,
}) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(shop.url);
  await waitForHydration(page);
  await expect(cards(page).nth(9)).toBeVisible();
  const tops: number[] = [];
  const stop = page.locator(':focus');
  const inCarousel = carousel(page).locator(':focus');
  while ((await inCarousel.count()) === 0) {
    await page.keyboard.press('Tab');
    if ((await page.locator('article:focus-within').count()) === 0) continue;
    tops.push(
      await stop.evaluate(
        (it) => (it.closest('article') ?? it).getBoundingClientRect().top + scrollY,
      ),
    );
    expect(tops.length).toBeLessThan(200);
  }
  // Each stop lies in the same card as the last, beside it or below it.
  expect(tops.length).toBeGreaterThan(10);
  expect(tops.map(Math.round)).toEqual(tops.map(Math.round).toSorted((one, other) => one - other));
  expect(wrong).toEqual([]);
});

test('Back finds all goods where they were left', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(shop.url);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'view more' }).click();
  const one = cards(page).nth(30);
  await one.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  await one.locator('a:has(img)').click();
  await expect(page).toHaveURL(/\/single-product\//);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'view less' })).toBeAttached();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
  expect(wrong).toEqual([]);
});

test('a reload finds all goods where they were left, and none of them once they were put away', async ({
  browser,
}) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(shop.url);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'view more' }).click();
  const far = cards(page).nth(30);
  await expect(async () => {
    await cards(page).last().scrollIntoViewIfNeeded();
    await expect(far).toBeAttached({ timeout: 1_000 });
  }).toPass();
  await far.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => Math.round(scrollY));
  await page.reload();
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(top);
  await expect(far).toBeInViewport();

  // With a key, since more goods may come and move it away from a pointer.
  await page.getByRole('button', { name: 'view less' }).press('Enter');
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByRole('button', { name: 'view more' })).toBeVisible();
  await expect(far).not.toBeAttached();
  expect(wrong).toEqual([]);
});

test('a page that is loaded anew begins at its top, and the way back leads to where one was', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  const scrolledTo = () => page.evaluate(() => scrollY);
  await page.goto(shop.url);
  await waitForHydration(page);
  await cards(page).nth(9).scrollIntoViewIfNeeded();
  const scrolled = await scrolledTo();
  expect(scrolled).toBeGreaterThan(100);
  await page.goto(`${shop.url}/category/Fashion`);
  await waitForHydration(page);
  expect(await scrolledTo()).toBe(0);
  await page.goBack();
  await waitForHydration(page);
  await expect.poll(scrolledTo).toBe(scrolled);
  await page.reload();
  await waitForHydration(page);
  await expect.poll(scrolledTo).toBe(scrolled);
});

test('a page that is scrolled before its scripts come stays under the finger', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  // A page that jumps, even for a moment, makes a touch hit something else: record scrollTo.
  const jumps: unknown[] = [];
  await page.exposeFunction('tellJump', (...to: unknown[]) => jumps.push(to));
  await page.addInitScript(() => {
    window.scrollTo = (...to: unknown[]) => void Reflect.get(window, 'tellJump')(...to);
  });
  await page.goto(shop.url, { waitUntil: 'commit' });
  const sell = page.getByRole('link', { name: 'SELL', exact: true });
  await sell.hover();
  const scrolledTo = () => page.evaluate(() => scrollY);
  const scrolled = await scrolledTo();
  expect(scrolled).toBeGreaterThan(100);
  await page.mouse.down();
  release();
  await waitForHydration(page);
  expect(jumps).toEqual([]);
  expect(await scrolledTo()).toBe(scrolled);
  await page.mouse.up();
  await expect(page).toHaveURL(/\/register$/);
});

test('parts that do not come leave the page as it is, and the menu asks again', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  const lost = /\/assets\/(CarouselDriver|Overlays|OptionItems)-.*\.js$/;
  // Answered late, so that the document can be marked first.
  let marked = () => {};
  const wait = new Promise<void>((resolve) => {
    marked = resolve;
  });
  await page.route(lost, async (route) => {
    await wait;
    await route.abort();
  });
  await page.goto(shop.url);
  await waitForHydration(page);
  await markDocument(page);
  const failures = ['CarouselDriver', 'Overlays', 'OptionItems'].map((part) =>
    page.waitForEvent('requestfailed', (request) => request.url().includes(part)),
  );
  marked();
  await Promise.all(failures);
  await page.unroute(lost);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
  await expectSameDocument(page);
});
