import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type Market, openByNpm, temporaryFolder } from '../support/market.js';
import { picture } from '../support/pictures.js';
import { closePages } from './support/pages.js';

const folder = temporaryFolder();
let market: Market;

test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openByNpm(folder.path);
});
test.afterAll(async () => {
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

/** The Order a receipt speaks of, as its letter lies in the data folder. */
function receipts(): string {
  const mail = join(folder.path, 'mail');
  if (!existsSync(mail)) return '';
  return readdirSync(mail, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(mail, name), 'utf8'))
    .join('\n');
}

async function signUp(page: Page, businessName: string): Promise<void> {
  await page.goto(market.url);
  await page.getByRole('link', { name: 'SELL', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'SIGN UP' })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Ngozi Eze');
  await page.getByLabel('Business name').fill(businessName);
  await page.getByLabel('Phone number').fill('07000000009');
  await page.getByLabel('Password', { exact: true }).fill('a long enough secret');
  await expect(page.getByText('Business name is available!')).toBeVisible();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(page).toHaveURL(/\/upload-product$/);
}

async function logInAgain(page: Page, businessName: string): Promise<void> {
  await page.goto(`${market.url}/login`);
  await page.getByLabel('Business Name').fill(businessName);
  await page.getByLabel('Password', { exact: true }).fill('a long enough secret');
  await page.getByRole('button', { name: 'LOG IN' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

async function upload(page: Page): Promise<void> {
  await page.goto(`${market.url}/upload-product`);
  await page.getByRole('button', { name: /category/i }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Fashion' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Bags' }).click();
  await page.getByRole('button', { name: /state/i }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lagos' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Kasofe' }).click();
  await page.locator('input[type=file]').setInputFiles([
    { name: 'front.jpg', mimeType: 'image/jpeg', buffer: await picture('peru') },
    { name: 'back.jpg', mimeType: 'image/jpeg', buffer: await picture('sienna') },
  ]);
  await page.getByLabel(/product name/i).fill('Woven market basket, large');
  await page.getByLabel(/description/i).fill('Woven in Surulere, carries twenty kilos.');
  await page.getByLabel('Your price').fill('4000');
  await expect(page.getByText('4,600')).toBeVisible();
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('successfully uploaded your product!!!')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { name: 'Woven market basket, large' })).toBeVisible();
}

test('one order, from sign-up and upload to confirmed delivery', async ({ browser }) => {
  const seller = await (await browser.newContext()).newPage();
  await signUp(seller, 'Surulere Weavers');
  await seller.context().clearCookies();
  await logInAgain(seller, 'Surulere Weavers');
  await upload(seller);

  const shopper = await (
    await browser.newContext({ viewport: { width: 360, height: 800 } })
  ).newPage();
  await shopper.goto(market.url);
  await shopper.getByRole('button', { name: /Filter products by Location/ }).click();
  await shopper.getByRole('button', { name: 'Lagos' }).click();
  await shopper.getByRole('button', { name: 'Kasofe' }).click();
  await shopper.getByRole('button', { name: 'view more' }).click();
  await expect(
    shopper.getByRole('heading', { name: 'Woven market basket, large' }).first(),
  ).toBeVisible();
  await shopper.getByPlaceholder('I am looking for...').fill('market basket');
  await expect(shopper).toHaveURL(/\/search-items\?.*query=market/);
  await shopper
    .getByRole('main')
    .getByRole('link', { name: /Woven market basket/ })
    .first()
    .click();
  await expect(shopper).toHaveURL(/\/single-product\/1\//);
  await expect(
    shopper.getByRole('heading', { level: 1, name: 'Woven market basket, large' }),
  ).toBeVisible();
  await shopper.getByRole('button', { name: 'Single order', exact: true }).click();
  await expect(shopper).toHaveURL(/\/cart-contents\/single/);
  await shopper.getByRole('link', { name: 'Proceed to Checkout' }).click();

  await shopper.getByLabel('Full Name').fill('Tunde Bello');
  await shopper.getByLabel('Email address').fill('tunde@example.com');
  await shopper.getByLabel('Home Address').fill('12 Bode Thomas Street, Surulere');
  await shopper.getByLabel('Phone number').fill('07000000010');
  await expect(shopper.getByLabel('Amount')).toHaveValue(/5,400/);
  await shopper.getByRole('button', { name: 'Submit' }).click();
  await shopper.getByRole('button', { name: 'Pay ₦5,400' }).click();

  await expect(shopper.getByText('Payment was successful!')).toBeVisible();
  await expect(seller.getByText(/New order for/).first()).toBeVisible();
  await shopper.getByRole('link', { name: 'To confirmation' }).click();
  await expect(shopper.getByText('Have you received the product?')).toBeVisible();
  await shopper.getByRole('button', { name: 'Yes' }).click();
  await expect(shopper).toHaveURL(`${market.url}/`);

  await seller.goto(`${market.url}/dashboard/notifications`);
  await expect(seller.getByText('Woven market basket, large')).toBeVisible();
  // Nothing tells this tab of what another has just confirmed.
  await expect(async () => {
    await seller.goto(`${market.url}/dashboard`);
    await expect(seller.getByText('4,000').first()).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect
    .poll(() => receipts().replaceAll('=\r\n', ''))
    .toContain('/payment/verify/delivery-confirmation#');
});
