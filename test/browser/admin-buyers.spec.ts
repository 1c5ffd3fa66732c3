import { readFileSync } from 'node:fs';
import type { Transaction } from '@oja/contracts';
import { lagosDay } from '@oja/domain/rules';
import { expect, type Page, test } from '@playwright/test';
import {
  type AdminMarket,
  HEAD_ADMIN,
  openAdminMarket,
  signedIn,
  signIn,
} from './support/admin.js';
import { tabTo, typeInto } from './support/keyboard.js';
import { closePages } from './support/pages.js';

const COLUMNS = [
  'Transaction ID',
  'Status',
  'Reference',
  'Amount',
  'Paid At',
  'Created At',
  'Currency',
  'Channel',
  'Buyer Name',
  'Home Address',
  'Phone Number',
  'Recieved',
  'P_ID',
  'Qty',
  'Price',
  'Seller ID',
];
const PAGE_SIZE = 25;

let market: AdminMarket;
let orders: readonly Transaction[];
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openAdminMarket();
  const { client } = await signedIn(market, HEAD_ADMIN);
  orders = (await client.get<{ result: Transaction[] }>('/v1/buyers/transactions')).result;
});
test.afterAll(async () => market?.close());

const productsIn = (some: readonly Transaction[]) =>
  some.reduce((sum, { lines }) => sum + lines.length, 0);
const delivered = () => orders.filter(({ recieved }) => recieved === 'DELIVERED');
const rows = (page: Page) =>
  page.getByRole('region', { name: 'Buyers transactions' }).locator('tbody tr');
const deliveredRows = (page: Page) =>
  rows(page).filter({ has: page.getByText('DELIVERED', { exact: true }) });

async function openTable(page: Page, query = ''): Promise<void> {
  await page.goto(`${market.url}/admin-dashboard/sellers?view=buyers${query}`);
  await expect(rows(page).first()).toBeVisible();
}

/** The text of one column, top to bottom. */
async function column(page: Page, name: string): Promise<readonly string[]> {
  const place = COLUMNS.indexOf(name) + 1;
  return rows(page).locator(`td:nth-child(${place})`).allInnerTexts();
}
const naira = (text: string) => Number(text.replaceAll(/[^\d]/g, ''));

/** Parses a CSV file the way a spreadsheet does. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const table: string[][] = [[]];
  for (const [, quoted, plain, end] of cells) {
    table.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') table.push([]);
  }
  return table.slice(0, -1);
}

test('the table has the sixteen columns, a row a product, and delivered rows stand out', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await openTable(page);
  await expect(page.getByRole('columnheader')).toHaveText(COLUMNS);
  await expect(
    page.getByText(`${orders.length} transactions, ${productsIn(orders)} products`),
  ).toBeVisible();
  await page.getByRole('combobox', { name: 'Recieved' }).selectOption('DELIVERED');
  await expect(page).toHaveURL(/recieved=DELIVERED/);
  await expect(page.getByText(`of ${productsIn(delivered())} rows`)).toBeVisible();
  const shown = await rows(page).count();
  await expect(deliveredRows(page)).toHaveCount(shown);
  await page.getByRole('combobox', { name: 'Recieved' }).selectOption('DISPUTED');
  await expect(deliveredRows(page)).toHaveCount(0);
});

test('sorting, filter and page live in the address, and a shared address shows the same', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await openTable(page);
  const amount = page.getByRole('columnheader', { name: 'Amount' });
  await amount.getByRole('button').click();
  await expect(page).toHaveURL(/sort=-amount/);
  await expect(amount).toHaveAttribute('aria-sort', 'descending');
  const amounts = (await column(page, 'Amount')).map(naira);
  expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
  await amount.getByRole('button').click();
  await expect(page).toHaveURL(/sort=amount/);
  await expect(amount).toHaveAttribute('aria-sort', 'ascending');
  const cheapest = (await column(page, 'Amount')).map(naira);
  expect(cheapest).toEqual(cheapest.toSorted((a, b) => a - b));

  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByText(`${PAGE_SIZE + 1} to `)).toBeVisible();
  const second = await column(page, 'Transaction ID');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(rows(other).first()).toBeVisible();
  expect(await column(other, 'Transaction ID')).toEqual(second);
  await expect(other.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );

  const buyer = orders[0]?.buyer_name ?? '';
  await page.getByPlaceholder('Find a buyer, reference or ID').fill(buyer.toUpperCase());
  await expect(page).toHaveURL(/find=/);
  await expect(page).not.toHaveURL(/page=/);
  await expect(page.getByText(/^1 to \d+ of \d+ rows?/)).toBeVisible();
  expect(new Set(await column(page, 'Buyer Name'))).toEqual(new Set([buyer]));
  await page.getByPlaceholder('Find a buyer, reference or ID').fill('nobody of this name');
  await expect(page.getByText('No transaction matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(rows(page)).toHaveCount(PAGE_SIZE);

  await rows(page).first().click();
  await expect(page).toHaveURL(/\/admin-dashboard\/[0-9a-f-]{36}$/);
});

test('the file holds what is filtered, whole, in the order of the table', async ({ browser }) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await openTable(page, '&recieved=DELIVERED&sort=-amount');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('buyers.csv');
  const text = readFileSync(await file.path(), 'utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  const [head, ...lines] = parseCsv(text.slice(1));
  expect(head).toEqual(COLUMNS);
  expect(lines).toHaveLength(productsIn(delivered()));
  const of = (name: string) => lines.map((line) => line[COLUMNS.indexOf(name)] ?? '');
  expect(new Set(of('Recieved'))).toEqual(new Set(['DELIVERED']));
  // Only one row per order holds the amount, so that the column can be summed.
  const amounts = of('Amount').filter(Boolean).map(Number);
  expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
  expect(amounts).toHaveLength(delivered().length);
  expect(of('Phone Number').filter((text) => /^\d+$/.test(text))).toEqual([]);
  expect(new Set(of('Transaction ID'))).toEqual(
    new Set(delivered().map(({ transaction_id }) => transaction_id)),
  );
  const ids = orders.flatMap(({ product_ids }) => product_ids.split(','));
  expect(of('P_ID').filter((id) => !ids.includes(id))).toEqual([]);
  expect(of('Home Address').filter((text) => /^[=+\-@]/.test(text))).toEqual([]);
});

test('by keyboard alone: a day is set, what was paid then saved as a file, and an order opened', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await openTable(page);
  const day = lagosDay(orders.find(({ paid_at }) => paid_at !== null)?.paid_at ?? '');
  const [year, month, date] = day.split('-');
  await typeInto(page, page.getByLabel('Paid from'), `${month}${date}${year}`);
  await expect(page).toHaveURL(new RegExp(`from=${day}`));
  await typeInto(page, page.getByLabel('Paid to'), `${month}${date}${year}`);
  await expect(page).toHaveURL(new RegExp(`to=${day}`));
  await expect(rows(page).first()).toBeVisible();
  const coming = page.waitForEvent('download');
  await tabTo(page, page.getByRole('button', { name: 'CSV' }));
  await page.keyboard.press('Enter');
  const [head, ...lines] = parseCsv(readFileSync(await (await coming).path(), 'utf8'));
  const paid = lines.map((line) => line[head?.indexOf('Paid At') ?? -1] ?? '');
  expect(paid.length).toBeGreaterThan(0);
  expect(new Set(paid.map((at) => at.slice(0, 10)))).toEqual(new Set([day]));
  await tabTo(page, rows(page).first().getByRole('link').first());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin-dashboard\/[0-9a-f-]{36}$/);
});

test('on a phone an order is a card, found by seller and by day', async ({ browser }) => {
  const page = await signIn(browser, market, HEAD_ADMIN, {
    viewport: { width: 360, height: 740 },
  });
  await page.goto(`${market.url}/admin-dashboard/sellers?view=buyers`);
  const cards = page.getByRole('list', { name: 'Buyers transactions' }).getByRole('heading');
  await expect(cards.first()).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  // The state stands beside the number, before the details; the table keeps its own column order.
  const first = page.getByRole('list', { name: 'Buyers transactions' }).locator('> li').first();
  await expect(first).toHaveText(/^Transaction [\w-]+(Pending|Disputed|DELIVERED|Refunded)/);
  const widthOf = (field: string) =>
    page.getByLabel(field, { exact: true }).evaluate((one) => one.getBoundingClientRect().right);
  expect(await widthOf('Seller')).toBeLessThanOrEqual(348);
  expect(await widthOf('Paid to')).toBeLessThanOrEqual(348);
  const price = page.getByRole('listitem').filter({ hasText: ' × ' }).locator('b').last();
  expect((await price.boundingBox())?.height).toBeLessThan(24);
  await page.getByText('All details').first().click();
  await expect(page.getByText('Home Address').first()).toBeVisible();
  const [one] = orders;
  if (one === undefined) throw new Error('nobody has bought');
  const [share] = one.shares;
  await page.getByRole('combobox', { name: 'Seller' }).selectOption(share?.user_id ?? '');
  const day = lagosDay(one.paid_at ?? '');
  await page.getByLabel('Paid from').fill(day);
  await expect(page).toHaveURL(new RegExp(`seller=${share?.user_id}.*from=${day}`));
  await expect(page.getByRole('link', { name: /^Transaction / }).first()).toBeVisible();
  await page
    .getByRole('link', { name: /^Transaction / })
    .first()
    .press('Enter');
  await expect(page).toHaveURL(/\/admin-dashboard\/[0-9a-f-]{36}$/);
});

test('delivered records are removed with progress, and then nobody is named in them', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await openTable(page);
  const count = delivered().length;
  await page.getByRole('button', { name: 'remove delivered' }).click();
  const asking = page.getByRole('dialog', { name: `Remove ${count} delivered records?` });
  await asking.getByRole('button', { name: 'Keep them' }).click();
  await expect(asking).toHaveCount(0);
  await page.getByRole('button', { name: 'remove delivered' }).click();

  // Hold back the second half of the deletions until the progress bar has been checked.
  let seen = () => {};
  const looked = new Promise<void>((resolve) => {
    seen = resolve;
  });
  let asked = 0;
  await page.route('**/v1/buyers/*', async (route) => {
    if (route.request().method() === 'DELETE') asked += 1;
    if (asked > count / 2) await looked;
    await route.continue();
  });
  // Stop stands where Remove was, and the second click is not meant for it.
  await asking.getByRole('button', { name: 'Remove' }).dblclick();
  const bar = page.getByRole('progressbar', { name: 'Removing delivered records' });
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBeLessThan(100);
  seen();
  await expect(page.getByText(`${count} delivered records removed`)).toBeVisible();
  expect(asked).toBe(count);
  await expect(page.getByText(`${orders.length - count} transactions`)).toBeVisible();
  await expect(deliveredRows(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'remove delivered' })).toBeDisabled();
});

test('the table is printed whole, dark on white, on a sheet that lies on its side', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
  });
  await page.goto(`${market.url}/admin-dashboard/sellers?view=buyers`);
  const heads = page.getByRole('columnheader');
  await expect(heads).toHaveCount(16);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  // A4 landscape without its margins, in CSS pixels.
  const sheet = { width: 1062, height: 730 };
  await page.setViewportSize(sheet);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'remove delivered' })).toHaveCount(0);
  const edges = () =>
    heads.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
  await expect.poll(async () => Math.max(...(await edges()))).toBeLessThanOrEqual(sheet.width);
  const ink = await page
    .getByRole('cell')
    .nth(3)
    .evaluate((one) => getComputedStyle(one).color.match(/\d+/g)?.map(Number) ?? []);
  expect(Math.max(...ink)).toBeLessThan(100);
});
