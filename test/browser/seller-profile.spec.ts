import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { Client } from '../support/client.js';
import { type Market, runOja, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { listBag, registerSeller } from '../thread/walk.js';
import { tabTo, typeInto } from './support/keyboard.js';
import { expectInPlace } from './support/layout.js';
import { closePages } from './support/pages.js';
import { freshPage, logIn, SECRET } from './support/seller.js';

const BEFORE = 'Yaba Leather Works';
const AFTER = 'Ọmọ Yaba & Daughters';
const STRANGER = 'Oshodi Onlookers';
const ADMIN = 'Adunni Textiles';
const BAG = 'Saddle bag of Yaba';
const ACCOUNT = { name: 'Ngozi Eze Ventures', number: '3127450986' };

const folder = temporaryFolder();
let market: Market;
let page: Page;
let sellerId: string;
let bagId: string;

test.describe.configure({ mode: 'serial' });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openSampleMarket(folder.path);
  const seller = await registerSeller(market.url, BEFORE);
  sellerId = seller.details.user_id;
  bagId = await listBag(seller, BAG, 9_200, ['peru', 'sienna']);
  page = await freshPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(`${market.url}/login`);
  await logIn(page, BEFORE);
});
test.afterAll(async () => {
  await page?.context().close();
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

async function signedIn(businessName: string, password: string): Promise<Client> {
  const client = new Client(market.url);
  const body = { businessName, password };
  const answer = await client.call<{ accessToken: string }>(200, 'POST', '/v1/login', body);
  client.token = answer.accessToken;
  return client;
}

/** All files of the data folder as one text. */
const kept = (): string =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('bank details are shown back to their owner, and lie sealed', async () => {
  await page.goto(`${market.url}/dashboard/profile`);
  await page.getByRole('button', { name: 'Add bank details' }).click();
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await expect(page.getByLabel('Account name')).toBeFocused();
  await page.getByLabel('Account name').fill(ACCOUNT.name);
  await page.getByLabel('Account number').fill(ACCOUNT.number);
  await page.getByLabel('Bank', { exact: true }).fill('guaranty trust bank');
  const password = page.getByLabel('Your password');
  await password.fill('somebody else’s');
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await expect(page.getByText('is not your password')).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill(SECRET);
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await expect(page.getByText('Bank details saved')).toBeVisible();
  await page.reload();
  const panel = page.getByRole('region', { name: 'Bank details' });
  await expect(panel).toContainText(`${ACCOUNT.name}${ACCOUNT.number}, Guaranty Trust Bank`);

  const bytes = kept();
  expect(bytes).toContain('PayoutAccountSet');
  expect(bytes).not.toContain(ACCOUNT.number);
  expect(bytes).not.toContain(ACCOUNT.name);
});

test('another account is told to the seller at once, beside the word that it is saved', async () => {
  const panel = page.getByRole('region', { name: 'Bank details' });
  await panel.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Account number').fill('0123456789');
  await page.getByLabel('Your password').fill(SECRET);
  await page.getByRole('button', { name: 'Save bank details' }).click();
  const toasts = page.locator('[data-toast]');
  const saved = toasts.filter({ hasText: 'Bank details saved' });
  const warning = toasts.filter({ hasText: 'Your payouts go to another bank account now.' });
  await expect(saved).toBeVisible();
  await expect(warning).toBeVisible();
  // Both can be read: none lies over the other once they have come to rest.
  await expect(async () => {
    const boxes = await Promise.all([saved.boundingBox(), warning.boundingBox()]);
    const [above, below] = boxes.toSorted((one, other) => (one?.y ?? 0) - (other?.y ?? 0));
    expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  }).toPass({ timeout: 4_000 });
  await page.goto(`${market.url}/dashboard/notifications`);
  await expect(page.getByRole('main')).toContainText('Bank account changed');
  await page.goto(`${market.url}/dashboard/profile`);
});

test('nobody else is shown them, not even the head admin', async () => {
  const granting = runOja(['admin', 'grant', ADMIN], { DATA_DIR: folder.path });
  expect(await granting.exited).toBe(0);
  const { client: stranger } = await registerSeller(market.url, STRANGER);
  const admin = await signedIn(ADMIN, 'market-day');
  for (const one of [stranger, admin]) {
    const { text } = await one.fetch('/v1/user/payout-account');
    expect(JSON.parse(text)).toEqual({ success: true, account: null });
  }
  expect((await admin.fetch('/v1/user/getAllUsers')).text).not.toContain(ACCOUNT.number);
  expect((await new Client(market.url).fetch('/v1/user/payout-account')).status).toBe(401);
});

test('a name that is taken is refused, and what was typed stays', async () => {
  await page.getByRole('button', { name: 'edit details' }).click();
  const name = page.getByLabel('Business name');
  await name.fill(ADMIN.toUpperCase());
  await page.getByRole('button', { name: 'Update Profile' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Unexpected error');
  await expect(page.getByText('Business name is already taken!')).toBeVisible();
  await expect(name).toHaveValue(ADMIN.toUpperCase());
  await expect(name).toBeFocused();
});

test('a new name is everywhere where the old one was', async ({ browser }) => {
  const shopper = await freshPage(browser);
  await shopper.goto(`${market.url}/single-product/1/${bagId}`);
  await shopper
    .getByRole('button', { name: /^Add to cart/ })
    .first()
    .click();
  await expect(shopper.getByRole('button', { name: 'Remove from cart' }).first()).toBeVisible();

  await page.getByLabel('Business name').fill(AFTER);
  await page.getByRole('button', { name: 'Update Profile' }).click();
  await expect(page.getByText('Profile updated successfully')).toBeVisible();
  await expect(page.getByLabel('Business name')).toHaveValue(AFTER);
  await expect(page.getByRole('button', { name: 'edit details' })).toBeVisible();

  await page.goto(`${market.url}/dashboard`);
  await expect(page.getByRole('main')).toContainText(AFTER);
  await page.getByRole('article').getByRole('link').first().click();
  await expect(page.getByRole('list', { name: 'Who did what, when' })).toContainText(AFTER);

  // The catalogue: in a list, on the product page, and in its server-rendered HTML.
  await shopper.goto(`${market.url}/search-items?query=${encodeURIComponent(BAG)}`);
  await expect(shopper.getByRole('article').first()).toContainText(AFTER);
  await shopper.goto(`${market.url}/single-product/1/${bagId}`);
  await expect(shopper.getByRole('main').getByText(AFTER).first()).toBeVisible();
  expect(await (await fetch(shopper.url())).text()).not.toContain(BEFORE);
  await shopper.getByRole('main').getByText(AFTER).first().click();
  await expect(shopper).toHaveURL(/\/sellers-store\//);
  await expect(shopper.getByRole('heading', { name: BAG })).toBeVisible();
  await shopper.goto(`${market.url}/cart-contents/multiple-order`);
  await expect(shopper.getByRole('main')).toContainText(AFTER);
  await expect(shopper.getByText(BEFORE)).toHaveCount(0);
  const old = `/sellers-store/${BEFORE.replaceAll(' ', '-')}`;
  expect((await fetch(market.url + old)).status).toBe(404);
  await shopper.context().close();

  // The admins' list, the name check and the login.
  const admin = await signedIn(ADMIN, 'market-day');
  const { result } = await admin.get<{ result: { user_id: string; businessName: string }[] }>(
    '/v1/user/getAllUsers',
  );
  expect(result.find(({ user_id }) => user_id === sellerId)?.businessName).toBe(AFTER);
  for (const [name, exists] of [
    [BEFORE, false],
    [AFTER, true],
  ] as const)
    expect(await admin.get(`/v1/businessName-checker/${encodeURIComponent(name)}`)).toMatchObject({
      exists,
    });
  await signedIn(AFTER, SECRET);
});

const FIRST = 'indigo and cassava starch';
const password = (name: string) => page.getByLabel(new RegExp(`^${name}`));

test('a password is changed with the keyboard, and everywhere else is logged out', async ({
  browser,
}) => {
  const elsewhere = await freshPage(browser);
  await elsewhere.goto(`${market.url}/login`);
  await logIn(elsewhere, AFTER);
  await page.goto(`${market.url}/dashboard/profile`);
  const open = page.getByRole('link', { name: 'Change password' });
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Change password' })).toBeFocused();
  await expectInPlace(page, 'changing a password');
  await page.setViewportSize({ width: 360, height: 740 });
  await typeInto(page, password('Old password'), 'not the old one');
  await typeInto(page, password('New password'), 'password1');
  await page.keyboard.press('Enter');
  await expect(page.getByText('is not your password')).toBeVisible();
  await expect(password('Old password')).toBeFocused();
  await password('Old password').fill(SECRET);
  await page.keyboard.press('Enter');
  await expect(page.getByText('many people use this password')).toBeVisible();
  await expect(password('New password')).toBeFocused();
  await password('New password').fill(FIRST);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Password changed/)).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/profile$/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'edit details' })).toBeVisible();
  await elsewhere.goto(`${market.url}/dashboard/profile`);
  await expect(elsewhere).toHaveURL(/\/login$/);
  await elsewhere.context().close();
});

test('a password that an operator gave is changed before anything else', async ({ browser }) => {
  const resetting = runOja(['seller', 'reset-password', AFTER, '--json'], {
    DATA_DIR: folder.path,
  });
  expect(await resetting.exited).toBe(0);
  const given = (JSON.parse(resetting.lines.join('')) as { password: string }).password;
  const back = await freshPage(browser, { viewport: { width: 360, height: 740 } });
  await back.goto(`${market.url}/login`);
  await back.getByLabel('Business Name').fill(AFTER);
  await back.getByLabel('Password', { exact: true }).fill(given);
  await back.getByRole('button', { name: 'LOG IN' }).click();
  await expect(back.getByRole('heading', { name: 'CHOOSE A PASSWORD' })).toBeVisible();
  await expectInPlace(back, 'choosing a password');
  await back.goto(`${market.url}/dashboard`);
  await expect(back).toHaveURL(/\/login$/);
  await back.getByLabel('Business Name').fill(AFTER);
  await back.getByLabel('Password', { exact: true }).fill(given);
  await back.getByRole('button', { name: 'LOG IN' }).click();
  await expect(back.getByLabel('New password', { exact: true })).toBeFocused();
  await back.keyboard.type('kola nuts for everybody');
  await back.keyboard.press('Enter');
  await expect(back).toHaveURL(/\/dashboard$/);
  await back.context().close();
});
