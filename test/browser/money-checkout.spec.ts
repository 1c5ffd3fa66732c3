import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.js';
import {
  addToCart,
  buyer,
  fillForm,
  type Goods,
  type MoneyMarket,
  openMoneyMarket,
  payButton,
  STORE,
  submit,
  toProvider,
} from './support/money.js';
import { closePages } from './support/pages.js';
import { freshPage, hold, WITH_WORKER } from './support/seller.js';

const PHONE = { viewport: { width: 360, height: 740 }, ...WITH_WORKER };

let market: MoneyMarket;
let goods: Goods;
let ordersBefore: number;

test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openMoneyMarket();
  goods = await market.goodsOf(STORE, (price) => price > 5_000);
});
test.beforeEach(async () => {
  ordersBefore = await market.happened('OrderPlaced');
});
test.afterAll(() => market?.close());

const expectOrders = async (count: number) =>
  expect((await market.happened('OrderPlaced')) - ordersBefore).toBe(count);

async function expectTyped(page: Page): Promise<void> {
  for (const [label, text] of Object.entries(buyer))
    await expect(page.getByLabel(label)).toHaveValue(text);
}

test('reload, Back and double click at every step make one order that is paid once', async ({
  browser,
}) => {
  const page = await freshPage(browser, PHONE);
  await addToCart(page, market.url, goods);
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
  await expectAccessible(page, 'the empty form');
  await submit(page).click();
  await expect(page.getByText('Full Name is required')).toBeVisible();
  await expectAccessible(page, 'the form with what is missing');
  await fillForm(page);
  await page.reload();
  await expectTyped(page);

  await submit(page).dblclick();
  await expect(payButton(page)).toBeVisible();
  const address = page.url();
  await expectAccessible(page, 'the test payment page');
  await page.reload();
  await expect(payButton(page)).toBeVisible();

  await page.goBack();
  await expectTyped(page);
  await page.reload();
  await expectTyped(page);
  await submit(page).dblclick();
  await expect(page).toHaveURL(address);

  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Payment verification failed.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Payment verification failed.')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('The bank declined this payment.')).toBeVisible();
  await expectAccessible(page, 'the test payment page after a decline');
  await payButton(page).dblclick();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
  await expectOrders(1);

  await page.reload();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
  await page.goBack();
  await page.goto(address);
  await expect(page.getByText('This payment has been made.')).toBeVisible();
  await expectAccessible(page, 'the test payment page of a payment that was made');
  await page.getByRole('link', { name: 'Back to the market' }).click();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
  await page.goto(`${market.url}/payment-form`);
  await expect(page.getByText('Oops!!! Cart is empty')).toBeVisible();
  await expectAccessible(page, 'the form without anything to pay for');
  await expectOrders(1);
  await page.context().close();
});

test('an order that was changed after Back and then paid leaves no second one to pay', async ({
  browser,
}) => {
  const page = await freshPage(browser, PHONE);
  await addToCart(page, market.url, goods);
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
  await fillForm(page);
  await submit(page).click();
  await expect(payButton(page)).toBeVisible();
  await page.goBack();
  await page.getByLabel('Phone number').fill('0803 412 7766');
  await submit(page).click();
  await payButton(page).click();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
  await expectOrders(2);

  await page.getByRole('link', { name: 'My orders on this device' }).click();
  const cards = page.getByRole('list', { name: 'My orders' }).locator('> li');
  await expect(cards.first()).toContainText('Oja holds your money');
  await expect(cards.last()).toContainText(/You paid order \w{8} in its place/);
  await expect(page.getByRole('button', { name: /^(Pay|Order again)/ })).toHaveCount(0);
  await expectAccessible(page, 'the list with a replaced order');
  await page.context().close();
});

test('an order that was paid, and whose buyer never came back from the payment page, is noticed on the home page', async ({
  browser,
}) => {
  const paidBefore = await market.happened('PaymentVerified');
  const page = await freshPage(browser, PHONE);
  await toProvider(page, market.url, goods);
  await market.provider.press(page.url(), 'pay');
  await expect.poll(() => market.happened('PaymentVerified')).toBe(paidBefore + 1);
  await page.goto(market.url);
  await expect(page.getByRole('link', { name: 'Confirm your delivery' }).first()).toBeVisible();
  await expect(page.getByText(/^Order \w{8} is paid$/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Cart, 0 items' }).first()).toBeVisible();
  await page.goto(`${market.url}/payment-form`);
  await expect(page.getByText('Oops!!! Cart is empty')).toBeVisible();
  await expectOrders(1);
  await page.context().close();
});

test('Single order pressed before the page has come to life is not lost', async ({ browser }) => {
  const page = await freshPage(browser, PHONE);
  await page.goto(`${market.url}/single-product/0/${goods.product_id}`);
  await expect(page).not.toHaveURL(/single-product\/0\//);
  const release = await hold(page, /\/assets\/(?!begin).*\.js$/);
  await page.goto(page.url(), { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Single order', exact: true }).dblclick();
  release();
  await expect(page).toHaveURL(/\/cart-contents\/single/);
  await expect(page.getByRole('main')).toContainText(goods.prod_name);
  await page.context().close();
});

test('the product last chosen is ordered when the cart is empty', async ({ browser }) => {
  const page = await freshPage(browser, WITH_WORKER);
  await addToCart(page, market.url, goods);
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('auth-storage') ?? '{}');
    kept.state.itemsAddedToCart = [];
    kept.state.showButton = {};
    localStorage.setItem('auth-storage', JSON.stringify(kept));
  });
  await page.goto(`${market.url}/payment-form`);
  await fillForm(page);
  await submit(page).click();
  await payButton(page).click();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
  await expectOrders(1);
  await page.context().close();
});

test('a price that changed while paying is shown, and asked for anew', async ({ browser }) => {
  const page = await freshPage(browser, { viewport: { width: 360, height: 640 }, ...WITH_WORKER });
  await addToCart(page, market.url, goods);
  await page.goto(`${market.url}/payment-form`);
  await fillForm(page);
  const dearer = goods.price + 1_100;
  await market.reprice(goods, dearer);
  await submit(page).click();
  await expect(page.getByRole('alert')).toContainText('The total has changed');
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
  const total = `₦${dearer.toLocaleString('en-NG')}`;
  await expect(page.getByLabel('Amount')).toHaveValue(total);
  await expectTyped(page);
  await expectAccessible(page, 'the form with a new total');
  await expectOrders(0);
  await submit(page).click();
  await page.getByRole('button', { name: `Pay ${total}`, exact: true }).click();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
  await expectOrders(1);
  await market.reprice(goods, goods.price);
  await page.context().close();
});

test('a provider that does not answer is a modal, and the next press pays the same order', async ({
  browser,
}) => {
  const page = await freshPage(browser, PHONE);
  await addToCart(page, market.url, goods);
  await page.goto(`${market.url}/payment-form`);
  await fillForm(page);
  await market.provider.plan('rate-limit', { times: 1, retryAfterSeconds: 1 });
  await submit(page).click();
  const modal = page.getByRole('dialog', { name: 'Payment Error' });
  await expect(modal).toContainText(
    'There was an issue redirecting to the payment page. Please try again.',
  );
  await expectAccessible(page, 'the modal of a payment error');
  await modal.getByRole('button', { name: 'Close' }).last().click();
  await expect(modal).toBeHidden();
  await expectTyped(page);
  await submit(page).click();
  await payButton(page).click();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
  await expectOrders(1);
  await page.context().close();
});
