import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { type Market, temporaryFolder } from '../../support/market.js';
import { openSampleMarket } from '../../support/sample-market.js';
import { freshPage } from './seller.js';

export interface Shop extends Market {
  /** Stops it and removes what it kept. */
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

/** A shopper's page, and everything that goes wrong in it: what React finds to differ is thrown, too. */
export async function shopperPage(browser: Browser, options: BrowserContextOptions = {}) {
  const page = await freshPage(browser, options);
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    // What a page that is not there answers is said by the browser itself.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      wrong.push(message.text());
  });
  return { page, wrong };
}

/** Resolves once a page that the server rendered has come to life, and what comes after the first paint is there. */
export async function alive(page: Page): Promise<void> {
  await expect(page.locator('section[aria-label^="Messages"]')).toBeAttached();
}

/** The first goods of a list, not those in the carousel. */
export const cards = (page: Page) => page.locator('article:not([aria-roledescription=carousel] *)');

/** Puts the n-th of the goods that are shown into the cart. @returns its name */
export async function addToCart(page: Page, n: number): Promise<string> {
  const card = cards(page).nth(n);
  const name = (await card.getByRole('heading').textContent()) ?? '';
  await card.getByRole('button', { name: /^Add to cart/ }).click();
  await expect(card.getByRole('button', { name: /^Remove from cart/ })).toBeVisible();
  return name;
}

export const cartLink = (page: Page, count: number) =>
  page.getByRole('link', { name: `Cart, ${count} ${count === 1 ? 'item' : 'items'}` });
