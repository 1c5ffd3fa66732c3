import { orderNumber } from '@oja/domain/rules';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test';
import { expectAccessible } from './support/axe.js';
import { copyBy, printBy, tabTo } from './support/keyboard.js';
import { expectInPlace, expectStill, watchShifts } from './support/layout.js';
import {
  type Goods,
  type MoneyMarket,
  openMoneyMarket,
  pay,
  payButton,
  submit,
  toProvider,
} from './support/money.js';
import { closePages } from './support/pages.js';
import { freshPage, WITH_WORKER } from './support/seller.js';
import { waitForHydration } from './support/shopper.js';

const PHONE = { viewport: { width: 360, height: 740 } };
const HOUR = 3_600_000;

let market: MoneyMarket;
let goods: Goods;
/** The storage of a phone that has paid one order, and the id of that order. */
let kept: Awaited<ReturnType<BrowserContext['storageState']>>;
let id: string;

test.afterEach(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openMoneyMarket();
  goods = await market.goodsOf('Glow by Bisi', (price) => price > 1_000);
  const page = await freshPage(browser, PHONE);
  await pay(page, market.url, goods);
  id = new URL(page.url()).searchParams.get('reference') ?? '';
  kept = await page.context().storageState();
  await page.context().close();
});
test.afterAll(() => market?.close());

const list = (page: Page) => page.getByRole('list', { name: 'My orders' });
const cards = (page: Page) => list(page).getByRole('heading', { level: 2 });
const nothing = (page: Page) => page.getByRole('heading', { name: 'Nothing was ordered here yet' });

async function looked(page: Page, what: string): Promise<void> {
  await expectInPlace(page, what);
  await expectAccessible(page, what);
  await page.setViewportSize(PHONE.viewport);
}

/** A page on the phone that has paid. */
const payer = (browser: Browser, options: BrowserContextOptions = {}) =>
  freshPage(browser, {
    ...PHONE,
    ...options,
    storageState: kept,
    permissions: ['clipboard-read', 'clipboard-write'],
  });

test('an order is found again from home, with its receipt', async ({ browser }) => {
  const page = await payer(browser);
  await page.goto(market.url);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'My orders' }).click();
  await expect(page).toHaveURL(`${market.url}/orders`);
  await expect(list(page).getByText(goods.prod_name)).toBeVisible();
  await expect(list(page).getByText('Paid', { exact: true })).toBeVisible();
  await looked(page, 'my orders');

  await list(page)
    .getByRole('link', { name: /^Receipt/ })
    .click();
  await expect(page).toHaveURL(`${market.url}/orders/${id}`);
  const cell = page.getByRole('cell', { name: goods.prod_name });
  await expect(cell).toBeVisible();
  await looked(page, 'a receipt');
  const number = orderNumber(id);
  await copyBy(page, 'Copy the order number', number);
  await printBy(page, 'Print');
  await tabTo(page, page.getByRole('button', { name: /^Send receipt to .•••@/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Receipt sent to .•••@/)).toBeVisible();
  await looked(page, 'a receipt that was sent');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(/^Receipt sent to/)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Oja, home' })).toBeHidden();
  await expect(cell).toBeVisible();
});

test('one that waits for its payment is paid from there by keyboard alone, as the same order, and confirmed', async ({
  browser,
}) => {
  const page = await freshPage(browser, PHONE);
  await toProvider(page, market.url, goods);
  await page.goto(`${market.url}/orders`);
  await expect(list(page).getByText('Waiting for payment')).toBeVisible();
  await tabTo(page, list(page).getByRole('button', { name: /^Pay/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Where should it go?' })).toBeFocused();
  await tabTo(page, submit(page));
  await page.keyboard.press('Enter');
  await payButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Payment was successful!')).toBeVisible();
  await page.getByRole('link', { name: 'My orders on this device' }).click();
  await expect(list(page).getByText('Paid', { exact: true })).toBeVisible();
  await expect(cards(page)).toHaveCount(1);
  await list(page)
    .getByRole('link', { name: /^Confirm delivery/ })
    .click();
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(page).toHaveURL(`${market.url}/`);
  await page.goto(`${market.url}/orders`);
  await expect(list(page).getByText('Delivered', { exact: true })).toBeVisible();
});

test('is forgotten by keyboard alone, after one question', async ({ browser }) => {
  const page = await payer(browser);
  await page.goto(`${market.url}/orders`);
  const forget = list(page).getByRole('button', { name: /^Forget/ });
  await expect(forget).toBeVisible();
  await tabTo(page, forget);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'the question');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(forget).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'Forget it' }));
  await page.keyboard.press('Enter');
  await expect(nothing(page)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await looked(page, 'no orders');
});

test('stands without a network, and comes whole once it is back', async ({ browser }) => {
  const page = await payer(browser, WITH_WORKER);
  await watchShifts(page);
  await page.goto(`${market.url}/orders`);
  await expect(list(page).getByText(goods.prod_name)).toBeVisible();
  await expectStill(page, 'my orders');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect(list(page).getByText(goods.prod_name)).toBeVisible();
  await page.context().setOffline(true);
  await page.reload();
  await expect(list(page).getByText('You are offline.')).toBeVisible();
  await expect(cards(page)).toHaveCount(1);
  await looked(page, 'my orders without a network');
  await page.context().setOffline(false);
  await expect(list(page).getByText(goods.prod_name)).toBeVisible();
});

test('what storage has spoiled, and what the market does not know, is said and let go', async ({
  browser,
}) => {
  const page = await freshPage(browser, PHONE);
  await page.goto(`${market.url}/orders`);
  await expect(nothing(page)).toBeVisible();
  const write = (text: string) =>
    page.evaluate((value) => localStorage.setItem('oja-orders', value), text);
  await write('{"state":{"orders":[7,');
  await page.reload();
  await expect(nothing(page)).toBeVisible();
  const unknown = `${'0'.repeat(8)}-55ff-5003-b2be-e166dd5e1668.${'A'.repeat(22)}`;
  const orders = [7, {}, { key: unknown }, { key: '../../x y', stage: 'sold', placedAt: 'today' }];
  await write(JSON.stringify({ state: { orders }, version: 1 }));
  await page.reload();
  await expect(cards(page)).toHaveCount(2);
  const off = list(page).getByRole('button', { name: 'Take it off the list' });
  await expect(off).toHaveCount(2);
  await looked(page, 'orders that the market does not know');
  await off.first().click();
  await expect(off).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a problem can be reported from there after two days', async ({ browser }) => {
  const page = await payer(browser);
  market.clock.pass(49 * HOUR);
  await page.goto(`${market.url}/orders`);
  await list(page).getByRole('button', { name: 'Report a problem' }).click();
  await page.getByLabel('What is wrong?').fill('The lid is broken.');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(list(page).getByText('In dispute', { exact: true })).toBeVisible();
  await looked(page, 'an order in dispute');
});
