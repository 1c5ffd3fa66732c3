import {
  type Browser,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test';
import { picture } from '../../support/pictures.js';
import { WITH_PICTURES, waitForNotice } from './seller.js';

const BUSINESS_NAME = 'Surulere Weavers';
const BASKET = 'Woven market basket, large';
const PASSWORD = 'a long enough secret';

async function signUp(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: 'SELL', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'SIGN UP' })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Ngozi Eze');
  await page.getByLabel('Business name').fill(BUSINESS_NAME);
  await page.getByLabel('Phone number').fill('07000000009');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expect(page.getByText('Business name is available!')).toBeVisible();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(page).toHaveURL(/\/upload-product$/);
}

async function logInAgain(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Business Name').fill(BUSINESS_NAME);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'LOG IN' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

async function upload(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/upload-product`);
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
  await page.getByLabel(/product name/i).fill(BASKET);
  await page.getByLabel(/description/i).fill('Woven in Surulere, carries twenty kilos.');
  await page.getByLabel('Your price').fill('4000');
  await expect(page.getByText('4,600')).toBeVisible();
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('successfully uploaded your product!!!')).toBeVisible(WITH_PICTURES);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { name: BASKET })).toBeVisible();
}

async function findAndPay(page: Page, { url, hasOtherGoods }: Story): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: /Filter products by Location/ }).click();
  await page.getByRole('button', { name: 'Lagos' }).click();
  await page.getByRole('button', { name: 'Kasofe' }).click();
  if (hasOtherGoods) await page.getByRole('button', { name: 'view more' }).click();
  await expect(page.getByRole('heading', { name: BASKET }).first()).toBeVisible();
  await page.getByPlaceholder('I am looking for...').fill('market basket');
  await expect(page).toHaveURL(/\/search-items\?.*query=market/);
  await page
    .getByRole('main')
    .getByRole('link', { name: /Woven market basket/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/single-product\/1\//);
  await expect(page.getByRole('heading', { level: 1, name: BASKET })).toBeVisible();
  await page.getByRole('button', { name: 'Single order', exact: true }).click();
  await expect(page).toHaveURL(/\/cart-contents\/single/);
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click();

  await page.getByLabel('Full Name').fill('Tunde Bello');
  await page.getByLabel('Email address').fill('tunde@example.com');
  await page.getByLabel('Home Address').fill('12 Bode Thomas Street, Surulere');
  await page.getByLabel('Phone number').fill('07000000010');
  await expect(page.getByLabel('Amount')).toHaveValue(/5,400/);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('button', { name: 'Pay ₦5,400' }).click();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
}

export interface Story {
  /** The market's origin for browsers. */
  readonly url: string;
  /** Whether there are so many goods that a new product is not among the first. */
  readonly hasOtherGoods: boolean;
  readonly seller: BrowserContextOptions;
  readonly shopper: BrowserContextOptions;
  /** Called with each page before it navigates anywhere. */
  readonly watch?: (page: Page) => void;
}

/**
 * One order end to end: a seller signs up, logs in again and lists a basket with two pictures; a
 * shopper finds it, pays and confirms; the seller is notified at once and sees what was earned.
 */
export async function playStory(browser: Browser, story: Story): Promise<void> {
  test.slow();
  const { url, seller: desk, shopper: phone, watch = () => {} } = story;
  const seller = await (await browser.newContext(desk)).newPage();
  watch(seller);
  await signUp(seller, url);
  await seller.context().clearCookies();
  await logInAgain(seller, url);
  await upload(seller, url);

  const shopper = await (await browser.newContext(phone)).newPage();
  watch(shopper);
  await waitForNotice(seller.getByText(/New order for/).first(), findAndPay(shopper, story));
  await shopper.getByRole('link', { name: 'To confirmation' }).click();
  await expect(shopper.getByText('Have you received the product?')).toBeVisible();
  await shopper.getByRole('button', { name: 'Yes' }).click();
  await expect(shopper).toHaveURL(`${url}/`);

  await seller.goto(`${url}/dashboard/notifications`);
  const notices = seller.getByRole('list', { name: 'Orders' });
  await expect(notices.getByText(BASKET, { exact: true })).toBeVisible();
  await expect(notices.getByRole('link', { name: `released to you: ${BASKET}` })).toBeVisible();
  // A confirmation in another tab sends no live update to this one.
  await expect(async () => {
    await seller.goto(`${url}/dashboard`);
    await expect(seller.getByText('4,000').first()).toBeVisible({ timeout: 3_000 });
  }).toPass();
}
