import { type Browser, expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { type Market, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { closePages } from './support/pages.js';
import {
  COLORS,
  expectUploaded,
  files,
  fillBag,
  freshPage,
  hold,
  pressUpload,
  previews,
  SECRET,
  WITH_WORKER,
  waitForNotice,
} from './support/seller.js';

const STORE = 'Surulere Weavers';
const BASKET = 'Woven market basket';
const PURSE = 'Small raffia purse';

const folder = temporaryFolder();
let market: Market;
/** One seller's page from sign-up to the last removal: the tests depend on each other. */
let seller: Page;

test.describe.configure({ mode: 'serial' });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openSampleMarket(folder.path);
  seller = await freshPage(browser, { viewport: { width: 360, height: 740 }, ...WITH_WORKER });
});
test.afterAll(async () => {
  await seller?.context().close();
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

/** Buys a product on the storefront and pays it on the test payment page. */
async function buy(browser: Browser, words: string, sum: string): Promise<void> {
  const shopper = await freshPage(browser, WITH_WORKER);
  await shopper.goto(`${market.url}/search-items?query=${encodeURIComponent(words)}`);
  await shopper.getByRole('main').getByRole('link', { name: words }).first().click();
  await shopper.getByRole('button', { name: 'Single order', exact: true }).click();
  await shopper.getByRole('link', { name: 'Proceed to Checkout' }).click();
  await shopper.getByLabel('Full Name').fill('Tunde Bello');
  await shopper.getByLabel('Email address').fill('tunde@example.com');
  await shopper.getByLabel('Home Address').fill('12 Bode Thomas Street, Surulere');
  await shopper.getByLabel('Phone number').fill('07000000010');
  await shopper.getByRole('button', { name: 'Submit' }).click();
  await shopper.getByRole('button', { name: `Pay ₦${sum}` }).click();
  await expect(shopper.getByText('Payment was successful!')).toBeVisible();
  await shopper.context().close();
}

/** Searches without an account; returns the names of the products found. */
async function found(words: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ query: words });
  const answer = await fetch(`${market.url}/v1/products/search?${query}`);
  const { result }: { result: readonly { prod_name: string }[] } = await answer.json();
  return result.map(({ prod_name }) => prod_name);
}

/** A toast covers the header links for a while, and swallows a press that comes as it leaves. */
const nothingSaid = () => expect(seller.locator('[data-toast]')).toHaveCount(0);

const card = (name: string) => seller.getByRole('article').filter({ hasText: name });

/** The colour in the middle of the picture at this address. */
async function colorOf(address: string | null): Promise<readonly number[]> {
  const answer = await seller.request.get(address ?? '');
  const { data } = await sharp(await answer.body())
    .removeAlpha()
    .resize(1, 1)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}

test('signs up under a name that is checked while it is typed', async () => {
  await seller.goto(market.url);
  await seller.getByRole('link', { name: 'SELL', exact: true }).click();
  await expect(seller).toHaveURL(/\/register$/);
  const name = seller.getByLabel('Business name');
  await name.fill('adunni-textiles');
  await expect(seller.getByText('Business name is already taken!')).toBeVisible();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.fill(STORE);
  await expect(seller.getByText('Business name is available!')).toBeVisible();
  await expect(name).not.toHaveAttribute('aria-invalid', 'true');

  await seller.getByLabel('Name', { exact: true }).fill('Ngozi Eze');
  await seller.getByLabel('Phone number').fill('07000000009');
  await seller.getByLabel('Password', { exact: true }).fill(SECRET);
  await expect(seller.getByRole('button', { name: 'SIGN UP' })).toBeDisabled();
  await seller.getByRole('checkbox').check();
  await seller.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(seller).toHaveURL(/\/upload-product$/);
});

test('has no goods yet, and is told so', async () => {
  await seller.goto(`${market.url}/dashboard`);
  await expect(seller.getByText('No Products avialable. Kindly make an upload!')).toBeVisible();
  await seller.getByRole('main').getByRole('link', { name: 'upload' }).first().click();
  await expect(seller).toHaveURL(/\/upload-product$/);
});

test('uploads six pictures, the first of which is the title', async () => {
  await fillBag(seller, { name: BASKET, price: 4_000, colors: COLORS });
  await expect(seller.getByText('Title picture', { exact: true })).toHaveCount(1);
  await expect(seller.getByText('Add picture')).toHaveCount(0);
  // A press removes the red picture; the green one becomes the title, and another can be added.
  await previews(seller).first().click();
  await expect(previews(seller)).toHaveCount(5);
  await expect(previews(seller).first().getByText('Title picture')).toBeVisible();
  await seller.getByRole('button', { name: 'Undo' }).click();
  await expect(previews(seller)).toHaveCount(6);
  await previews(seller).first().click();
  await seller.locator('input[type=file]').setInputFiles(await files(['white']));
  await expect(previews(seller)).toHaveCount(6);

  const release = await hold(seller, '**/v1/add-product');
  await expect(seller.getByText('4,600')).toBeVisible();
  await pressUpload(seller);
  await expect(seller.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
  release();
  await expectUploaded(seller, BASKET);
  await expect(card(BASKET)).toContainText('4,600');
  const [red = 0, green = 0, blue = 0] = await colorOf(
    await card(BASKET).getByRole('img').first().getAttribute('src'),
  );
  expect(green).toBeGreaterThan(200);
  expect(Math.max(red, blue)).toBeLessThan(60);
});

test('changes the chosen fields only, and the price by 10 % of the own figure', async () => {
  await card(BASKET).getByRole('link').first().click();
  await expect(seller).toHaveURL(/\/single-product\/1\//);
  await seller.getByRole('link', { name: 'edit details' }).click();
  await expect(seller.getByRole('heading', { name: 'Update product' })).toBeVisible();
  await expect(seller.getByRole('button', { name: 'update Product' })).toHaveCount(0);
  await seller.getByRole('checkbox', { name: /^Color/i }).check();
  await seller.getByRole('textbox', { name: 'Color' }).fill('indigo');
  await seller.getByRole('checkbox', { name: /^Price/ }).check();
  await expect(seller.getByLabel('Your price')).toHaveValue('4,000');
  await seller.getByLabel('Your price').fill('5000');

  const sent = seller.waitForRequest(/\/v1\/product\/update\//);
  await seller.getByRole('button', { name: 'update Product' }).click();
  expect((await sent).postDataJSON()).toEqual({ color: 'indigo', price: 5_500 });
  await expect(seller).toHaveURL(/\/single-product\/1\/[^/]+$/);
  await expect(seller.getByRole('row', { name: 'Color indigo' })).toBeVisible();
  await expect(seller.getByText('You receive ₦5,000')).toBeVisible();
});

test('takes it off sale and puts it back', async () => {
  await nothingSaid();
  await seller.getByRole('link', { name: 'All Products' }).first().click();
  await seller.getByRole('button', { name: /^Available/ }).click();
  await expect(seller.getByRole('button', { name: /^Unavailable/ })).toBeVisible();
  await expect(card(BASKET)).toContainText('Unavailable');
  await expect.poll(() => found(BASKET)).toEqual([]);
  await seller.reload();
  await seller.getByRole('button', { name: /^Unavailable/ }).click();
  await expect(seller.getByRole('button', { name: /^Available/ })).toBeVisible();
  await expect.poll(() => found(BASKET)).toEqual([BASKET]);
});

test('is told of an order while the page is open', async ({ browser }) => {
  const bell = seller.getByRole('link', { name: /^Notifications, / });
  await expect(bell).toHaveAccessibleName('Notifications, 0 unread');
  await waitForNotice(seller.getByText(`New order for:${BASKET}`), buy(browser, BASKET, '5,500'));
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread');
  // The open page shows the money of the order as well.
  await expect(seller.getByRole('main')).toContainText(/Held for you\s*₦5,000/);

  await bell.click();
  const notice = seller.getByRole('list', { name: 'Orders' }).getByRole('listitem');
  await expect(notice).toHaveCount(1);
  await expect(notice).toContainText(BASKET);
  await expect(notice).toContainText('Quantity 1');
  await expect(notice).toContainText(/\d\d-\d\d-\d{4} \d\d:\d\d:\d\d UTC/);
  await expect(notice.locator('img')).toHaveJSProperty('complete', true);
});

test('cannot remove what a buyer has paid for', async () => {
  await seller.getByRole('link', { name: 'Back' }).click();
  await card(BASKET)
    .getByRole('button', { name: /^Remove/ })
    .click();
  const question = seller.getByRole('dialog', { name: `Remove ${BASKET}?` });
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(seller.getByText('This product is still in transaction!')).toBeVisible();
  await expect(question).toHaveCount(0);
  await expect(card(BASKET)).toBeVisible();
});

test('clears the notices', async () => {
  await nothingSaid();
  await seller.getByRole('link', { name: /^Notifications, / }).click();
  await seller.getByRole('button', { name: 'clear all' }).click();
  await expect(seller.getByText('Nothing Ordered!!!')).toBeVisible();
  await expect(seller.getByRole('link', { name: 'Notifications, 0 unread' })).toBeVisible();
  await seller.getByRole('button', { name: 'clear all' }).click();
  await expect(seller.getByText('No notifications to clear')).toBeVisible();
  // The order itself still has to be handed over.
  await seller.getByRole('link', { name: 'Orders', exact: true }).first().click();
  await expect(seller.getByText('1 to hand over')).toBeVisible();
  await expect(seller.getByRole('list', { name: 'Orders' })).toContainText(BASKET);
});

test('removes what nobody waits for, after being asked once by name', async () => {
  await seller.goto(`${market.url}/upload-product`);
  await fillBag(seller, { name: PURSE, price: 1_500, colors: ['blue', 'black'] });
  await pressUpload(seller);
  await expectUploaded(seller, PURSE);
  const address = await card(PURSE).getByRole('link').first().getAttribute('href');

  // On a wide screen the second click of a double click is beside the question, which it would end unread.
  const phone = seller.viewportSize();
  await seller.setViewportSize({ width: 1280, height: 800 });
  await card(PURSE)
    .getByRole('button', { name: /^Remove/ })
    .dblclick();
  const question = seller.getByRole('dialog', { name: `Remove ${PURSE}?` });
  await question.getByRole('button', { name: 'Keep it' }).click();
  if (phone) await seller.setViewportSize(phone);
  await expect(card(PURSE)).toBeVisible();
  await card(PURSE)
    .getByRole('button', { name: /^Remove/ })
    .click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(card(PURSE)).toHaveCount(0);
  await expect(card(BASKET)).toBeVisible();
  await expect.poll(() => found(PURSE)).toEqual([]);
  expect((await fetch(market.url + address)).status).toBe(404);
});
