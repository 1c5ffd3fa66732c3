import { expect, test } from '@playwright/test';
import { type AdminMarket, HEAD_ADMIN, openAdminMarket, signIn } from './support/admin.js';
import { expectStill, forgetShifts, painted, watchShifts } from './support/layout.js';
import { closePages } from './support/pages.js';
import { goWithin, holdCalls } from './support/slow-page.js';

let market: AdminMarket;
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openAdminMarket();
});
test.afterAll(async () => market?.close());

/**
 * With a text of what the calls bring. All Products is not among them: who has money and no bank is asked for it above
 * the goods.
 */
const PAGES = [
  ['/dashboard/orders', 'You get'],
  ['/dashboard/sales', 'What you get of each order'],
  ['/dashboard/notifications', 'New order'],
  ['/dashboard/profile', 'Add an address'],
  ['/admin-dashboard', 'Needs a person'],
  ['/admin-dashboard/sellers', 'Deactivate'],
  ['/admin-dashboard/sellers?view=buyers', '₦'],
] as const;

for (const width of [360, 1280])
  test(`what stands on a dashboard does not move when the calls are answered, ${width} px`, async ({
    browser,
  }) => {
    test.slow();
    const page = await signIn(browser, market, HEAD_ADMIN, { viewport: { width, height: 800 } });
    await watchShifts(page);
    for (const [path, text] of PAGES) {
      await page.goto(`${market.url}/dashboard/profile/password`);
      await expect(page.getByRole('heading', { level: 1, name: 'Change password' })).toBeVisible();
      const calls = await holdCalls(page);
      await goWithin(page, path);
      await expect(page.getByRole('heading', { level: 1, name: 'Change password' })).toHaveCount(0);
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
      await painted(page);
      await forgetShifts(page);
      await calls.answer('last come');
      await expect(page.getByText(text).first()).toBeAttached();
      await painted(page);
      await expectStill(page, `${path}, ${width}`);
      await page.unrouteAll();
    }
  });
