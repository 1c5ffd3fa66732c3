import type { Product } from '@oja/contracts';
import { storePath } from '@oja/contracts/pages';
import { AUTH_STORAGE } from '@oja/contracts/wire';
import { expect, type Page, test } from '@playwright/test';
import { signedIn } from './support/admin.js';
import { expectAccessible } from './support/axe.js';
import { closePages } from './support/pages.js';
import {
  addToCart,
  cards,
  cartLink,
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

const SHELF = '/category/Fashion';
const CART = '/cart-contents/multiple-order';

async function atTheShelf(page: Page): Promise<void> {
  await page.goto(shop.url + SHELF);
  await waitForHydration(page);
}

const kept = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? '{}').state ?? {}, AUTH_STORAGE);

test('goods go in and out, and what was taken out can be put back', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser);
  await atTheShelf(page);
  const name = await addToCart(page, 0);
  await expect(cartLink(page, 1)).toBeVisible();
  await page.getByRole('button', { name: `Remove from cart: ${name}` }).click();
  await expect(cartLink(page, 0)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cartLink(page, 1)).toBeVisible();
  expect(Object.keys(await kept(page)).sort()).toEqual(
    [
      'deliveryFee',
      'itemsAddedToCart',
      'pid',
      'showButton',
      'singleProductId',
      'status',
      'user',
    ].sort(),
  );
  expect(wrong).toEqual([]);
});

test('quantities change by one, from one, and the totals with them', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await atTheShelf(page);
  const name = await addToCart(page, 0);
  await page.goto(shop.url + CART);
  const line = page.getByRole('group', { name: `Quantity of ${name}` });
  const [{ price } = { price: 0 }] = (await kept(page)).itemsAddedToCart as { price: number }[];
  const naira = (amount: number) => `₦${amount.toLocaleString('en-NG')}`;
  const subtotal = page
    .getByRole('complementary', { name: 'Cart Summary' })
    .getByRole('definition')
    .first();
  await expect(line.getByRole('button', { name: 'Fewer' })).toBeDisabled();
  await expect(subtotal).toHaveText(naira(price));
  await line.getByRole('button', { name: 'More' }).click();
  await expect(subtotal).toHaveText(naira(price * 2));
  await expect(page.getByText('1 product, 2 pieces')).toBeVisible();
  await line.getByRole('button', { name: 'Fewer' }).click();
  await expect(subtotal).toHaveText(naira(price));
  await page.getByRole('button', { name: `Remove ${name}` }).click();
  await expect(page.getByText('Oops!!! Cart is empty')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Cart Summary')).toBeVisible();
});

test('a double click on Remove takes one product out of the cart', async ({ browser }) => {
  const { page } = await shopperPage(browser);
  await page.goto(shop.url + storePath('Adunni Textiles'));
  await waitForHydration(page);
  for (const place of [0, 1, 2]) await addToCart(page, place);
  await page.goto(shop.url + CART);
  // The next one of the seller moves into the place of what was removed.
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .dblclick();
  await expect(cartLink(page, 2)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
});

test('a double click puts a product into the cart, or takes one of the saved off their page', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser);
  await atTheShelf(page);
  await cards(page)
    .first()
    .getByRole('button', { name: /^Add to cart/ })
    .dblclick();
  await expect(cartLink(page, 1)).toBeVisible();
  const hearts = page.getByRole('button', { name: /^Save: / });
  for (const place of [0, 1, 2]) await hearts.nth(place).click();
  await page.goto(`${shop.url}/saved`);
  await expect(hearts).toHaveCount(3);
  await hearts.first().dblclick();
  await expect(hearts).toHaveCount(2);
});

test('a single order goes to its own cart, marked', async ({ browser }) => {
  const { page } = await shopperPage(browser);
  await atTheShelf(page);
  await addToCart(page, 0);
  const card = cards(page).nth(1);
  const name = (await card.getByRole('heading').textContent()) ?? '';
  await card.getByRole('button', { name: /^Single order/ }).click();
  await expect(page).toHaveURL(/\/cart-contents\/single$/);
  await expect(page.getByRole('listitem').filter({ hasText: 'Single order' })).toContainText(name);
  await expect(cartLink(page, 2)).toBeVisible();
});

/** Signs in as the seller of the product. */
async function sellerOf(id: string) {
  const asked = await fetch(`${shop.url}/v1/product/${id}`);
  const { result }: { result: Product } = await asked.json();
  return (await signedIn(shop, result.businessName)).client;
}

test('goods that are gone or sold out are named, and paying waits for them', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await atTheShelf(page);
  const [name, last] = [await addToCart(page, 0), await addToCart(page, 1)];
  await addToCart(page, 2);
  const items = (await kept(page)).itemsAddedToCart as { product_id: string }[];
  const [id = '', lastId = ''] = items.map(({ product_id }) => product_id);
  const seller = await sellerOf(id);
  await seller.call(200, 'PUT', `/v1/products/${id}/toggle-status`);
  await seller.get(`/v1/product/${id}`);
  const other = await sellerOf(lastId);
  const count = (stock: number | null) =>
    other.call(200, 'PUT', `/v1/product/update/${lastId}`, { stock });
  await count(0);
  await other.get(`/v1/product/${lastId}`);

  await page.goto(shop.url + CART);
  const gone = page.getByRole('status', { name: 'No longer available' });
  await expect(gone).toContainText(name);
  await expect(gone.getByRole('listitem').filter({ hasText: last })).toContainText('sold out');
  await expect(page.getByRole('button', { name: 'Proceed to Checkout' })).toBeDisabled();
  await expectAccessible(page, 'a cart with what is gone and what is sold out');
  await gone.getByRole('button', { name: 'Remove them from the cart' }).click();
  await expect(page.getByRole('link', { name: 'Proceed to Checkout' })).toBeVisible();
  await expect(cartLink(page, 1)).toBeVisible();

  await page.goto(`${shop.url}/single-product/0/${lastId}`);
  await expect(page.getByRole('region', { name: 'Buy' })).toContainText('Sold out');
  await expect(page.getByRole('button', { name: 'Single order', exact: true })).toHaveCount(0);
  await expect(page.getByText('Press Single order.')).toHaveCount(0);
  await expectAccessible(page, 'a product that is sold out');
  await count(null);
});

test('two tabs hold one cart', async ({ browser }) => {
  const { page } = await shopperPage(browser);
  await atTheShelf(page);
  const other = await page.context().newPage();
  await other.goto(shop.url + SHELF);
  await waitForHydration(other);
  await addToCart(page, 0);
  await expect(cartLink(other, 1)).toBeVisible();
  await addToCart(other, 1);
  await expect(cartLink(page, 2)).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  // A tab keeps its cart when the storage is cleared and writes it again with the next change.
  await addToCart(other, 2);
  await expect(cartLink(other, 3)).toBeVisible();
  await expect(cartLink(page, 3)).toBeVisible();
});

test('a full or forbidden storage only remembers less', async ({ browser }) => {
  const { page, wrong } = await shopperPage(browser);
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await atTheShelf(page);
  await addToCart(page, 0);
  await addToCart(page, 1);
  await cartLink(page, 2).click();
  await expect(page.getByText('Cart Summary')).toBeVisible();
  expect(wrong).toEqual([]);
});

for (const spoiled of [
  '{',
  '[]',
  '{"state":{"itemsAddedToCart":[null,{"quantity":"x"}],"user":7}}',
])
  test(`a spoiled storage is read as far as it can be: ${spoiled}`, async ({ browser }) => {
    const { page, wrong } = await shopperPage(browser);
    await page.addInitScript(
      ([name, value]) => {
        if (localStorage.getItem(String(name)) === null)
          localStorage.setItem(String(name), String(value));
      },
      [AUTH_STORAGE, spoiled],
    );
    await atTheShelf(page);
    await addToCart(page, 0);
    await expect(cartLink(page, 1)).toBeVisible();
    expect(wrong).toEqual([]);
  });
