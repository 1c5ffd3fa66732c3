import { expect, type Page, test } from '@playwright/test';
import { type AdminMarket, HEAD_ADMIN, openAdminMarket, signIn } from './support/admin.js';
import { closePages } from './support/pages.js';

let market: AdminMarket;
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openAdminMarket();
});
test.afterAll(async () => market?.close());

const scrolledTo = (page: Page) => page.evaluate(() => Math.round(scrollY));
/** How far the pages are scrolled, in px: each of them is long enough. */
const READ_TO = 300;

/** As on a mobile network: an answer takes a moment, and the page is short until it comes. */
const slowly = (page: Page) =>
  page.route('**/v1/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    // The page may have gone meanwhile.
    await route.continue().catch(() => {});
  });

/** With a text of what comes last: what grows above the reader takes the page along with it. */
const PAGES = [
  ['/dashboard', 'Add bank details'],
  ['/dashboard/orders', 'You get'],
  ['/dashboard/profile', 'Change password'],
  ['/admin-dashboard', 'Needs a person'],
  ['/admin-dashboard/sellers', 'Deactivate'],
  ['/admin-dashboard/sellers?view=buyers', 'All details'],
] as const;

test('a page of a dashboard is found where it was read, after a reload and on the way back', async ({
  browser,
}) => {
  test.slow();
  const page = await signIn(browser, market, HEAD_ADMIN, { viewport: { width: 360, height: 640 } });
  await slowly(page);
  for (const [path, text] of PAGES) {
    await page.goto(market.url + path);
    await expect(page.getByText(text).first()).toBeVisible();
    await page.mouse.wheel(0, READ_TO);
    await expect.poll(() => scrolledTo(page), path).toBe(READ_TO);
    await page.reload();
    await expect(page.getByText(text).first()).toBeVisible();
    await expect.poll(() => scrolledTo(page), `${path}, reloaded`).toBe(READ_TO);
    await page.goto(`${market.url}/about`);
    await page.goBack();
    await expect(page.getByText(text).first()).toBeVisible();
    await expect.poll(() => scrolledTo(page), `${path}, on the way back`).toBe(READ_TO);
  }
});

test('who moves on before the content of a page has come stays where they are', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN, { viewport: { width: 360, height: 640 } });
  await page.goto(`${market.url}/admin-dashboard/sellers`);
  await expect(page.getByText('Deactivate').first()).toBeVisible();
  await page.mouse.wheel(0, 600);
  await expect.poll(() => scrolledTo(page)).toBe(600);
  let answer = () => {};
  const pressed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/v1/refresh-token', async (route) => {
    await pressed;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByText('Checking who you are')).toBeAttached();
  await page.keyboard.press('Home');
  answer();
  await expect(page.getByText('Deactivate').first()).toBeVisible();
  expect(await scrolledTo(page)).toBe(0);
});

test('the figures of a dashboard take the room that was kept for them', async ({ browser }) => {
  const page = await signIn(browser, market, HEAD_ADMIN, { viewport: { width: 360, height: 640 } });
  await page.goto(`${market.url}/about`);
  let answer = () => {};
  const looked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/v1\/(?!refresh-token)/, async (route) => {
    await looked;
    await route.continue();
  });
  await page.goto(`${market.url}/dashboard`);
  const tiles = page.locator('dl').filter({ hasText: 'Held for you' });
  await expect(tiles).toBeVisible();
  // Another font may break the lines elsewhere.
  await page.evaluate(() => document.fonts.ready);
  const kept = await tiles.boundingBox();
  answer();
  await expect(tiles.getByText('unavailable')).toBeVisible();
  await expect(tiles.getByText('Read them')).toBeVisible();
  await expect(tiles.getByText('₦66,800')).toBeVisible();
  expect((await tiles.boundingBox())?.height).toBe(kept?.height);
});
