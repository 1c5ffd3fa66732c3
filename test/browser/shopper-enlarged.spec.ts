import { type Browser, expect, type Page, test, type ViewportSize } from '@playwright/test';
import { coveredBy, enlarge, expectWhole, WAYS } from './support/enlarged.js';
import { fillForm, payButton, submit } from './support/money.js';
import { closePages } from './support/pages.js';
import {
  addToCart,
  cards,
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

/** A phone whose browser is set to letters of this size. */
async function enlargedPage(browser: Browser, viewport: ViewportSize, size: string): Promise<Page> {
  const { page } = await shopperPage(browser, { viewport });
  await enlarge(page, size);
  return page;
}

/** Puts goods into the cart that come to millions. */
async function fillCartWithMillions(page: Page): Promise<void> {
  const asked = await fetch(`${shop.url}/v1/products/search?condition=all&limit=60`);
  const { result }: { result: readonly { product_id: string; price: number }[] } =
    await asked.json();
  const dear = result.find(({ price }) => price > 300_000);
  if (dear === undefined) throw new Error('the sample market sells nothing dear');
  await page.goto(`${shop.url}/single-product/0/${dear.product_id}`);
  await page.getByRole('button', { name: 'Single order', exact: true }).click();
  const more = page.getByRole('button', { name: 'More' });
  for (let n = 0; n < 5; n += 1) await more.click();
  await expect(
    page
      .getByRole('complementary')
      .getByText(/^₦[\d,]{9}$/)
      .first(),
  ).toBeVisible();
}

/** Puts goods into the stored cart that the market does not have. */
const addGoneGoods = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('auth-storage') ?? '');
    const [first] = kept.state.itemsAddedToCart;
    const gone = { product_id: '00000000-0000-5000-8000-000000000001', prod_name: 'Desk lamp' };
    kept.state.itemsAddedToCart.push({ ...first, ...gone });
    localStorage.setItem('auth-storage', JSON.stringify(kept));
  });

for (const [what, viewport, size] of WAYS) {
  test(`${what}: nothing is cut off in the shop on a phone`, async ({ browser }) => {
    const page = await enlargedPage(browser, viewport, size);
    await page.goto(`${shop.url}/category/Fashion`);
    await waitForHydration(page);
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
      [`${store}?query=zzzz`, 'Show all of this store'],
      ['/category/Fashion/Cloth-Accessories', /products?$/],
      ['/category/Phones-and-Laptop/Mobile-Phone-Accessories', /products?$/],
      ['/category/Nope', 'There is no such category'],
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
      await waitForHydration(page);
      await expect(page.getByText(text).first()).toBeAttached();
      await expectWhole(page, `${path}`);
    }
  });

  test(`${what}: nothing is cut off from the cart to the receipt`, async ({ browser }) => {
    test.slow();
    const page = await enlargedPage(browser, viewport, size);
    const expectNow = async (text: string | RegExp) => {
      await expect(page.getByText(text).first()).toBeVisible();
      await expectWhole(page, `${text}`);
    };
    await fillCartWithMillions(page);
    await expectWhole(page, 'a cart of millions');
    await addGoneGoods(page);
    await page.reload();
    await expectNow('no longer available');
    await page.getByRole('button', { name: 'Remove it from the cart' }).click();
    await page.getByRole('link', { name: 'Proceed to Checkout' }).filter({ visible: true }).click();
    await fillForm(page);
    await expectWhole(page, 'the form for millions');
    await submit(page).click();
    await expect(payButton(page)).toBeVisible();
    const payAt = page.url();
    await page.getByRole('button', { name: 'Decline' }).click();
    await expectNow('Payment verification failed.');
    await page.goto(`${shop.url}/orders`);
    await expectNow('Waiting for payment');
    await page.goto(payAt);
    await payButton(page).click();
    await expectNow('Payment was successful!');
    await page.goto(`${shop.url}/payment/verify`);
    await expectNow('No payment reference found.');
    await page.goto(`${shop.url}/orders`);
    await expectNow('Forget on this device');
    await page.getByRole('button', { name: /^Forget/ }).click();
    await expectNow('Keep it');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /^Receipt/ }).click();
    await expectNow('Reference');
    await page.goto(`${shop.url}/orders`);
    await page.getByRole('link', { name: /^Confirm delivery/ }).click();
    await expectNow('Have you received the product?');
  });

  test(`${what}: nothing that the keyboard reaches in the cart is under the bar`, async ({
    browser,
  }) => {
    const page = await enlargedPage(browser, viewport, size);
    await page.goto(`${shop.url}/category/Fashion`);
    await waitForHydration(page);
    for (const n of [0, 1, 2]) await addToCart(page, n);
    await page.goto(`${shop.url}/cart-contents/multiple-order`);
    await waitForHydration(page);
    await expect(page.getByRole('button', { name: 'Fewer' })).toHaveCount(3);
    for (const more of await page.getByRole('button', { name: 'More' }).all()) await more.click();
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.setViewportSize({ ...viewport, height: (viewport.height * 640) / 740 });
    expect(await coveredBy(page, 'Checkout', 40)).toEqual([]);
  });

  test(`${what}: the header keeps its search and its cart in sight`, async ({ browser }) => {
    const page = await enlargedPage(browser, viewport, size);
    await page.goto(shop.url);
    await waitForHydration(page);
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
