import {
  type Browser,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { picture } from '../../support/pictures.js';

export const SECRET = 'a long enough secret';
/** The browser scales pictures and the host checks them, which takes long on a busy machine. */
export const WITH_PICTURES = { timeout: 60_000 };

/** Colours far enough apart to be told from each other after two compressions. */
export const COLORS = ['red', 'lime', 'blue', 'yellow', 'magenta', 'black'] as const;

/** For a page that lives with its service worker, as every user's does. */
export const WITH_WORKER = { serviceWorkers: 'allow' } as const;

/**
 * A page in a browser context of its own, by default without a service worker: to install one in each context costs a
 * fifth of the CPU of all browser tests.
 */
export async function freshPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  // Mark the release notice as seen, so that it does not cover the storefront.
  await context.addInitScript(() => localStorage.setItem('oja-release-seen', '1'));
  return context.newPage();
}

/** Signs up with the form; ends on the upload page. */
export async function signUp(page: Page, url: string, businessName: string): Promise<void> {
  await page.goto(`${url}/register`);
  await page.getByLabel('Name', { exact: true }).fill('Ngozi Eze');
  await page.getByLabel('Business name').fill(businessName);
  await page.getByLabel('Phone number').fill('07000000009');
  await page.getByLabel('Password', { exact: true }).fill(SECRET);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(page).toHaveURL(/\/upload-product$/);
}

/** Logs in on the login page that is open. */
export async function logIn(page: Page, businessName: string, password = SECRET): Promise<void> {
  await page.getByLabel('Business Name').fill(businessName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'LOG IN' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

export async function files(colors: readonly string[]) {
  return Promise.all(
    colors.map(async (color) => ({
      name: `${color}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await picture(color),
    })),
  );
}

/** The chosen pictures, in order. */
export const previews = (page: Page) => page.getByRole('button', { name: /^Remove picture/ });

/** Fills the whole upload form for a bag; `price` is the seller's own, in naira. */
export async function fillBag(
  page: Page,
  { name, price, colors }: { name: string; price: number; colors: readonly string[] },
): Promise<void> {
  await pick(page, /^Category/, 'Fashion', 'Bags');
  await pick(page, /^State/, 'Lagos', 'Kasofe');
  await page.locator('input[type=file]').setInputFiles(await files(colors));
  await expect(previews(page)).toHaveCount(colors.length);
  await page.getByLabel(/product name/i).fill(name);
  await page.getByLabel('color').fill('brown');
  await page.getByLabel(/description/i).fill('Woven in Surulere, carries twenty kilos.');
  await page.getByLabel('Your price').fill(String(price));
}

/** Chooses in a dialog of two levels. */
export async function pick(page: Page, field: RegExp, first: string, second: string) {
  await page.getByRole('button', { name: field }).click();
  await page.getByRole('dialog').getByRole('button', { name: first, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: second, exact: true }).click();
}

export const pressUpload = (page: Page) =>
  page.getByRole('button', { name: 'Upload', exact: true }).click();

/** Expects the product to be uploaded and listed. */
export async function expectUploaded(page: Page, name: string): Promise<void> {
  await expect(page.getByText('successfully uploaded your product!!!')).toBeVisible(WITH_PICTURES);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

/** Holds matching requests back; returns a function that releases them. */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/**
 * The toast stands for five seconds, and a busy machine may show the shopper the payment later:
 * wait for both at once.
 */
export async function waitForNotice(notice: Locator, paying: Promise<void>): Promise<void> {
  await Promise.all([notice.waitFor({ timeout: 100_000 }), paying]);
}
