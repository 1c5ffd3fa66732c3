import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.js';
import { expectInPlace } from './support/layout.js';
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

const box = (page: Page) => page.getByPlaceholder('I am looking for...');
const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const options = (page: Page) => list(page).getByRole('option');
const active = async (page: Page) => {
  const id = await box(page).getAttribute('aria-activedescendant');
  return id === null ? null : page.locator(`[id="${id}"]`).textContent();
};

async function typing(page: Page, text: string): Promise<void> {
  await page.goto(shop.url);
  await waitForHydration(page);
  await box(page).focus();
  // The suggestions load with the first focus, not with the page.
  await expect(box(page)).toHaveRole('combobox');
  await expect(box(page)).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.type(text);
}

test('goods, a shelf and a store are chosen by keys alone', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await typing(page, 'ba');
  await expect(options(page).filter({ hasText: /^Bags in Fashion · \d+$/ })).toBeVisible();
  await page.keyboard.type('g');
  await expect(options(page).filter({ hasText: '₦' }).first()).toBeVisible();
  await expect(box(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('status').filter({ hasText: /suggestions?, below/ })).toBeAttached();
  const texts = await options(page).allTextContents();
  expect(await active(page)).toBeNull();
  await page.keyboard.press('ArrowDown');
  expect(await active(page)).toBe(texts[0]);
  await page.keyboard.press('ArrowUp');
  expect(await active(page)).toBe(texts.at(-1));
  await page.keyboard.press('Home');
  expect(await active(page)).toBe(texts[0]);
  await page.keyboard.press('End');
  expect(await active(page)).toBe(texts.at(-1));
  await page.keyboard.press('Escape');
  await expect(list(page)).toBeHidden();
  await expect(box(page)).toBeFocused();
  await expect(box(page)).toHaveValue('bag');
  await page.keyboard.press('ArrowDown');
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  const product = (await active(page))?.replace(/₦.*$/, '') ?? '';
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/single-product\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(product);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(list(page)).toBeHidden();
  expect(wrong).toEqual([]);
});

test('a store and a shelf are one press away', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await typing(page, 'adunni');
  await options(page).filter({ hasText: 'Adunni Textiles' }).first().click();
  await expect(page).toHaveURL(/\/sellers-store\/Adunni-Textiles/);
  await typing(page, 'bags');
  await options(page)
    .filter({ hasText: /^Bags in Fashion/ })
    .click();
  await expect(page).toHaveURL(`${shop.url}/category/Fashion/Bags`);
  // A phone's keyboard would cover the shelf.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a typo is mended by the first of what is offered', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await typing(page, 'lether');
  await expect(options(page).first()).toHaveText('Did you mean leather?');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(box(page)).toHaveValue('leather');
  await expect(page).toHaveURL(/query=leather&/);
  await expect(cards(page).first()).toContainText(/leather/i);
});

test('Enter without a choice searches, and what lies below can be pressed', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await typing(page, 'bag');
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(list(page)).toBeHidden();
  await expect(page).toHaveURL(/query=bag&/);
  await page.keyboard.type('s');
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(list(page)).toBeHidden();
});

test('what is offered stays in the window at every width, and breaks no rule of axe', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser);
  await typing(page, 'bag');
  await expect(list(page)).toBeVisible();
  await expectInPlace(page, 'suggestions');
  // Names of bags differ at their end, so they must not be cut.
  await page.setViewportSize({ width: 360, height: 740 });
  const cut = await options(page)
    .locator('span')
    .evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
        .map((one) => one.textContent),
    );
  expect(cut).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await expectAccessible(page, 'suggestions');
});

for (const kind of ['js', 'css'])
  test(`the box searches where the ${kind} of that part does not come`, async ({ browser }) => {
    const { page } = await shopperPage(browser);
    const broken: string[] = [];
    page.on('pageerror', ({ message }) => broken.push(message));
    await page.route(new RegExp(`/assets/Suggestions-.*\\.${kind}$`), (route) => route.abort());
    await page.goto(shop.url);
    await waitForHydration(page);
    await markDocument(page);
    const lost = page.waitForEvent('requestfailed');
    await box(page).focus();
    await lost;
    await page.keyboard.type('bag');
    await expect(page).toHaveURL(/query=bag&/);
    await expect(cards(page).first()).toBeVisible();
    // Loading the page again would take the letters that are typed meanwhile.
    await expectSameDocument(page);
    expect(broken).toEqual([]);
  });
