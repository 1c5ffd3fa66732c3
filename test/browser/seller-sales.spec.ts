import type { Sale, Transaction } from '@oja/contracts';
import { expect, type Page, test } from '@playwright/test';
import { runOja } from '../support/market.js';
import {
  type AdminMarket,
  HEAD_ADMIN,
  openAdminMarket,
  signedIn,
  signIn,
} from './support/admin.js';
import { expectAccessible } from './support/axe.js';
import { copyBy, printBy, tabTo, typeInto } from './support/keyboard.js';
import { boxOf, expectInPlace, expectSumsWhole, makeSumsLarge } from './support/layout.js';
import { closePages } from './support/pages.js';

let market: AdminMarket;
let paidOut: Sale;
/** A sale that its seller has to hand over. */
let toHandOver: { readonly businessName: string; readonly sale: Sale };
let page: Page;

test.describe.configure({ mode: 'serial' });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openAdminMarket();
  const { client: admin } = await signedIn(market, HEAD_ADMIN);
  const { result: orders } = await admin.get<{ result: Transaction[] }>('/v1/buyers/transactions');
  // Any sample seller with a released share, which is due to be paid out.
  const owed = orders.flatMap(({ shares }) => shares).find(({ status }) => status === 'released');
  if (owed === undefined) throw new Error('no sample seller has anything to be paid out');
  const { client } = await signedIn(market, owed.businessName);
  const { result } = await client.get<{ result: Sale[] }>('/v1/user/orders?status=released');
  const [released] = result;
  if (released === undefined) throw new Error(`${owed.businessName} has nothing to be paid out`);
  paidOut = released;
  const held = orders.flatMap(({ shares }) => shares).find(({ status }) => status === 'held');
  if (held === undefined) throw new Error('no sample seller has anything to hand over');
  const { businessName } = held;
  const other = await signedIn(market, businessName);
  const waiting = await other.client.get<{ result: Sale[] }>('/v1/user/orders?status=held');
  const [sale] = waiting.result;
  if (sale === undefined) throw new Error(`${businessName} has nothing to hand over`);
  toHandOver = { businessName, sale };
  const { exited } = runOja(
    ['payouts', 'mark-paid', released.transaction_id, '--seller', owed.businessName, '--yes'],
    { PORT: `${market.port}`, DATA_DIR: market.dataDir },
  );
  expect(await exited).toBe(0);
  page = await signIn(browser, market, owed.businessName);
});
test.afterAll(async () => market?.close());

const link = (name: string) => page.getByRole('main').getByRole('link', { name });

test('shows by keyboard alone what to hand over, and prints the slip for it alone', async ({
  browser,
}) => {
  const seller = await signIn(browser, market, toHandOver.businessName, {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { number, transaction_id: id, items } = toHandOver.sale;
  await seller.goto(`${market.url}/dashboard/orders`);
  const orders = seller.getByRole('main').getByRole('listitem');
  await expect(seller.getByText(/^\d+ to hand over$/)).toBeVisible();
  await expectAccessible(seller, 'orders');
  await expectInPlace(seller, 'orders');
  const find = seller.getByRole('textbox', { name: /^Find/ });
  await seller.emulateMedia({ media: 'print' });
  await expect(orders.first()).toBeVisible();
  await expect(find).toBeHidden();
  await seller.emulateMedia({ media: 'screen' });
  await typeInto(seller, find, number);
  await expect(seller).toHaveURL(new RegExp(`find=${number}`));
  await tabTo(seller, seller.getByRole('combobox'));
  await seller.keyboard.press('ArrowDown');
  await expect(seller).toHaveURL(/status=held/);
  const saved = seller.waitForEvent('download');
  await tabTo(seller, seller.getByRole('button', { name: 'CSV' }));
  await seller.keyboard.press('Enter');
  expect((await saved).suggestedFilename()).toBe('orders.csv');
  await tabTo(seller, orders.getByRole('link', { name: `Order ${number}` }));
  await seller.keyboard.press('Enter');
  await expect(seller).toHaveURL(`${market.url}/dashboard/orders/${id}`);
  await expectAccessible(seller, 'an order');
  await expectInPlace(seller, 'an order');
  await copyBy(seller, 'Copy the number', number);
  await printBy(seller, 'Print hand-over slip');
  // A4 without its margins, in CSS pixels.
  await seller.setViewportSize({ width: 688, height: 1016 });
  await seller.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const slip = seller.getByText('Oja hand-over slip').locator('..');
  for (const words of [number, id, ...items.map(({ prod_name }) => prod_name), 'Taken by, for Oja'])
    await expect(slip.getByText(words, { exact: true })).toBeVisible();
  await expect(seller.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(seller.getByRole('banner')).toBeHidden();
  await expect(seller.getByRole('navigation')).toHaveCount(0);
  const { ink, width, over } = await slip.evaluate((one) => ({
    ink: getComputedStyle(one).color,
    width: one.getBoundingClientRect().width,
    over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  expect({ ink, over }).toEqual({ ink: 'rgb(0, 0, 0)', over: 0 });
  expect(width).toBeGreaterThan(600);

  // A6, the size of a label, without its margins.
  await seller.setViewportSize({ width: 291, height: 452 });
  const name = slip.getByText(items[0]?.prod_name ?? '', { exact: true });
  await name.evaluate((one) => one.append(' with a broad strap and three pockets'.repeat(3)));
  const quantity = await boxOf(slip.getByText('Quantity', { exact: true }));
  expect(quantity.right).toBeLessThanOrEqual(291);
  await seller.context().close();
});

test('prints an order that nobody hands over any more as it stands, with no slip to take its goods by', async () => {
  await page.goto(`${market.url}/dashboard/orders/${paidOut.transaction_id}`);
  const title = page.getByRole('heading', { level: 1, name: paidOut.number });
  await expect(title).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(title).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'History' })).toBeVisible();
  await expect(page.getByText('Oja hand-over slip')).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
});

test('shows by keyboard alone what was sold, as a picture and as a table', async () => {
  await page.goto(`${market.url}/dashboard/orders`);
  await tabTo(page, link('Sales and payouts'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Sales' })).toBeFocused();
  const period = page.getByRole('combobox', { name: 'Period' });
  await tabTo(page, period);
  await page.keyboard.press('End');
  await expect(page).toHaveURL(/\?period=12-months$/);
  await expect(page.getByRole('img', { name: /^Sold by month: ₦/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Best-selling products' })).toBeVisible();
  await tabTo(page, page.getByText('The figures as a table'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', { name: 'Month' })).toBeVisible();
  await expectAccessible(page, 'what was sold');
  await expectInPlace(page, 'what was sold');
});

test('draws the bars by growing them, and at once for whoever wants less motion', async () => {
  const bars = page.getByRole('img', { name: /^Sold by month/ }).locator('> g');
  const movement = () => bars.evaluate((all) => getComputedStyle(all).animationName);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await movement()).not.toBe('none');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await movement()).toBe('none');
});

test('shows by keyboard alone what was paid out, and of which order', async () => {
  await tabTo(page, link('Payouts'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: paidOut.number });
  await expect(row.getByText('Sent', { exact: true })).toBeVisible();
  await expect(row).toContainText(paidOut.share.toLocaleString('en-NG'));
  await expectAccessible(page, 'payouts');
  await expectInPlace(page, 'payouts');
  const saved = page.waitForEvent('download');
  await tabTo(page, page.getByRole('button', { name: 'CSV' }));
  await page.keyboard.press('Enter');
  expect((await saved).suggestedFilename()).toBe('payouts.csv');
  await tabTo(page, row.getByRole('link', { name: paidOut.number }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/dashboard/orders/${paidOut.transaction_id}$`));
});

test('shows word of money among the notices', async () => {
  await page.goto(`${market.url}/dashboard/notifications`);
  const notices = page.getByRole('list', { name: 'Orders' });
  await expect(notices.getByRole('link', { name: /^₦[\d,]+ paid out: / })).toBeVisible();
  await expect(notices.getByRole('link', { name: /released to you: / }).first()).toBeVisible();
  await expectAccessible(page, 'notices with word of money');
  await expectInPlace(page, 'notices with word of money');
});

test('adds bank details by keyboard alone, where the dashboard asks for them', async () => {
  await page.goto(`${market.url}/dashboard`);
  const wanted = page.getByRole('region', { name: 'Bank details needed' });
  await tabTo(page, wanted.getByRole('link', { name: 'Add bank details' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeFocused();
  const panel = page.getByRole('region', { name: 'Bank details' });
  await tabTo(page, panel.getByRole('button', { name: 'Add bank details' }));
  await page.keyboard.press('Enter');
  await typeInto(page, page.getByLabel('Account name'), 'Ngozi Eze Ventures');
  await typeInto(page, page.getByLabel('Account number'), '3127450986');
  await typeInto(page, page.getByLabel('Bank', { exact: true }), 'guaranty trust bank');
  await typeInto(page, page.getByLabel('Your password'), 'market-day');
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('3127450986, Guaranty Trust Bank');
  await expect(panel.getByRole('heading')).toBeFocused();
  const told = page.waitForResponse(/\/v1\/user\/payout-account$/);
  await page.goto(`${market.url}/dashboard`);
  await (await told).finished();
  await expect(page.getByRole('link', { name: /paid out$/ })).toBeVisible();
  await expect(wanted).toHaveCount(0);
});

test('keeps sums of ten million whole on the narrowest phone', async () => {
  await makeSumsLarge(page);
  for (const [path, text] of [
    ['/dashboard/orders', 'You get, for'],
    [`/dashboard/orders/${paidOut.transaction_id}`, 'You get'],
    ['/dashboard/sales?period=12-months', 'Best-selling'],
    ['/dashboard/sales?view=payouts', 'In all'],
  ] as const) {
    await page.goto(market.url + path);
    await expect(page.getByText(text).first()).toBeVisible();
    await expectSumsWhole(page, path);
  }
});
