import type { OwnProduct, Transaction } from '@oja/contracts';
import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  type AdminMarket,
  HEAD_ADMIN,
  openAdminMarket,
  signedIn,
  signIn,
} from './support/admin.js';
import { expectAccessible } from './support/axe.js';
import { tabTo, typeInto } from './support/keyboard.js';
import { closePages } from './support/pages.js';
import { hold } from './support/seller.js';

const HOME = '/admin-dashboard';
const SELLERS = `${HOME}/sellers`;
const BUYERS = `${SELLERS}?view=buyers`;
const ADMINS = `${HOME}/admins`;
const SUB_ADMIN = 'Nsukka Phones';
const SUSPENDED = 'Coal City Footwear';
/** No other test makes this seller an admin. */
const TO_MAKE = 'Sade Wears';

let market: AdminMarket;
let orders: readonly Transaction[];
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openAdminMarket();
  const { client } = await signedIn(market, HEAD_ADMIN);
  orders = (await client.get<{ result: Transaction[] }>('/v1/buyers/transactions')).result;
  const sub = await signedIn(market, SUB_ADMIN);
  await client.call(200, 'PUT', `/v1/update-subAdmin?sellerId=${sub.id}&isSubAdmin=true`);
  const { id } = await signedIn(market, SUSPENDED);
  await client.call(200, 'PUT', `/v1/user/${id}/toggle-suspended`);
});
test.afterAll(async () => market?.close());

const orderThat = (recieved: Transaction['recieved']) =>
  `${HOME}/${orders.find((order) => order.recieved === recieved)?.transaction_id}`;

/** Opens an admin page and waits for its content. */
async function open(page: Page, path: string, text: string | RegExp): Promise<void> {
  await page.goto(market.url + path);
  await expect(page.getByText(text).first()).toBeVisible();
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click();

test('the dashboard, its dialogs, and the lists of people', async ({ browser }) => {
  test.slow();
  const page = await signIn(browser, market, HEAD_ADMIN);
  await open(page, HOME, 'Needs a person');
  await expectAccessible(page, 'dashboard');
  await press(page, /^Add An Admin/);
  await press(page, 'Add admin');
  await expect(page.getByText('Please fill in')).toBeVisible();
  await expectAccessible(page, 'adding an admin without an ID');
  await page.keyboard.press('Escape');
  await press(page, /^Add\/Edit Category/);
  await expect(page.getByText('Categories change with a release')).toBeVisible();
  await expectAccessible(page, 'categories');

  await open(page, SELLERS, 'Suspended');
  await expectAccessible(page, 'sellers');
  await press(page, `History of ${SUSPENDED}`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Suspended' })).toBeVisible();
  await expectAccessible(page, 'a seller’s history');
  await open(page, `${SELLERS}?find=foot`, 'No seller has this business name or ID');
  await expectAccessible(page, 'no such seller');
  await open(page, ADMINS, 'Sub-admin');
  await expectAccessible(page, 'admins');
  await open(page, `${ADMINS}?view=audit`, 'Made an admin');
  await expect(page.getByRole('link', { name: SUSPENDED })).toBeVisible();
  await expectAccessible(page, 'what admins did');
  await open(page, SELLERS, 'Suspended');
  await press(page, /^Make Admin/);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'asking before somebody is made an admin');
});

test('the buyers’ table and its question', async ({ browser }) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await open(page, BUYERS, 'refresh table');
  await expect(page.getByRole('columnheader').first()).toBeVisible();
  await expectAccessible(page, 'buyers');
  await press(page, 'remove delivered');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'asking before delivered records go');
  await page.keyboard.press('Escape');
  await open(page, `${BUYERS}&recieved=WAITING&sort=paid_at`, 'All details');
  await expect(page.getByRole('list', { name: 'Buyers transactions' })).toBeVisible();
  await expectAccessible(page, 'what needs a person');
  await open(page, `${BUYERS}&find=nobody`, 'No transaction matches');
  await expectAccessible(page, 'no such buyer');
});

test('a transaction in each of its states', async ({ browser }) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await open(page, orderThat('DISPUTED'), 'The buyer says');
  await expectAccessible(page, 'a disputed order');
  await press(page, 'Refund the buyer');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'asking before a refund');
  await open(page, orderThat('PENDING'), 'The buyer confirms the delivery');
  await expectAccessible(page, 'a paid order');
  await open(page, orderThat('DELIVERED'), 'Released');
  await expectAccessible(page, 'a delivered order');
  await open(page, `${HOME}/there-is-none`, 'There is no such transaction');
  await expectAccessible(page, 'no such order');
});

test('who needs a person, the list, an admin made and unmade, and what was done: by keyboard alone', async ({
  browser,
}) => {
  test.slow();
  const page = await signIn(browser, market, HEAD_ADMIN);
  const main = page.getByRole('main');
  const go = async (target: Locator) => {
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  };
  await open(page, HOME, 'Needs a person');
  await go(main.getByRole('link', { name: /^Open the order of/ }).first());
  await expect(page.getByRole('heading', { level: 1, name: /^Order / })).toBeFocused();
  const phone = main
    .getByRole('region', { name: /^Goods of/ })
    .first()
    .getByRole('link');
  await expect(phone).toHaveAttribute('href', /^tel:0\d{10}$/);
  await go(main.getByRole('link', { name: 'Buyers' }));

  await expect(page.getByRole('columnheader').first()).toBeVisible();
  await tabTo(page, main.getByRole('combobox', { name: 'Recieved' }));
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/recieved=WAITING/);
  await expect(page.getByRole('list', { name: 'Buyers transactions' })).toBeVisible();
  await go(page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'Sellers' }));

  await expect(page.getByRole('heading', { level: 1, name: /^Total Sellers/ })).toBeFocused();
  await typeInto(page, main.getByPlaceholder('filter by BusinessName/ID...'), TO_MAKE);
  await expect(main.getByRole('article')).toHaveCount(1);
  const make = main.getByRole('button', { name: `Make Admin ${TO_MAKE}` });
  const unmake = main.getByRole('button', { name: `Delete Admin ${TO_MAKE}` });
  await go(make);
  const question = page.getByRole('dialog');
  await expect(question).toContainText(`${TO_MAKE} will see every seller`);
  await page.keyboard.press('Escape');
  await expect(make).toBeFocused();
  await page.keyboard.press('Enter');
  await go(question.getByRole('button', { name: 'Yes, make an admin' }));
  await expect(unmake).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(make).toBeFocused();
  // A toast that disappears while focused must return the focus to where it was.
  await expect(page.getByText(/^sucessfully/)).toHaveCount(0);

  const dashboard = page.getByRole('navigation', { name: 'Dashboard', exact: true });
  await go(dashboard.getByRole('link', { name: 'Total Admins' }));
  await expect(page.getByRole('heading', { level: 1, name: /^Total Admins/ })).toBeFocused();
  await go(
    page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'What they did' }),
  );
  const acts = main.getByRole('listitem').filter({ hasText: TO_MAKE });
  await expect(acts).toHaveCount(2);
  await tabTo(page, main.getByRole('combobox', { name: 'Kind of action' }));
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/act=/);
});

test('what a sub-admin sees', async ({ browser }) => {
  const page = await signIn(browser, market, SUB_ADMIN);
  await open(page, HOME, 'Needs a person');
  await expectAccessible(page, 'a sub-admin’s dashboard');
  await open(page, SELLERS, 'Suspended');
  await expectAccessible(page, 'a sub-admin’s sellers');
});

test('pages that wait, fail, or have no network', async ({ browser }) => {
  test.slow();
  const page = await signIn(browser, market, HEAD_ADMIN);
  const asked = /\/v1\/(admin\/overview|user\/getAllUsers|buyers\/transactions|transactions\/)/;
  const pages = [
    [HOME, 'Admin dashboard'],
    [SELLERS, 'Total Sellers'],
    [BUYERS, 'Buyers'],
    [ADMINS, 'Total Admins'],
    [orderThat('DISPUTED'), 'Transaction'],
  ] as const;
  for (const [path, heading] of pages) {
    const release = await hold(page, asked);
    await page.goto(market.url + path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeAttached();
    await expectAccessible(page, `${heading}, loading`);
    release();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route(asked, (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.goto(market.url + path);
    await expect(page.getByRole('button', { name: /try again/i })).toBeVisible({ timeout: 20_000 });
    await expectAccessible(page, `${heading}, failed`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }),
  );
  await page.route(asked, (route) => route.abort());
  await open(page, BUYERS, /offline|no network/i);
  await expectAccessible(page, 'Buyers, offline');
});

test('a name of one long word leaves a history and a notice as wide as the phone', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN, { viewport: { width: 360, height: 740 } });
  const word = 'w'.repeat(100);
  const { client, id } = await signedIn(market, HEAD_ADMIN);
  const { userDetails } = await client.get<{ userDetails: OwnProduct[] }>('/v1/user/products');
  const [product] = userDetails;
  if (product === undefined) throw new Error(`${HEAD_ADMIN} has no goods`);
  await page.route('**/v1/timeline/product/*', async (route) => {
    const answer = await (await route.fetch()).text();
    await route.fulfill({ body: answer.replace(/"text":"[^"]*"/g, `"text":"Listed ${word}"`) });
  });
  await page.route(`**/v1/notifications/unread/${id}`, (route) => {
    const item = { product_id: product.product_id, prod_name: word, image_url: null, quantity: 1 };
    const order = { transaction_id: 't1', created_at: '2026-11-21T09:41:00.000Z', items: [item] };
    return route.fulfill({ json: { success: true, result: [order], news: [], position: null } });
  });
  await open(page, `/single-product/${product.subcategory_id}/${product.product_id}`, word);
  const room = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await room()).toBe(360);

  await open(page, '/dashboard/notifications', word);
  expect(await room()).toBe(360);
  const notice = page.getByRole('list', { name: 'Orders' }).getByRole('listitem');
  const [name, dot] = await Promise.all([
    notice.getByText(word).boundingBox(),
    notice.getByRole('img', { name: 'New' }).boundingBox(),
  ]);
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(dot?.x ?? 0);
});
