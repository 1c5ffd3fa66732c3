import type { OwnProduct } from '@oja/contracts';
import { expect, type Page, test } from '@playwright/test';
import {
  type AdminMarket,
  HEAD_ADMIN,
  HEAD_ADMIN_PERSON,
  openAdminMarket,
  signedIn,
  signIn,
} from './support/admin.js';
import { expectAccessible } from './support/axe.js';
import { closePages } from './support/pages.js';
import { freshPage } from './support/seller.js';

const SELLER = 'Coal City Footwear';
const SUB_ADMIN = 'Nsukka Phones';
const REFUSED = /not allowed/;

let market: AdminMarket;
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openAdminMarket();
});
test.afterAll(async () => market?.close());

/** Filters the list of sellers and returns the only card left. */
async function findSeller(page: Page, businessName: string) {
  await page.goto(`${market.url}/admin-dashboard/sellers`);
  await page.getByPlaceholder('filter by BusinessName/ID...').fill(businessName);
  await expect(page.getByRole('article')).toHaveCount(1);
  return page.getByRole('article');
}

/** The lists in which a shopper can meet a product, each with its text for "no results". */
function listsOf({ prod_name, local_govt }: OwnProduct) {
  const encode = encodeURIComponent;
  return [
    {
      path: `/search-items?condition=all&query=${encode(prod_name)}`,
      none: `No products found for “${prod_name}”`,
    },
    {
      path: `/sellers-store/${encode(SELLER.replaceAll(' ', '-'))}`,
      none: `${SELLER} has nothing for sale just now`,
    },
    { path: `/?localGovt=${encode(local_govt)}`, none: undefined },
  ];
}

/** Opens the list and loads all of it. */
async function openList(shopper: Page, path: string): Promise<void> {
  await shopper.goto(market.url + path);
  const more = shopper.getByRole('button', { name: 'view more' });
  if (path.startsWith('/?')) {
    await expect(shopper.getByRole('article').first()).toBeVisible();
    if (await more.isVisible()) await more.click();
  }
}

test('the goods of a suspended seller leave every list, and their open dashboard cannot write', async ({
  browser,
}) => {
  test.slow();
  const seller = await signedIn(market, SELLER);
  const own = await seller.client.get<{ userDetails: OwnProduct[] }>('/v1/user/products');
  const [product] = own.userDetails;
  if (product === undefined) throw new Error('the sample seller has no goods');
  const dashboard = await signIn(browser, market, SELLER);
  const shopper = await freshPage(browser);
  const shown = shopper
    .getByRole('main')
    .getByRole('heading', { name: product.prod_name, exact: true });
  for (const { path } of listsOf(product)) {
    await openList(shopper, path);
    await expect(shown.first(), path).toBeVisible();
  }

  const admin = await signIn(browser, market, HEAD_ADMIN);
  const card = await findSeller(admin, SELLER.toUpperCase());
  await card.getByRole('button', { name: `Deactivate ${SELLER}` }).click();
  await expect(admin.getByText(`${SELLER} is suspended`)).toBeVisible();
  await expect(card.getByText('Suspended')).toBeVisible();

  // Others are shown it a little later.
  const search = `/v1/products/search?condition=all&query=${encodeURIComponent(product.prod_name)}`;
  const found = async () => (await seller.client.get<{ total: number }>(search)).total;
  await expect.poll(found).toBe(0);
  for (const { path, none } of listsOf(product)) {
    await openList(shopper, path);
    if (none !== undefined) await expect(shopper.getByText(none)).toBeVisible();
    await expect(shown, path).toHaveCount(0);
  }

  const strip = dashboard.getByRole('region', { name: 'Your store is suspended' });
  await expect(strip.getByRole('link')).toHaveAttribute('href', /^mailto:.+@/);
  await expectAccessible(dashboard, 'the dashboard of a suspended store');
  // The page must not offer what the market refuses to a suspended store.
  await expect(dashboard.getByRole('term').filter({ hasText: 'Payable' })).toBeVisible();
  await expect(dashboard.getByRole('link', { name: 'Add bank details' })).toHaveCount(0);
  const profile = await dashboard.context().newPage();
  await profile.goto(`${market.url}/dashboard/profile`);
  const bank = profile.getByRole('region', { name: 'Bank details' });
  await expect(bank).toContainText('Your released money is sent there.');
  await expect(bank.getByRole('button')).toHaveCount(0);
  await expect(profile.getByRole('button', { name: 'edit details' })).toHaveCount(0);
  await profile.close();
  const available = dashboard
    .getByRole('button', { name: /vailable/ })
    .filter({ hasText: product.prod_name });
  await expect(available).toBeDisabled();
  await expect(available).toHaveText(/^Available/);
  const toggle = `/v1/products/${product.product_id}/toggle-status`;
  await expect(seller.client.call(200, 'PUT', toggle)).rejects.toThrow(/403.*suspended/);

  await card.getByRole('button', { name: `Activate ${SELLER}` }).click();
  await expect(admin.getByText(`${SELLER} is active again`)).toBeVisible();
  await expect.poll(found).toBe(1);
  for (const { path } of listsOf(product)) {
    await openList(shopper, path);
    await expect(shown.first(), path).toBeVisible();
  }
  await expect(available).toBeEnabled();
  await expect(strip).toHaveCount(0);
  await available.click();
  await expect(available).toHaveText(/^Unavailable/);

  await card.getByRole('button', { name: `History of ${SELLER}` }).click();
  const history = admin.getByRole('dialog', { name: SELLER }).getByRole('listitem');
  await expect(history.filter({ hasText: `${HEAD_ADMIN_PERSON}, ` })).toHaveText([
    /^Active again.*Lagos time$/,
    /^Suspended.*Lagos time$/,
  ]);
  await dashboard.getByRole('link', { name: product.prod_name }).first().click();
  const told = dashboard.getByRole('region', { name: 'History' }).getByRole('listitem');
  await expect(told.first()).toHaveText(new RegExp(`${SELLER}, .*Lagos time$`));
  await expect(told.last()).toHaveText(/^Listed/);
});

test('an admin is made by id, unmade on the admins list, and made again on the card', async ({
  browser,
}) => {
  const { id } = await signedIn(market, SUB_ADMIN);
  const admin = await signIn(browser, market, HEAD_ADMIN);
  await admin.getByRole('button', { name: /^Add An Admin/ }).click();
  const dialog = admin.getByRole('dialog', { name: 'Add An Admin' });
  await dialog.getByRole('button', { name: 'Add admin' }).click();
  await expect(dialog.getByText('Please fill in: Seller ID')).toBeVisible();
  await dialog.getByLabel('Seller ID').fill(id);
  await dialog.getByRole('button', { name: 'Add admin' }).click();
  await expect(admin.getByText('Admin added successfully')).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await admin.getByRole('main').getByRole('link', { name: 'Total Admins 2' }).click();
  await expect(admin.getByRole('heading', { name: 'Total Admins 2' })).toBeVisible();
  const theirs = admin.getByRole('article').filter({ hasText: SUB_ADMIN });
  await theirs.getByRole('button', { name: `Delete Admin ${SUB_ADMIN}` }).click();
  await expect(admin.getByText(/^sucessfully removed .+ from being an Admin$/)).toBeVisible();
  await expect(theirs).toHaveCount(0);
  const themselves = admin.getByRole('article').filter({ hasText: HEAD_ADMIN });
  await expect(themselves.getByRole('button', { name: /Deactivate|Delete/ })).toHaveCount(0);

  const card = await findSeller(admin, id);
  await card.getByRole('button', { name: `Make Admin ${SUB_ADMIN}` }).click();
  await card.getByRole('button', { name: 'Yes, make an admin' }).click();
  await expect(admin.getByText(/^sucessfully made .+ an Admin$/)).toBeVisible();
  await expect(card.getByText('Sub-admin', { exact: true })).toBeVisible();
});

test('a sub-admin looks and changes nothing, neither on the pages nor by asking the server', async ({
  browser,
}) => {
  const head = await signedIn(market, HEAD_ADMIN);
  const { client, id } = await signedIn(market, SUB_ADMIN);
  await head.client.call(200, 'PUT', `/v1/update-subAdmin?sellerId=${id}&isSubAdmin=true`);

  const page = await signIn(browser, market, SUB_ADMIN);
  await page.goto(`${market.url}/dashboard`);
  await page.getByRole('button', { name: SUB_ADMIN }).click();
  await page.getByRole('link', { name: 'To Admin' }).first().click();
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: /^Total Admins/ })).toBeVisible();
  await expect(main.getByRole('link', { name: /^Total Sellers/ })).toBeVisible();
  await expect(main.getByRole('button', { name: /Add An Admin|Category/ })).toHaveCount(0);
  await page.goto(`${market.url}/admin-dashboard/sellers`);
  await expect(page.getByRole('article').first()).toBeVisible();
  const acts = page.getByRole('button', { name: /Deactivate|Activate|Make Admin|Delete Admin/ });
  await expect(acts).toHaveCount(0);
  await page.goto(`${market.url}/admin-dashboard/sellers?view=buyers`);
  await expect(page.getByRole('button', { name: 'refresh table' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'remove delivered' })).toHaveCount(0);

  const table = await client.get<{ result: { buyer_id: string; recieved: string }[] }>(
    '/v1/buyers/transactions',
  );
  const buyer = table.result.find(({ recieved }) => recieved === 'DELIVERED')?.buyer_id ?? '';
  const disputed = table.result.find(({ recieved }) => recieved === 'DISPUTED')?.buyer_id ?? '';
  const changes: readonly (readonly [string, string, unknown?])[] = [
    ['PUT', `/v1/user/${head.id}/toggle-suspended`],
    ['PUT', `/v1/update-subAdmin?sellerId=${id}&isSubAdmin=false`],
    ['DELETE', `/v1/buyers/${buyer}`],
    ['POST', `/v1/transactions/${disputed}/resolve`, { sellerId: id, outcome: 'release' }],
  ];
  for (const [method, path, body] of changes)
    await expect(client.call(200, method, path, body), path).rejects.toThrow(REFUSED);

  const plain = await signedIn(market, SELLER);
  for (const path of ['/v1/admin/overview', '/v1/user/getAllUsers', '/v1/buyers/transactions'])
    await expect(plain.client.get(path), path).rejects.toThrow(REFUSED);
  for (const [method, path, body] of changes)
    await expect(plain.client.call(200, method, path, body), path).rejects.toThrow(REFUSED);
  const seller = await signIn(browser, market, SELLER);
  await seller.goto(`${market.url}/admin-dashboard`);
  await expect(seller).toHaveURL(/\/dashboard$/);
  await expect(seller.getByRole('heading', { name: 'All Products' })).toBeVisible();
});

test('no head admin can be suspended or demoted through the server, not even by themselves', async () => {
  const head = await signedIn(market, HEAD_ADMIN);
  const paths = [
    `/v1/user/${head.id}/toggle-suspended`,
    `/v1/update-subAdmin?sellerId=${head.id}&isSubAdmin=false`,
  ];
  for (const path of paths)
    await expect(head.client.call(200, 'PUT', path), path).rejects.toThrow(/: 40[39] /);
});
