import { expect, test } from '@playwright/test';
import { type Market, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { closePages } from './support/pages.js';
import { freshPage, signUp, WITH_WORKER } from './support/seller.js';

const PUSH_SERVICE = 'https://updates.push.services.mozilla.com/wpush/v2/';
const BEFORE = `${PUSH_SERVICE}given-first`;
const AFTER = `${PUSH_SERVICE}given-later`;

const folder = temporaryFolder();
let market: Market;
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openSampleMarket(folder.path);
});
test.afterAll(async () => {
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

/**
 * Script for the page or the worker: a push service that returns this address; localStorage says
 * which one it holds.
 */
const givingAddress = (endpoint: string): string => `(() => {
  const made = {
    endpoint: ${JSON.stringify(endpoint)},
    expirationTime: null,
    toJSON: () => ({ endpoint: made.endpoint, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => true,
  };
  let held = null;
  PushManager.prototype.subscribe = async () => (held = made);
  PushManager.prototype.getSubscription = async () =>
    held ?? (globalThis.localStorage?.getItem('held') === made.endpoint ? made : null);
})()`;

test('a browser that is given another address tells it to the market by itself', async ({
  browser,
}) => {
  const page = await freshPage(browser, { permissions: ['notifications'], ...WITH_WORKER });
  await page.addInitScript(givingAddress(BEFORE));
  await signUp(page, market.url, 'Ketu Kettledrums');
  await page.goto(`${market.url}/dashboard/notifications`);
  await page.getByRole('button', { name: 'Show new orders on this device' }).click();
  await expect(page.getByText('This device shows new orders')).toBeVisible();

  const [worker] = page.context().serviceWorkers();
  if (worker === undefined) throw new Error('no worker is at work');
  await worker.evaluate(givingAddress(AFTER));
  // The script ends once the promise given to the event's waitUntil has settled.
  await worker.evaluate(`(async () => {
    const event = new ExtendableEvent('pushsubscriptionchange');
    const done = new Promise((resolve, reject) => {
      event.waitUntil = (work) => work.then(resolve, reject);
    });
    dispatchEvent(event);
    await done;
  })()`);

  // The market knows the new address and says so to the page that holds it.
  await page.addInitScript(givingAddress(AFTER));
  await page.evaluate((endpoint) => localStorage.setItem('held', endpoint), AFTER);
  await page.reload();
  await expect(page.getByText('This device shows new orders')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop these messages' })).toBeEnabled();
});
