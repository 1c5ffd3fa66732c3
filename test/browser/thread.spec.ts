import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Market, openByNpm, temporaryFolder } from '../support/market.js';
import { closePages } from './support/pages.js';
import { liveThrough } from './support/story.js';

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

/** Every letter in the data folder, as text. */
function receipts(): string {
  const mail = join(folder.path, 'mail');
  if (!existsSync(mail)) return '';
  return readdirSync(mail, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(mail, name), 'utf8'))
    .join('\n');
}

test('one order, from sign-up and upload to confirmed delivery', async ({ browser }) => {
  const shopper = { viewport: { width: 360, height: 800 } };
  await liveThrough(browser, { url: market.url, hasOtherGoods: true, seller: {}, shopper });
  await expect
    .poll(() => receipts().replaceAll('=\r\n', ''))
    .toContain('/payment/verify/delivery-confirmation#');
});
