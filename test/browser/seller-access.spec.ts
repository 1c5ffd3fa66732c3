import { expect, type Page, test } from '@playwright/test';
import { type Market, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { expectAccessible } from './support/axe.js';
import { closePages } from './support/pages.js';
import {
  files,
  freshPage,
  hold,
  logIn,
  pick,
  pressUpload,
  previews,
  signUp,
} from './support/seller.js';

/** A store of the sample goods; its password is public. */
const SAMPLE = 'Adunni Textiles';
const SAMPLE_SECRET = 'market-day';

const folder = temporaryFolder();
let market: Market;
/** A seller who has just signed up, and one who has been selling for a while. */
let fresh: Page;
let known: Page;

test.describe.configure({ mode: 'serial' });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openSampleMarket(folder.path);
  [fresh, known] = [
    await freshPage(browser),
    await freshPage(browser, { permissions: ['notifications'] }),
  ];
});
test.afterAll(async () => {
  await fresh?.context().close();
  await known?.context().close();
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

test('login: empty, refused', async () => {
  await known.goto(`${market.url}/login`);
  await expectAccessible(known, 'login');
  await known.getByLabel('Business Name').fill(SAMPLE);
  await known.getByLabel('Password', { exact: true }).fill('not the password');
  await known.getByRole('button', { name: 'LOG IN' }).click();
  await expect(known.getByText('Error logging in')).toBeVisible();
  await expectAccessible(known, 'login refused');
  await logIn(known, SAMPLE, SAMPLE_SECRET);
});

test('register: empty, wrong, taken', async () => {
  await fresh.goto(`${market.url}/register`);
  await expectAccessible(fresh, 'register');
  await fresh.getByRole('checkbox').check();
  await fresh.getByRole('button', { name: 'SIGN UP' }).click();
  const alert = fresh
    .locator('[data-toast]')
    .filter({ hasText: 'Please enter your Business Name.' });
  await expect(alert).toBeVisible();
  expect((await alert.boundingBox())?.width).toBeLessThanOrEqual(250);
  await fresh.getByLabel('Business name').fill(SAMPLE);
  await expect(fresh.getByText('Business name is already taken!')).toBeVisible();
  await fresh.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(fresh.getByText('please enter your passwordd!')).toBeVisible();
  await expectAccessible(fresh, 'register with errors');
  await signUp(fresh, market.url, 'Balogun Beads');
});

test('a store name is told why it is none, and the longest one widens no phone', async ({
  browser,
}) => {
  const page = await freshPage(browser, { viewport: { width: 320, height: 640 } });
  await page.goto(`${market.url}/register`);
  const name = page.getByLabel('Business name');
  const free = page.getByText('Business name is available!');
  const refused = [
    ['\u{1F45C}\u{1F45C}\u{1F45C} Bags', /^only letters, digits, spaces/],
    ['abc', 'minimum of 4 characters'],
    ['L'.repeat(61), 'maximum of 60 characters'],
  ] as const;
  for (const [typed, why] of refused) {
    await name.fill(typed);
    await expect(page.getByText(why)).toBeVisible();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(free).toHaveCount(0);
  }
  const longest = 'L'.repeat(60);
  await name.fill(longest);
  await expect(free).toBeVisible();
  await signUp(page, market.url, longest);
  for (const [path, heading] of [
    ['/upload-product', /upload/i],
    ['/dashboard', 'All Products'],
    ['/dashboard/profile', 'Profile'],
    [`/sellers-store/${longest}`, longest],
  ] as const) {
    await page.goto(market.url + path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    const over = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
    expect(await over(), path).toBe(0);
  }
});

test('upload: empty, with errors, its pickers, filled, on its way', async () => {
  await expectAccessible(fresh, 'upload');
  await pressUpload(fresh);
  await expect(fresh.getByText('Please select a file.')).toBeVisible();
  await expectAccessible(fresh, 'upload with errors');
  await fresh.getByRole('button', { name: /^Category/ }).click();
  await expectAccessible(fresh, 'categories');
  await fresh.getByRole('dialog').getByRole('button', { name: 'Phones and Laptop' }).click();
  await expectAccessible(fresh, 'subcategories');
  await fresh
    .getByRole('dialog')
    .getByRole('button', { name: 'Mobile Phones', exact: true })
    .click();
  await fresh.getByRole('button', { name: /^State/ }).click();
  await expectAccessible(fresh, 'states');
  await fresh.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await pick(fresh, /^State/, 'Lagos', 'Kasofe');
  await fresh.locator('input[type=file]').setInputFiles(await files(['red', 'blue']));
  await expect(previews(fresh)).toHaveCount(2);
  await fresh.getByLabel(/product name/i).fill('Phone with a long name that goes over two lines');
  await fresh.getByLabel(/description/i).fill('Rings.');
  await fresh.getByLabel('Your price').fill('120000');
  await expectAccessible(fresh, 'upload filled');
  await hold(fresh, '**/image/upload');
  await pressUpload(fresh);
  await expect(fresh.getByRole('progressbar')).toBeVisible();
  await expectAccessible(fresh, 'uploading');
});

test('dashboard, notifications and profile of somebody new', async () => {
  fresh.once('dialog', (dialog) => dialog.accept());
  await fresh.goto(`${market.url}/dashboard`);
  await expect(fresh.getByText('No Products avialable. Kindly make an upload!')).toBeVisible();
  await expectAccessible(fresh, 'dashboard without goods');
  await fresh.goto(`${market.url}/dashboard/notifications`);
  await expect(fresh.getByText('Nothing Ordered!!!')).toBeVisible();
  await expectAccessible(fresh, 'no notifications');
  await fresh.goto(`${market.url}/dashboard/profile`);
  await fresh.getByRole('button', { name: 'Add bank details' }).click();
  await fresh.getByRole('button', { name: 'Save bank details' }).click();
  await expect(fresh.getByLabel('Account number')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(fresh, 'bank details with errors');
});

test('dashboard with goods, its menu and its question', async () => {
  await known.goto(`${market.url}/dashboard`);
  await expect(known.getByRole('article').first()).toBeVisible();
  await known
    .getByRole('button', { name: /^(Una|A)vailable/ })
    .first()
    .click();
  await expect(known.getByRole('button', { name: /^Unavailable/ })).toHaveCount(1);
  await expectAccessible(known, 'dashboard with goods');
  await known.getByRole('button', { name: 'Choose several' }).click();
  await known.getByRole('main').getByRole('checkbox').first().check();
  await expect(known.getByText('1 chosen')).toBeVisible();
  await expectAccessible(known, 'choosing several');
  await known.getByRole('button', { name: 'Done' }).click();
  await known
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await expectAccessible(known, 'removal');
  await known.keyboard.press('Escape');
});

test('own product with its history, update with ticks', async () => {
  await known.getByRole('article').getByRole('link').first().click();
  await expect(known.getByRole('heading', { name: 'Who did what, when' })).toBeVisible();
  await expect(known.getByText('Lagos time').first()).toBeVisible();
  await expectAccessible(known, 'own product');
  await known.getByRole('link', { name: 'edit details' }).click();
  await known.getByRole('checkbox', { name: /^Pictures/ }).check();
  await expect(previews(known).first()).toBeVisible();
  await known.getByRole('checkbox', { name: /^Product name/ }).check();
  await known.getByRole('textbox', { name: 'Product name' }).fill('');
  await known.getByRole('checkbox', { name: /^Price/ }).check();
  await known.getByRole('button', { name: 'update Product' }).click();
  await expect(known.getByText('Please enter all asterisked (*) fields!')).toBeVisible();
  await expectAccessible(known, 'update with errors');
});

test('notifications, profile as it stands and in change', async () => {
  await known.goto(`${market.url}/dashboard/notifications`);
  await expect(known.getByRole('list', { name: 'Orders' })).toBeVisible();
  await expectAccessible(known, 'notifications');
  await known.goto(`${market.url}/dashboard/profile`);
  await expect(known.getByLabel('Phone number')).toBeVisible();
  await expectAccessible(known, 'profile');
  await known.getByRole('button', { name: 'edit details' }).click();
  await known.getByLabel('Phone number').fill('');
  await known.getByRole('button', { name: 'Update Profile' }).click();
  await expect(known.getByRole('alert')).toBeVisible();
  await expectAccessible(known, 'profile in change');
});
