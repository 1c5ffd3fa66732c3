import { expect, type Page, test } from '@playwright/test';
import { signIn } from './support/admin.js';
import { closePages } from './support/pages.js';
import {
  addToCart,
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

/** Does to the page what Chrome's translator does, now and after each change: 'Total' becomes 'TOTAL' in a `<font>`. */
const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const within = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (!text.data.trim() || text.parentElement?.closest('font, script, style, textarea, svg'))
          continue;
        const font = document.createElement('font');
        font.append(document.createElement('font'));
        font.firstElementChild?.append(text.data.toUpperCase());
        text.before(font);
        text.remove();
      }
    };
    within(document.body);
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        for (const node of type === 'characterData' ? [target] : addedNodes)
          if (node.parentNode !== null) within(node.parentNode);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });

test('a translated cart adds up', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await page.goto(`${shop.url}/category/Fashion`);
  await waitForHydration(page);
  await addToCart(page, 0);
  await page.goto(`${shop.url}/cart-contents/multiple-order`);
  await waitForHydration(page);
  const summary = page.getByRole('complementary', { name: /^cart summary$/i });
  const subtotal = summary.getByRole('definition').first();
  const price = Number((await subtotal.textContent())?.replace(/\D/g, ''));
  expect(price).toBeGreaterThan(0);
  const naira = (amount: number) => `₦${amount.toLocaleString('en-NG')}`;
  await translate(page);
  await expect(page.getByText('CART SUMMARY')).toBeVisible();
  const more = page.getByRole('button', { name: 'More' });
  for (const count of [2, 3, 4]) {
    await more.click();
    await expect(summary.getByRole('term').first()).toHaveText(`1 PRODUCT, ${count} PIECES`);
    await expect(subtotal).toHaveText(naira(price * count));
  }
  await page.getByRole('button', { name: /^remove /i }).click();
  await expect(page.getByText('OOPS!!! CART IS EMPTY')).toBeVisible();
  await page.getByRole('button', { name: 'UNDO' }).click();
  await expect(subtotal).toHaveText(naira(price * 4));
  expect(wrong).toEqual([]);
});

test('one searches, filters and looks around in a translated market', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await page.goto(shop.url);
  await waitForHydration(page);
  await translate(page);
  await page.getByRole('button', { name: 'VIEW MORE' }).click();
  // With a key: more goods, which arrive once this button is in sight, move it away from a pointer.
  await page.getByRole('button', { name: 'VIEW LESS' }).press('Enter');
  await expect(page.getByRole('button', { name: 'VIEW MORE' })).toBeVisible();
  const box = page.getByPlaceholder('I am looking for...');
  const found = page.getByRole('status').filter({ hasText: /\d PRODUCTS? FOUND/ });
  for (const words of ['shoe', 'bag', 'qqq', 'bag']) {
    await box.fill(words);
    if (words === 'qqq') await expect(found).toHaveText('0 PRODUCTS FOUND');
    else await expect(found).toHaveText(/[1-9] PRODUCTS? FOUND/);
  }
  const bags = await found.textContent();
  const filters = page.getByRole('complementary', { name: 'FILTERS' });
  await filters.getByRole('radio', { name: 'NEW AND USED' }).check();
  await expect(page).toHaveURL(/condition=all/);
  await page.getByLabel('SORT').selectOption({ index: 1 });
  await filters.getByRole('radio', { name: 'NEW', exact: true }).check();
  await expect(found).toHaveText(bags ?? '');
  await page.goBack();
  await page.getByRole('button', { name: 'Clear search' }).click();
  expect(wrong).toEqual([]);
});

test('a seller finds, chooses and unchooses in a translated dashboard', async ({ browser }) => {
  const page = await signIn(browser, shop, 'Ikeja Gadget House');
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  await expect(page.getByRole('article').first()).toBeVisible();
  await translate(page);
  const find = page.getByRole('searchbox').or(page.getByRole('textbox')).last();
  for (const words of ['ab', 'qqqq', '', 'a', '']) {
    await find.fill(words);
    if (words === 'qqqq') await expect(page.getByRole('article')).toHaveCount(0);
    else await expect(page.getByRole('article').first()).toBeVisible();
  }
  expect(wrong).toEqual([]);
});
