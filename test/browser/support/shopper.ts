import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { type Market, temporaryFolder } from '../../support/market.js';
import { openSampleMarket } from '../../support/sample-market.js';
import { freshPage } from './seller.js';

export interface Shop extends Market {
  /** Stops the market and removes its data. */
  close(): Promise<void>;
}

/** A market with sample goods. */
export async function openShop(): Promise<Shop> {
  const folder = temporaryFolder();
  const market = await openSampleMarket(folder.path);
  return {
    ...market,
    async close() {
      expect(await market.stop()).toBe(0);
      folder.remove();
    },
  };
}

/** A shopper's page and a list of its errors, hydration mismatches of React included. */
export async function shopperPage(browser: Browser, options: BrowserContextOptions = {}) {
  const page = await freshPage(browser, options);
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    // The browser itself logs failed resources, such as a page that is not found.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      wrong.push(message.text());
  });
  return { page, wrong };
}

/** Resolves once a server-rendered page is hydrated and the parts after the first paint are there. */
export async function waitForHydration(page: Page): Promise<void> {
  await expect(page.locator('section[aria-label^="Messages"]')).toBeAttached();
}

/** Marks the document, to tell later whether it is still the same. */
export const markDocument = (page: Page) =>
  page.evaluate(() => Reflect.set(globalThis, 'stillTheSame', true));

/** Expects that the document was not loaded again since it was marked. */
export async function expectSameDocument(page: Page): Promise<void> {
  expect(await page.evaluate(() => Reflect.get(globalThis, 'stillTheSame'))).toBe(true);
}

/** The cards of the list, without those in the carousel. */
export const cards = (page: Page) => page.locator('article:not([aria-roledescription=carousel] *)');

/** Adds the n-th visible product to the cart. @returns its name */
export async function addToCart(page: Page, n: number): Promise<string> {
  const card = cards(page).nth(n);
  const name = (await card.getByRole('heading').textContent()) ?? '';
  await card.getByRole('button', { name: /^Add to cart/ }).click();
  await expect(card.getByRole('button', { name: /^Remove from cart/ })).toBeVisible();
  return name;
}

export const cartLink = (page: Page, count: number) =>
  page.getByRole('link', { name: `Cart, ${count} ${count === 1 ? 'item' : 'items'}` });
