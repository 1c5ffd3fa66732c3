import type { OwnProduct, Transaction } from '@oja/contracts';
import { type Browser, expect, type Page, test, type ViewportSize } from '@playwright/test';
import {
  type AdminMarket,
  HEAD_ADMIN,
  openAdminMarket,
  signedIn,
  signIn,
} from './support/admin.js';
import { coveredBy, enlarge, expectWhole, WAYS } from './support/enlarged.js';
import { closePages } from './support/pages.js';

const BUYERS = '/admin-dashboard/sellers?view=buyers';

/** Most of what shows on each page of a seller and of a head admin. */
interface Shown {
  readonly path: string;
  readonly text: string | RegExp;
}

let market: AdminMarket;
let pages: readonly Shown[];
let disputed: Transaction;
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openAdminMarket();
  const { client, id } = await signedIn(market, HEAD_ADMIN);
  const own = await client.get<{ userDetails: OwnProduct[] }>('/v1/user/products');
  const sales = await client.get<{ result: { transaction_id: string }[] }>('/v1/user/orders');
  const orders = await client.get<{ result: Transaction[] }>('/v1/buyers/transactions');
  const others = orders.result.find(
    ({ recieved, shares }) =>
      recieved === 'DISPUTED' && shares.every(({ user_id }) => user_id !== id),
  );
  const [product] = own.userDetails;
  const [sale] = sales.result;
  if (others === undefined || product === undefined || sale === undefined)
    throw new Error('the sample market lacks a dispute, a product or an order');
  disputed = others;
  const productPath = `/single-product/${product.subcategory_id}/${product.product_id}`;
  pages = [
    { path: '/dashboard', text: 'Held for you' },
    { path: '/dashboard/orders', text: 'You get' },
    { path: `/dashboard/orders/${sale.transaction_id}`, text: 'What to do now' },
    { path: '/dashboard/sales', text: 'Best-selling' },
    { path: '/dashboard/sales?view=payouts', text: 'Payouts' },
    { path: '/dashboard/notifications', text: 'New order' },
    { path: '/dashboard/profile', text: 'Change password' },
    { path: '/dashboard/profile/password', text: 'Leave as it was' },
    { path: '/upload-product', text: '4. Price' },
    { path: productPath, text: 'See it as shoppers do' },
    { path: `${productPath}/update`, text: 'Tick what you want to change' },
    { path: '/admin-dashboard', text: 'Needs a person' },
    { path: '/admin-dashboard/sellers', text: 'Deactivate' },
    { path: BUYERS, text: 'All details' },
    { path: '/admin-dashboard/admins', text: 'Head admin' },
    { path: '/admin-dashboard/admins?view=audit', text: 'Made the head admin' },
    { path: `/admin-dashboard/${disputed.transaction_id}`, text: 'Refund the buyer' },
  ];
});
test.afterAll(async () => market?.close());

/** A head admin, who is a seller too, on a phone whose browser is set to letters of this size. */
async function enlargedAdmin(
  browser: Browser,
  viewport: ViewportSize,
  size: string,
): Promise<Page> {
  const page = await signIn(browser, market, HEAD_ADMIN, { viewport });
  await enlarge(page, size);
  return page;
}

for (const [what, viewport, size] of WAYS) {
  test(`${what}: nothing is cut off in the dashboards on a phone`, async ({ browser }) => {
    test.slow();
    const page = await enlargedAdmin(browser, viewport, size);
    for (const { path, text } of pages) {
      await page.goto(market.url + path);
      await expect(page.getByText(text).first()).toBeAttached();
      await expectWhole(page, path);
    }
  });

  test(`${what}: nothing is cut off in what is opened on a page of a dashboard`, async ({
    browser,
  }) => {
    const page = await enlargedAdmin(browser, viewport, size);
    for (const period of ['30-days', '12-months']) {
      await page.goto(`${market.url}/dashboard/sales?period=${period}`);
      await page.getByText('The figures as a table').click();
      await expect(page.getByRole('columnheader', { name: 'You get' })).toBeVisible();
      await expectWhole(page, `the figures of ${period}`);
    }
    await page.goto(`${market.url}/dashboard`);
    await page.getByRole('button', { name: 'Choose several' }).click();
    const chosen = page.getByRole('region', { name: 'Chosen products' });
    await chosen.getByRole('button', { name: /^Choose all/ }).click();
    await expectWhole(page, 'several products');
    // They act on what is chosen: the bar at the bottom must not cover them.
    for (const name of ['Done', 'available', 'unavailable', 'Remove'])
      await chosen.getByRole('button', { name }).first().click({ trial: true });
    await page.getByRole('main').focus();
    expect(await coveredBy(page, 'Chosen products', 60)).toEqual([]);
  });

  test(`${what}: each page of a dashboard can be reached from its bar`, async ({ browser }) => {
    const page = await enlargedAdmin(browser, viewport, size);
    for (const [path, names] of [
      ['/dashboard', ['Products', 'Orders', 'upload', 'Notices', 'Profile']],
      ['/admin-dashboard', ['Home', 'Sellers', 'Buyers', 'Admins']],
    ] as const) {
      await page.goto(market.url + path);
      const bar = page.getByRole('navigation', { name: 'Dashboard pages' });
      for (const name of names)
        await expect(bar.getByRole('link', { name })).toBeInViewport({ ratio: 1 });
    }
  });

  test(`${what}: the dialogs of the dashboards keep their words and buttons`, async ({
    browser,
  }) => {
    const page = await enlargedAdmin(browser, viewport, size);
    for (const [path, opener] of [
      ['/admin-dashboard', /^Add An Admin/],
      ['/admin-dashboard', /^Add\/Edit Category/],
      ['/admin-dashboard/sellers', /^Make Admin/],
      ['/admin-dashboard/sellers', /^History of/],
      [BUYERS, 'remove delivered'],
      [`/admin-dashboard/${disputed.transaction_id}`, 'Release to the seller'],
      ['/dashboard', /^Remove/],
    ] as const) {
      await page.goto(market.url + path);
      await page.getByRole('button', { name: opener }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectWhole(page, `${path}, ${opener}`);
      await page.keyboard.press('Escape');
    }
  });
}
