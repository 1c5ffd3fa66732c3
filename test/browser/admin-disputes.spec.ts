import type { OwnProduct, Product, Transaction } from '@oja/contracts';
import { orderNumber } from '@oja/domain/rules';
import { expect, type Page, test } from '@playwright/test';
import { createClock, type MovingClock } from '../chaos/clock.js';
import { Client } from '../support/client.js';
import { temporaryFolder } from '../support/market.js';
import * as walk from '../thread/walk.js';
import {
  type AdminMarket,
  HEAD_ADMIN,
  HEAD_ADMIN_PERSON,
  openAdminMarket,
  signedIn,
  signIn,
} from './support/admin.js';
import { closePages } from './support/pages.js';

/** A buyer may report a problem from this age of the order on. */
const TWO_DAYS_MS = 48 * 3_600_000 + 60_000;
const SELLERS = ['Coal City Footwear', 'Nsukka Phones'] as const;
const COMPLAINT = 'The shoes are not what I ordered.\nNor is the phone.';

const folder = temporaryFolder();
let clock: MovingClock;
let market: AdminMarket;
test.afterEach(closePages);
test.beforeAll(async () => {
  clock = createClock(folder.path);
  market = await openAdminMarket(clock.env);
});
test.afterAll(async () => {
  await market?.close();
  folder.remove();
});

/** Orders and pays goods of two sellers, reports a problem two days later, and returns the order's id. */
async function disputedOrder(): Promise<string> {
  const goods: Product[] = [];
  const shopper = new Client(market.url);
  for (const name of SELLERS) {
    const { client } = await signedIn(market, name);
    const { userDetails } = await client.get<{ userDetails: OwnProduct[] }>('/v1/user/products');
    const id = userDetails[0]?.product_id ?? '';
    const found = await shopper.get<{ result: Product[] }>(`/v1/products/by-ids?ids=${id}`);
    goods.push(...found.result);
  }
  const { payAt, transactionId } = await walk.placeOrder(shopper, goods);
  await walk.verify(shopper, await walk.pay(payAt));
  clock.pass(TWO_DAYS_MS);
  await shopper.call(200, 'POST', `/v1/orders/${transactionId}/problem`, {
    sellerIds: goods.map(({ user_id }) => user_id),
    message: COMPLAINT,
  });
  return transactionId.split('.')[0] ?? '';
}

const shown = (amount: number) => `₦${amount.toLocaleString('en-NG')}`;
const naira = (text: string) => Number(text.replaceAll(/[^\d]/g, ''));

/** The figures below the bar, by name. */
async function moneyOf(page: Page): Promise<Readonly<Record<string, number>>> {
  await page.goto(`${market.url}/admin-dashboard`);
  await expect(page.getByText('Adds up')).toBeVisible();
  const figures = page.locator('section').filter({ hasText: 'Adds up' }).locator('dl > div');
  const pairs = await figures.evaluateAll((all) =>
    all.map((one) => [
      one.querySelector('dt')?.textContent ?? '',
      one.querySelector('dd')?.textContent ?? '',
    ]),
  );
  return Object.fromEntries(pairs.map(([name = '', figure = '']) => [name, naira(figure)]));
}

const sumOf = ({ Collected: _, ...accounts }: Readonly<Record<string, number>>) =>
  Object.values(accounts).reduce((sum, amount) => sum + amount, 0);

async function settle(page: Page, seller: string, words: string, done: string): Promise<void> {
  const part = page.getByRole('region', { name: `Goods of ${seller}` });
  await expect(part.getByText(COMPLAINT)).toBeVisible();
  await expect(part.getByText(COMPLAINT), 'in its lines').toHaveCSS('white-space', 'pre-line');
  await part.getByRole('button', { name: words }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill(`Asked ${seller} and the buyer.`);
  // By key: a click this soon after another in the same place would be taken for the second of a double click.
  await dialog.getByRole('button', { name: /^(Refund|Release)$/ }).press('Enter');
  await expect(part.getByText(done, { exact: true })).toBeVisible();
  await expect(part.getByRole('button', { name: /Refund|Release/ })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
}

test('each seller’s part of a dispute is settled alone, and the money still adds up', async ({
  browser,
}) => {
  const id = await disputedOrder();
  const page = await signIn(browser, market, HEAD_ADMIN);
  const before = await moneyOf(page);
  expect(sumOf(before)).toBe(before.Collected);
  const { client } = await signedIn(market, HEAD_ADMIN);
  const { result } = await client.get<{ result: Transaction }>(`/v1/transactions/${id}`);
  const [first, second] = SELLERS.map((name) =>
    result.shares.find(({ businessName }) => businessName === name),
  );
  const [, phone] = SELLERS.map((name) =>
    result.lines.find(({ businessName }) => businessName === name),
  );
  if (!first || !second || !phone) throw new Error('the order is not as it was placed');

  await page.getByRole('link', { name: 'Open the order of Chidi Okafor' }).click();
  await expect(page.getByRole('heading', { name: `Order ${orderNumber(id)}` })).toBeVisible();
  await expect(page.getByRole('img', { name: /picture 1/ })).toHaveCount(2);
  const history = page.getByRole('complementary', { name: 'History' }).getByRole('listitem');
  await expect(history.first()).toHaveText(/Refund or release/);
  await settle(page, SELLERS[0], 'Release to the seller', 'Released');
  const other = page.getByRole('region', { name: `Goods of ${SELLERS[1]}` });
  await expect(other.getByText('Disputed', { exact: true })).toBeVisible();
  await settle(page, SELLERS[1], 'Refund the buyer', 'Refunded');

  await expect(
    history.filter({ hasText: `Refund of ${shown(phone.price)} asked for` }),
  ).toBeVisible();
  await expect(history.filter({ hasText: 'The dispute was settled' })).toHaveText([
    new RegExp(`for the buyer.*${HEAD_ADMIN_PERSON}`),
    new RegExp(`for the seller.*${HEAD_ADMIN_PERSON}`),
  ]);
  // The provider confirms the refund asynchronously.
  await expect
    .poll(async () => (await moneyOf(page)).Collected, { timeout: 30_000 })
    .toBe((before.Collected ?? 0) - phone.price);
  const after = await moneyOf(page);
  expect(sumOf(after)).toBe(after.Collected);
  expect(after.Payable).toBe((before.Payable ?? 0) + first.share);
  expect(after['Refunds due']).toBe(0);
  expect(after.Held).toBe((before.Held ?? 0) - first.share - second.share);
});
