import { expect, type Page, test } from '@playwright/test';
import { compareNames } from '../../domain/test/names.js';
import { closePages } from './support/pages.js';
import { hold } from './support/seller.js';
import { cards, openShop, type Shop, shopperPage, waitForHydration } from './support/shopper.js';

let shop: Shop;
test.afterEach(closePages);
test.beforeAll(async () => {
  shop = await openShop();
});
test.afterAll(async () => shop?.close());

const asked = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const box = (page: Page) => page.getByPlaceholder('I am looking for...');

/** The status line with the number of results. */
const found = (page: Page) => page.getByRole('status').filter({ hasText: /\d products? found/ });

test('typing goes to the search, every filter into the address, and Back brings all of it back', async ({
  browser,
}) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await page.goto(shop.url);
  await waitForHydration(page);
  await box(page).pressSequentially('a');
  await expect(page).toHaveURL(/\/search-items\?/);
  expect(asked(page)).toEqual({
    query: 'a',
    condition: 'New',
    sort: 'A-Z',
    localGovt: 'All States/Local Govt',
    min_price: '1000',
    max_price: '100000',
  });
  await box(page).fill('');
  const filters = page.getByRole('complementary', { name: 'Filters' });
  await filters.getByRole('radio', { name: 'New and Used' }).check();
  await expect.poll(() => asked(page).condition).toBe('all');
  await filters.getByRole('link', { name: /^Fashion/ }).click();
  await expect.poll(() => asked(page).category).toBe('Fashion');
  await filters.getByRole('slider', { name: 'Lowest price' }).press('ArrowRight');
  await expect.poll(() => asked(page).min_price).toBe('2000');
  await page.getByLabel('Sort').selectOption('Z-A');
  await expect.poll(() => asked(page).sort).toBe('Z-A');

  const names = () => cards(page).getByRole('heading').allTextContents();
  const isSorted = (all: readonly string[]) =>
    all.every((name, i) => compareNames(all[i - 1] ?? name, name) >= 0);
  await expect.poll(async () => isSorted(await names())).toBe(true);
  const address = page.url();
  const last = cards(page).nth(11);
  await last.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(200);
  await last.locator('a:has(img)').click();
  await expect(page).toHaveURL(/\/single-product\//);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
  await expect(filters.getByRole('radio', { name: 'New and Used' })).toBeChecked();
  await expect(page.getByLabel('Sort')).toHaveValue('Z-A');
  expect(wrong).toEqual([]);
});

test('a long list is where it was read, after a reload and on the way back after one', async ({
  browser,
}) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 360, height: 720 } });
  await page.goto(`${shop.url}/search-items?condition=all&max_price=10000000`);
  await waitForHydration(page);
  const far = cards(page).nth(80);
  const more = page.getByRole('button', { name: 'Load more' });
  await expect(async () => {
    if ((await cards(page).count()) < 73) await more.click({ timeout: 1_000 });
    await expect(cards(page).nth(80)).toBeAttached({ timeout: 1_000 });
  }).toPass();
  await far.scrollIntoViewIfNeeded();
  const name = await far.getByRole('heading').textContent();
  const top = await page.evaluate(() => Math.round(scrollY));
  const isThere = () => expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(top);
  await page.reload();
  await isThere();
  await expect(far.getByRole('heading')).toHaveText(name ?? '');
  await expect(far).toBeInViewport();

  await far.locator('a:has(img)').click();
  await expect(page).toHaveURL(/\/single-product\//);
  await page.reload();
  await waitForHydration(page);
  await page.goBack();
  await isThere();
  await expect(far).toBeInViewport();
  expect(wrong).toEqual([]);
});

test('Back leaves what was typed in one step, and coming back restores it', async ({ browser }) => {
  const { page } = await shopperPage(browser);
  await page.goto(`${shop.url}/about`);
  await page.goto(shop.url);
  await waitForHydration(page);
  await box(page).pressSequentially('bag');
  await expect.poll(() => asked(page).query).toBe('bag');
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect(box(page)).toHaveValue('');
  await page.goForward();
  await expect(box(page)).toHaveValue('bag');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
});

/** The chunk of the search page. */
const SEARCH_CHUNK = '**/assets/SearchPage-*.js';

test('Back empties the box at home though it comes before the search page is drawn', async ({
  browser,
}) => {
  const { page, wrong } = await shopperPage(browser);
  // Go Back at a fixed moment: the address holds the query, and nothing was drawn since.
  await page.addInitScript(() => {
    for (const enter of ['pushState', 'replaceState'] as const) {
      const original = history[enter];
      history[enter] = (state, unused, address) => {
        original.call(history, state, unused, address);
        if (/[?&]query=bag&/.test(String(address)) && sessionStorage.getItem('gone') === null) {
          sessionStorage.setItem('gone', 'back');
          history.back();
        }
      };
    }
  });
  await page.goto(`${shop.url}/about`);
  const release = await hold(page, SEARCH_CHUNK);
  await page.goto(shop.url);
  await waitForHydration(page);
  await box(page).pressSequentially('bag');
  await expect(box(page)).toHaveValue('bag');
  await expect(page).toHaveURL(`${shop.url}/`);
  release();
  await page.waitForFunction(() => sessionStorage.getItem('gone') === 'back');
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect(box(page)).toHaveValue('');
  await box(page).pressSequentially('shoe');
  await expect.poll(() => asked(page).query).toBe('shoe');
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect(box(page)).toHaveValue('');
  expect(wrong).toEqual([]);
});

test('Back before the search page is here leaves the search that was on the way', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser);
  await page.goto(`${shop.url}/category/Fashion`);
  await waitForHydration(page);
  await page.getByRole('link', { name: /^Oja/ }).first().click();
  await expect(page).toHaveURL(`${shop.url}/`);
  const release = await hold(page, SEARCH_CHUNK);
  const part = page.waitForRequest(/SearchPage-/);
  await box(page).pressSequentially('bag');
  await part;
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/category/Fashion`);
  const came = page.waitForResponse(/SearchPage-/);
  release();
  await (await came).finished();
  await expect(page.getByRole('heading', { level: 1, name: 'Fashion' })).toBeVisible();
  // Typing now starts a new search, which one Back leaves.
  await box(page).fill('shoe');
  await expect.poll(() => asked(page).query).toBe('shoe');
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/category/Fashion`);
});

test('on phones the filters fill the screen and count what they find', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(`${shop.url}/search-items?query=`);
  await waitForHydration(page);
  await page.getByRole('button', { name: /^Filters/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Filters' });
  await drawer.getByRole('button', { name: 'Lagos' }).click();
  await drawer.getByRole('radio', { name: 'Ikeja' }).check();
  await expect.poll(() => asked(page).localGovt).toBe('Ikeja');
  await drawer.getByRole('radio', { name: 'New and Used' }).check();
  await expect.poll(() => asked(page).condition).toBe('all');
  const { search } = new URL(page.url());
  const { total } = await (await fetch(`${shop.url}/v1/products/search${search}`)).json();
  // Until the answer comes, the button says what was found before.
  await drawer.getByRole('button', { name: new RegExp(`^Show ${total} results?$`) }).click();
  await expect(drawer).toBeHidden();
  await expect(found(page)).toContainText(`${total} product`);
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/search-items?query=`);
  await page.goForward();
  expect(asked(page)).toMatchObject({ localGovt: 'Ikeja', condition: 'all' });
});

test('prices can be typed, and what cannot be one is told beside its field', async ({
  browser,
}) => {
  const { page, wrong } = await shopperPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(`${shop.url}/search-items?query=`);
  await waitForHydration(page);
  await page.getByRole('button', { name: /^Filters/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Filters' });
  const from = drawer.getByLabel('Price from, in naira');
  const to = drawer.getByLabel('Price to, in naira');
  await from.fill('₦12,500.00');
  await from.press('Enter');
  await expect.poll(() => asked(page).min_price).toBe('12500');
  await expect(from).toHaveValue('₦12,500');
  await expect(drawer.getByRole('slider', { name: 'Lowest price' })).toHaveAttribute(
    'aria-valuenow',
    '12500',
  );
  await to.fill('9000');
  await to.blur();
  await expect(to).toHaveAttribute('aria-invalid', 'true');
  await expect(to).toHaveAccessibleDescription('Type ₦12,500 or more, or lower the lowest first.');
  await to.press('Escape');
  await expect(drawer).toBeVisible();
  await expect(to).toHaveValue('₦100,000');
  await expect(to).not.toHaveAttribute('aria-invalid');
  await to.fill('20 000');
  await to.press('Enter');
  await expect.poll(() => asked(page).max_price).toBe('20000');
  expect(wrong).toEqual([]);
});

for (const width of [320, 1280])
  test(`the highest price can be read whole in its field, ${width} px wide`, async ({
    browser,
  }) => {
    const { page } = await shopperPage(browser, { viewport: { width, height: 800 } });
    await page.goto(`${shop.url}/search-items?query=&min_price=250000&max_price=10000000`);
    await waitForHydration(page);
    const to = page.getByLabel('Price to, in naira');
    if (width < 1024) await page.getByRole('button', { name: /^Filters/ }).click();
    await expect(to).toHaveValue('₦10,000,000');
    expect(await to.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
  });

for (const search of [
  'min_price=abc&max_price=-1&condition=old&sort=up&localGovt=Nowhere',
  'query=%25%25%25&category=%3Cscript%3E',
  'cursor=nonsense&limit=0',
  '%E0%A4%A&query=a&query=b',
])
  test(`a page that can be used stands at ?${search}`, async ({ browser }) => {
    const { page, wrong } = await shopperPage(browser);
    await page.goto(`${shop.url}/search-items?${search}`);
    await waitForHydration(page);
    await expect(found(page)).toBeVisible();
    expect(wrong).toEqual([]);
  });
