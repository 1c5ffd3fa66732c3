import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test';
import { type Deploys, openDeploys } from '../support/deploys.js';
import { freePort, type Running, runOja, temporaryFolder } from '../support/market.js';
import { closePages } from './support/pages.js';
import { expectSameDocument, markDocument, waitForHydration } from './support/shopper.js';

const folder = temporaryFolder();
let market: Running;
let marketPort: number;
let port: number;
let door: Deploys;
let url: string;

test.afterEach(closePages);
test.beforeAll(async () => {
  [marketPort, port] = [await freePort(), await freePort()];
  url = `http://localhost:${port}`;
  market = runOja(['start'], { PORT: `${marketPort}`, PUBLIC_URL: url, DATA_DIR: folder.path });
  await market.line(/^Oja is open at /);
});
test.beforeEach(async () => {
  door = await openDeploys(port, marketPort);
});
test.afterEach(() => door.close());
test.afterAll(async () => {
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

/** A context that has already seen the release notice, so that nothing covers the page. */
async function visitor(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  await context.addInitScript(() => localStorage.setItem('oja-release-seen', '1'));
  return context;
}

/** A page controlled by a service worker that has cached the shell. */
async function settled(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect(page.getByRole('article').first()).toBeVisible();
  return page;
}

test('starts without a network with the last catalogue and the cart', async ({ browser }) => {
  const context = await visitor(browser);
  const page = await settled(context);
  const names = await page.getByRole('article').getByRole('heading').allTextContents();
  await page
    .getByRole('button', { name: /^Add to cart/ })
    .first()
    .click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  await page.close();

  await door.close();
  await context.setOffline(true);
  const later = await context.newPage();
  await later.goto(url);
  await expect(later.getByRole('article').first()).toBeVisible();
  expect(await later.getByRole('article').getByRole('heading').allTextContents()).toEqual(names);
  await later.getByRole('link', { name: 'Cart, 1 item' }).click();
  await expect(later.getByRole('link', { name: names[0] ?? '' }).first()).toBeVisible();
});

test('a page that begins without a network goes on by itself once it is back', async ({
  browser,
}) => {
  const context = await visitor(browser);
  await settled(context);
  await context.setOffline(true);
  const later = await context.newPage();
  await later.goto(`${url}/category/Electronics`);
  await expect(later.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await context.setOffline(false);
  await expect(later.getByRole('article').first()).toBeVisible();
});

/** Without a service worker every request goes to the market, whatever was prefetched. */
const withoutWorker = { serviceWorkers: 'block' } as const;

test('a tab of the build before goes on with its own parts after a deploy', async ({ browser }) => {
  const page = await (await visitor(browser, withoutWorker)).newPage();
  await page.goto(url);
  await waitForHydration(page);
  await markDocument(page);
  door.deploy({ keepsPrevious: true });
  await page.getByRole('link', { name: 'About' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/About/);
  await expectSameDocument(page);
});

test('a tab whose parts are gone goes on in the new build, loaded once', async ({ browser }) => {
  const page = await (await visitor(browser, withoutWorker)).newPage();
  await page.goto(url);
  await waitForHydration(page);
  await markDocument(page);
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  door.deploy({ keepsPrevious: false });
  await page.getByRole('link', { name: 'About' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/About/);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'stillTheSame'))).toBeUndefined();
  // The heading is painted before the whole page has loaded.
  await waitForHydration(page);
  expect(loads).toBe(1);
});

test('a tab whose market is away says so, and goes on once it is back', async ({ browser }) => {
  const page = await (await visitor(browser, withoutWorker)).newPage();
  await page.goto(url);
  await waitForHydration(page);
  await door.close();
  await page.getByRole('link', { name: 'About' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('That did not load');
  door = await openDeploys(port, marketPort);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/About/);
});

/**
 * Resolves once the worker of the build that is served now is at work: it has put away what the one before had
 * stored. The browser looks for it by itself after each navigation, so it may be there already.
 */
async function renewWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
  });
  await page.waitForFunction(async () => {
    const kept = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    const apps = kept.flat().filter(({ url }) => /\/assets\/index-/.test(url));
    return apps.length > 0 && apps.every(({ url }) => url.includes('.next.'));
  });
}

test('an open tab with a worker stays usable through a deploy', async ({ browser }) => {
  const page = await settled(await visitor(browser));
  door.deploy({ keepsPrevious: true });
  await renewWorker(page);
  await page.getByRole('link', { name: /^Cart/ }).first().click();
  await expect(page).toHaveURL(/\/cart-contents/);
  await expect(page.getByText(/cart is empty/i).first()).toBeVisible();
});

/** Takes the network away, and with it everything that only the browser's own cache would still have. */
async function goOffline(context: BrowserContext, page: Page): Promise<void> {
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.clearBrowserCache');
  await page.close();
  await door.close();
  await context.setOffline(true);
}

test('a page that was seen before a deploy is alive without a network after it', async ({
  browser,
}) => {
  const context = await visitor(browser);
  const page = await settled(context);
  await page.goto(`${url}/category/Fashion`);
  await waitForHydration(page);
  door.deploy({ keepsPrevious: false });
  await renewWorker(page);
  await goOffline(context, page);
  const later = await context.newPage();
  await later.goto(`${url}/category/Fashion`);
  await waitForHydration(later);
});

test('the page that was seen first after a deploy keeps its goods without a network', async ({
  browser,
}) => {
  const context = await visitor(browser);
  const page = await settled(context);
  door.deploy({ keepsPrevious: false });
  await page.goto(`${url}/category/Fashion`);
  await waitForHydration(page);
  const names = await page.getByRole('article').getByRole('heading').allTextContents();
  await renewWorker(page);
  await goOffline(context, page);
  const later = await context.newPage();
  await later.goto(`${url}/category/Fashion`);
  await waitForHydration(later);
  expect(await later.getByRole('article').getByRole('heading').allTextContents()).toEqual(names);
});
