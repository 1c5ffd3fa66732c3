import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/axe.js';
import {
  type Goods,
  type MoneyMarket,
  openMoneyMarket,
  pay,
  STORE,
  toProvider,
} from './support/money.js';
import { closePages } from './support/pages.js';
import { freshPage } from './support/seller.js';

const CONFIRMATION = '/payment/verify/delivery-confirmation';
const QUESTION = 'Have you received the product?';
const HOUR = 3_600_000;

let market: MoneyMarket;
let goods: Goods;

test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openMoneyMarket();
  goods = await market.goodsOf(STORE, (price) => price > 5_000);
});
test.afterAll(() => market?.close());

const bell = (page: Page) => page.getByRole('link', { name: 'Confirm your delivery' });
const referenceOf = (page: Page) => new URL(page.url()).searchParams.get('reference') ?? '';

test('verification says one of four things, and where to turn', async ({ browser }) => {
  const page = await freshPage(browser);
  const contact = page.getByRole('link', { name: 'Contact us' });
  await page.goto(`${market.url}/payment/verify`);
  await expect(page.getByText('No payment reference found.')).toBeVisible();
  await expectAccessible(page, 'verification without a reference');
  await contact.click();
  await expect(page).toHaveURL(/\/contact\?subject=VERFICATION/);

  await toProvider(page, market.url, goods);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Payment verification failed.')).toBeVisible();
  await expectAccessible(page, 'verification of a declined payment');
  const reference = referenceOf(page);
  await market.provider.plan('rate-limit', { times: 20, reference });
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('Error verifying payment.')).toBeVisible();
  await expectAccessible(page, 'verification without an answer');
  await contact.click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(new RegExp(reference));

  const happy = await freshPage(browser);
  await pay(happy, market.url, goods);
  const bought = happy.getByRole('region', { name: 'What you bought' });
  await expect(bought).toContainText(goods.prod_name);
  await expectAccessible(happy, 'verification of a payment, with its order');
  await happy.getByRole('link', { name: 'To confirmation' }).click();
  await expect(happy.getByText(QUESTION)).toBeVisible();
  await happy.goto(market.url);
  await expect(bell(happy)).toBeVisible();
  await page.context().close();
  await happy.context().close();
});

test('only the browser that paid, or the link of the receipt, can confirm', async ({ browser }) => {
  const payer = await freshPage(browser, { viewport: { width: 360, height: 740 } });
  await pay(payer, market.url, goods);
  const reference = referenceOf(payer);

  const stranger = await freshPage(browser);
  await stranger.goto(`${market.url}/payment/verify?reference=${reference}`);
  await expect(stranger.getByText('Payment was successful!')).toBeVisible();
  await stranger.getByRole('link', { name: 'To confirmation' }).click();
  await expect(stranger.getByText('There is no delivery to confirm')).toBeVisible();
  await expectAccessible(stranger, 'confirmation in a browser that paid nothing');
  await stranger.goto(market.url);
  await expect(stranger.getByRole('link', { name: 'Oja, home' })).toBeVisible();
  await expect(bell(stranger)).toBeHidden();
  await stranger.goto(`${market.url}${CONFIRMATION}#${reference}.${'A'.repeat(22)}`);
  await expect(stranger.getByText('We do not know this order')).toBeVisible();
  await expectAccessible(stranger, 'confirmation of an order nobody knows');
  const guessed = await stranger.request.put(
    `${market.url}/v1/buyers/transactions/${reference}.${'A'.repeat(22)}`,
  );
  expect(guessed.status()).toBe(404);

  const link = new RegExp(`${CONFIRMATION}#(${reference}\\.[\\w-]{22})`);
  await expect.poll(() => market.letters()).toMatch(link);
  const key = link.exec(market.letters())?.[1] ?? '';
  const phone = await freshPage(browser);
  await phone.goto(`${market.url}${CONFIRMATION}#${key}`);
  await expect(phone.getByText(QUESTION)).toBeVisible();
  await expect(phone).toHaveURL(market.url + CONFIRMATION);
  await phone.getByRole('button', { name: 'Yes' }).click();
  await expect(phone).toHaveURL(`${market.url}/`);
  await expect(bell(phone)).toBeHidden();

  await payer.goto(market.url + CONFIRMATION);
  await expect(payer.getByText('You have confirmed this delivery')).toBeVisible();
  await expectAccessible(payer, 'a delivery that was confirmed');
  await payer.goto(market.url);
  await expect(bell(payer)).toBeHidden();
  for (const page of [payer, stranger, phone]) await page.context().close();
});

test('No keeps the question and the bell, Yes ends both', async ({ browser }) => {
  const page = await freshPage(browser, { viewport: { width: 360, height: 740 } });
  await pay(page, market.url, goods);
  const before = await market.happened('DeliveryNotYet');
  for (const _ of ['first', 'second', 'third']) {
    await page.goto(market.url + CONFIRMATION);
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await expect(page).toHaveURL(`${market.url}/`);
    await expect(page.getByText('Product not delivered!!!!')).toBeVisible();
    await expect(bell(page)).toBeVisible();
  }
  expect((await market.happened('DeliveryNotYet')) - before).toBe(1);

  await bell(page).click();
  await expect(page.getByText(QUESTION)).toBeVisible();
  await expect(page.getByText(/You can report a problem from/)).toBeVisible();
  await expectAccessible(page, 'the question');
  const confirmed = await market.happened('DeliveryConfirmed');
  await page.getByRole('button', { name: 'Yes' }).dblclick();
  await expect(page).toHaveURL(`${market.url}/`);
  await expect(bell(page)).toBeHidden();
  await page.goBack();
  await page.goto(market.url);
  expect((await market.happened('DeliveryConfirmed')) - confirmed).toBe(1);
  await page.context().close();
});

test('a problem is reported from 48 hours on, looked into, and the money given back', async ({
  browser,
}) => {
  const page = await freshPage(browser, { viewport: { width: 360, height: 740 } });
  await pay(page, market.url, goods);
  const id = referenceOf(page);
  market.clock.pass(49 * HOUR);
  await page.goto(market.url + CONFIRMATION);
  await page.getByRole('button', { name: 'Report a problem' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report a problem' });
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog.getByText('Say what is wrong')).toBeVisible();
  await expectAccessible(page, 'the report of a problem');
  await dialog.getByLabel('What is wrong?').fill('The cloth is torn.');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('We are looking into your problem')).toBeVisible();
  await expectAccessible(page, 'an order in dispute');

  await market.oja('dispute', 'settle', id, '--seller', STORE, '--refund', '--yes');
  await expect
    .poll(() => market.happened('RefundCompleted'), { timeout: 90_000 })
    .toBeGreaterThan(0);
  // An operator's action sends no live update here, and the browser forgets a shown order.
  await expect(async () => {
    await page.goto(market.url + CONFIRMATION);
    await expect(page.getByText('Your money was given back')).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expectAccessible(page, 'an order that was refunded');
  await expect(bell(page)).toBeHidden();
  await page.context().close();
});
