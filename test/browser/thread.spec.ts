import { expect, test } from '@playwright/test';
import { lettersIn, type Market, openByNpm, temporaryFolder } from '../support/market.js';
import { closePages } from './support/pages.js';
import { playStory } from './support/story.js';

const folder = temporaryFolder();
let market: Market;

test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openByNpm(folder.path);
});
test.afterAll(async () => {
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

test('one order, from sign-up and upload to confirmed delivery', async ({ browser }) => {
  const shopper = { viewport: { width: 360, height: 800 } };
  await playStory(browser, { url: market.url, hasOtherGoods: true, seller: {}, shopper });
  // A slow machine writes the receipt once the delivery is confirmed, and then without the link.
  await expect
    .poll(() => lettersIn(folder.path).join('\n'))
    .toMatch(/\/payment\/verify\/delivery-confirmation#|You have confirmed the delivery/);
});
