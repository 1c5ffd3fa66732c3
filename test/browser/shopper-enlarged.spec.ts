import { type Browser, expect, type Page, test, type ViewportSize } from '@playwright/test';
import { enlarge, expectWhole, WAYS } from './support/enlarged.js';
import { closePages } from './support/pages.js';
import { addToCart, alive, cards, openShop, type Shop, shopperPage } from './support/shopper.js';

let shop: Shop;
test.afterEach(closePages);
test.beforeAll(async () => {
  shop = await openShop();
});
test.afterAll(async () => shop?.close());

/** A phone whose browser is set to letters of this size. */
async function enlargedPage(browser: Browser, viewport: ViewportSize, size: string): Promise<Page> {
  const { page } = await shopperPage(browser, { viewport });
  await enlarge(page, size);
  return page;
}

for (const [what, viewport, size] of WAYS) {
  test(`${what}: nothing is cut off in the shop on a phone`, async ({ browser }) => {
    const page = await enlargedPage(browser, viewport, size);
    await page.goto(`${shop.url}/category/Fashion`);
    await alive(page);
    await expectWhole(page, 'category');
    const product = await cards(page).first().locator('a:has(img)').getAttribute('href');
    const store = await cards(page).first().locator('a:not(:has(img))').getAttribute('href');
    for (const n of [0, 1, 2]) await addToCart(page, n);
    await cards(page).first().getByRole('button', { name: /^Save/ }).click();
    for (const [path, text] of [
      ['/', 'CATEGORIES'],
      ['/search-items?query=bag', /products? found/],
      [product, 'Similar Products'],
      [store, 'Welcome to'],
      ['/saved', 'Single order'],
      ['/cart-contents/multiple-order', 'Cart Summary'],
      ['/about', 'Safest'],
      ['/ratings-and-reviews', 'How many stars'],
      ['/payment-form', 'Submit'],
      ['/terms-&-conditions', 'Terms and Conditions'],
      ['/contact', 'Write Us'],
      ['/login', 'LOG IN'],
      ['/register', 'SIGN UP'],
    ] as const) {
      await page.goto(`${shop.url}${path}`);
      await alive(page);
      await expect(page.getByText(text).first()).toBeAttached();
      await expectWhole(page, `${path}`);
    }
  });

  test(`${what}: nothing that the keyboard reaches in the cart is under the bar`, async ({
    browser,
  }) => {
    const page = await enlargedPage(browser, viewport, size);
    await page.goto(`${shop.url}/category/Fashion`);
    await alive(page);
    for (const n of [0, 1, 2]) await addToCart(page, n);
    await page.goto(`${shop.url}/cart-contents/multiple-order`);
    await alive(page);
    await expect(page.getByRole('button', { name: 'Fewer' })).toHaveCount(3);
    for (const more of await page.getByRole('button', { name: 'More' }).all()) await more.click();
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.setViewportSize({ ...viewport, height: (viewport.height * 640) / 740 });
    const covered: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const [on, bar] = [document.activeElement, document.querySelector('[aria-label=Checkout]')];
        if (on === null || bar === null || bar.contains(on) || !on.closest('main')) return null;
        const { top, bottom } = on.getBoundingClientRect();
        const isUnder = (top + bottom) / 2 >= bar.getBoundingClientRect().top;
        return isUnder ? on.textContent || on.ariaLabel : null;
      });
      if (name !== null) covered.push(name);
    }
    expect(covered).toEqual([]);
  });

  test(`${what}: the header keeps its search and its cart in sight`, async ({ browser }) => {
    const page = await enlargedPage(browser, viewport, size);
    await page.goto(shop.url);
    await alive(page);
    const header = page.getByRole('banner');
    for (const top of [0, 600]) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
      await expect(page.locator('header[data-stuck]')).toHaveCount(top === 0 ? 0 : 1);
      for (const part of [
        header.getByRole('button', { name: 'Search' }),
        header.getByRole('link', { name: /^Cart/ }),
      ])
        await expect(part, `${top}`).toBeInViewport({ ratio: 1 });
    }
  });
}
