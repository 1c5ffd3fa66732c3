import type { UserDetails } from '@oja/contracts';
import { expect, test } from '@playwright/test';
import { runOja } from '../support/market.js';
import { listBag, registerSeller, type Seller } from '../thread/walk.js';
import { closePages } from './support/pages.js';
import { cards, openShop, type Shop, shopperPage, waitForHydration } from './support/shopper.js';

const BAG = 'The only bag of the market';

let shop: Shop;
let owner: Seller;
test.afterEach(closePages);
test.beforeAll(async () => {
  shop = await openShop();
  owner = await registerSeller(shop.url, 'Only Stall');
  await listBag(owner, BAG, 10_000, ['peru', 'sienna']);
  const granted = runOja(['admin', 'grant', 'Only Stall'], {
    DATA_DIR: shop.dataDir,
    PORT: new URL(shop.url).port,
  });
  expect(await granted.exited).toBe(0);
  // Suspend the sample sellers: their goods disappear with them.
  const { result } = await owner.client.get<{ result: UserDetails[] }>('/v1/user/getAllUsers');
  for (const { user_id } of result)
    if (user_id !== owner.details.user_id)
      await owner.client.call(200, 'PUT', `/v1/user/${user_id}/toggle-suspended`);
});
test.afterAll(async () => shop?.close());

for (const width of [360, 1280])
  test(`the home page of a market with one product stands at ${width} px`, async ({ browser }) => {
    const { page, wrong } = await shopperPage(browser, { viewport: { width, height: 800 } });
    await page.goto(shop.url);
    await expect(cards(page)).toHaveCount(1);
    await waitForHydration(page);
    // The carousel is driven by its script although it has nowhere to go.
    await expect(page.locator('[aria-roledescription=carousel] [data-moving]')).toBeAttached();
    await page.getByRole('button', { name: /Filter products by Location/ }).click();
    await expect(page.getByRole('button', { name: 'Lagos' })).toBeVisible();
    await expect(page.getByRole('heading', { name: BAG }).first()).toBeAttached();
    expect(wrong).toEqual([]);
  });

test('the home page offers to view more only where that shows more', async ({ browser }) => {
  for (let n = 2; n <= 11; n += 1)
    await listBag(owner, `Bag number ${n}`, 10_000, ['peru', 'sienna']);
  const { page } = await shopperPage(browser, { viewport: { width: 1000, height: 800 } });
  await page.goto(shop.url);
  await expect(cards(page)).toHaveCount(11);
  await expect(cards(page).last()).toBeVisible();
  const more = page.getByRole('button', { name: 'view more' });
  await expect(more).toBeHidden();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(cards(page).last()).toBeHidden();
    await expect(more).toBeVisible();
  }
  await waitForHydration(page);
  await more.click();
  await expect(cards(page).last()).toBeVisible();
});
