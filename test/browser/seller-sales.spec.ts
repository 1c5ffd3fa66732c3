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
import { tabTo } from './support/keyboard.js';
import { expectInPlace } from './support/layout.js';
import { closePages } from './support/pages.js';

let market: AdminMarket;
let paidOut: Sale;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openAdminMarket();
  const { client: admin } = await signedIn(market, HEAD_ADMIN);
  const { result: orders } = await admin.get<{ result: Transaction[] }>('/v1/buyers/transactions');
  // Whoever of the sample sellers has something to be paid out.
  const owed = orders.flatMap(({ shares }) => shares).find(({ status }) => status === 'released');
  if (owed === undefined) throw new Error('no sample seller has anything to be paid out');
  const { client } = await signedIn(market, owed.businessName);
  const { result } = await client.get<{ result: Sale[] }>('/v1/user/orders?status=released');
  const [released] = result;
  if (released === undefined) throw new Error(`${owed.businessName} has nothing to be paid out`);
  paidOut = released;
  const { exited } = runOja(
    ['payouts', 'mark-paid', released.transaction_id, '--seller', owed.businessName, '--yes'],
    { PORT: `${market.port}`, DATA_DIR: market.dataDir },
  );
  expect(await exited).toBe(0);
  page = await signIn(browser, market, owed.businessName);
});
test.afterAll(async () => market?.close());

const link = (name: string) => page.getByRole('main').getByRole('link', { name });

test('shows by keyboard alone what was sold, as a picture and as a table', async () => {
  await page.goto(`${market.url}/dashboard/orders`);
  await tabTo(page, link('Sales and payouts'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Sales' })).toBeFocused();
  const period = page.getByRole('combobox', { name: 'Which time' });
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
