import { expect, type Page, test } from '@playwright/test';
import { Client } from '../support/client.js';
import { lettersIn, type Market, runOja, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { registerSeller } from '../thread/walk.js';
import { expectAccessible } from './support/axe.js';
import { tabTo, typeInto } from './support/keyboard.js';
import { expectInPlace } from './support/layout.js';
import { closePages } from './support/pages.js';
import { freshPage, logIn, SECRET } from './support/seller.js';

const STALL = 'Balogun Beads';
const EMAIL = 'ngozi@letters.example';
const ADMIN = 'Adunni Textiles';
/** Mail that no job has sent goes out with the sweep, which runs every minute. */
const ROUNDS_MS = 180_000;

const folder = temporaryFolder();
let market: Market;
let page: Page;
let sellerId: string;

test.describe.configure({ mode: 'serial', timeout: 3 * ROUNDS_MS });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openSampleMarket(folder.path);
  sellerId = (await registerSeller(market.url, STALL)).details.user_id;
  page = await freshPage(browser, { viewport: { width: 360, height: 740 } });
  await page.goto(`${market.url}/login`);
  await logIn(page, STALL);
});
test.afterAll(async () => {
  await page?.context().close();
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

/** Every letter to the address. */
const letters = () => lettersIn(folder.path).filter((text) => text.includes(`To: ${EMAIL}`));

const about = (words: string) => letters().filter((text) => text.includes(words)).length;
const panel = () => page.getByRole('region', { name: 'E-mails' });

test('an address is confirmed by the code that went there, with the keyboard alone', async () => {
  await page.goto(`${market.url}/dashboard/profile`);
  await tabTo(page, page.getByRole('button', { name: 'Add an address' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('E-mail address')).toBeFocused();
  await page.keyboard.type(EMAIL);
  await typeInto(page, page.getByLabel('Your password'), SECRET);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await expectInPlace(page, 'typing the code of a letter');
  await expectAccessible(page, 'typing the code of a letter');
  await page.setViewportSize({ width: 360, height: 740 });
  const code = () => /\r\n(\d{6})\r\n/.exec(letters()[0] ?? '')?.[1];
  await expect.poll(code, { timeout: ROUNDS_MS }).toBeDefined();
  await page.getByLabel('Code', { exact: true }).focus();
  await page.keyboard.type(code() ?? '');
  await page.keyboard.press('Enter');
  await expect(panel().getByText(EMAIL)).toBeVisible();
  await expect(panel().getByRole('button', { name: 'E-mails on' })).toBeVisible();
  await expect(panel().getByRole('heading', { name: 'E-mails' })).toBeFocused();
  await page.reload();
  await expect(panel().getByText(EMAIL)).toBeVisible();
  await expectAccessible(page, 'an address that was confirmed');
  await page.setViewportSize({ width: 360, height: 740 });
});

test('without a network nothing typed or chosen is lost, and it goes on once there is one', async () => {
  const messages = page.getByRole('region', { name: /^Messages/ });
  const offline = messages.getByText('You are offline.', { exact: true });
  const on = panel().getByRole('button', { name: 'E-mails on' });
  await page.context().setOffline(true);
  await on.click();
  await expect(offline).toBeVisible();
  await expect(on).toBeEnabled();
  await expect(offline).toBeHidden();

  await panel().getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('E-mail address').fill('other@letters.example');
  await page.getByLabel('Your password').fill(SECRET);
  await page.keyboard.press('Enter');
  await expect(offline).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveValue('other@letters.example');
  await expect(page.getByLabel('Your password')).toHaveValue(SECRET);
  await page.context().setOffline(false);
  await panel().getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await panel().getByRole('button', { name: 'Later' }).click();
  await expect(panel().getByText('other@letters.example')).toBeVisible();
  await expect(panel().getByText(EMAIL)).toBeVisible();
  await expect(on).toBeVisible();
});

test('what becomes of the store is written about, and not while letters are off', async () => {
  const granting = runOja(['admin', 'grant', ADMIN], { DATA_DIR: folder.path });
  expect(await granting.exited).toBe(0);
  const admin = new Client(market.url);
  const body = { businessName: ADMIN, password: 'market-day' };
  const login = await admin.call<{ accessToken: string }>(200, 'POST', '/v1/login', body);
  admin.token = login.accessToken;
  const toggle = () => admin.call(200, 'PUT', `/v1/user/${sellerId}/toggle-suspended`);
  /** The switch is turned at once, and the market knows of it when it has answered. */
  const turn = async (from: string, to: string) => {
    const answered = page.waitForResponse(
      (answer) => answer.url().endsWith('/v1/user/letters') && answer.request().method() === 'PUT',
    );
    await panel().getByRole('button', { name: from }).click();
    await answered;
    await expect(panel().getByRole('button', { name: to })).toBeVisible();
  };
  await turn('E-mails on', 'E-mails off');
  await toggle();
  await turn('E-mails off', 'E-mails on');
  await toggle();
  await expect.poll(() => about('Your store is open again'), { timeout: ROUNDS_MS }).toBe(1);
  expect(about('Your store is suspended')).toBe(0);

  await panel().getByRole('button', { name: 'Remove address' }).click();
  await expect(panel().getByRole('heading', { name: 'E-mails' })).toBeFocused();
  await expect(panel()).not.toContainText(EMAIL);
});
