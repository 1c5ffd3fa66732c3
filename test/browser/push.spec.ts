import { type BrowserContext, type CDPSession, expect, type Page, test } from '@playwright/test';
import { type Market, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { closePages } from './support/pages.js';
import { signUp } from './support/seller.js';

const folder = temporaryFolder();
const NOTICES = '/dashboard/notifications';
const ASK = 'Show new orders on this device';
const STOP = 'Stop these messages';
const ENDPOINT = 'https://updates.push.services.mozilla.com/wpush/v2/of-this-browser';

let market: Market;
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openSampleMarket(folder.path);
});
test.afterAll(async () => {
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

/** Replaces the browser's push service by one that subscribes without a prompt. */
async function subscribingHere(endpoint: string): Promise<void> {
  let held: unknown = null;
  const made = {
    endpoint,
    expirationTime: null,
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      held = null;
      return true;
    },
  };
  Object.assign(PushManager.prototype, {
    subscribe: async () => {
      held = made;
      return held;
    },
    getSubscription: async () => held,
  });
}

async function signUpToNotices(page: Page, businessName: string): Promise<void> {
  await signUp(page, market.url, businessName);
  await page.goto(market.url + NOTICES);
}

/** The requests about the device's subscription and logout, in order. */
function askedOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/subscription|^\/v1\/logout/.test(pathname))
      asked.push(`${request.method()} ${pathname}`);
  });
  return asked;
}

/** The id of the registration that receives messages, as DevTools knows it. */
async function registrationOf(devTools: CDPSession): Promise<string> {
  const known = new Promise<string>((resolve) =>
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    }),
  );
  await devTools.send('ServiceWorker.enable');
  return known;
}

/** Resolves once the worker is activated: a message to a worker that is still activating is lost. */
const atWork = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active?.state === 'activating')
      await new Promise((done) => active.addEventListener('statechange', done, { once: true }));
  });

async function shown(page: Page): Promise<readonly { title: string; body: string }[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body }) => ({ title, body }));
  });
}

/**
 * Runs in the worker; a string because its types differ from a page's. Browsers allow focus() only
 * after a real press.
 */
const PRESS = `(async () => {
  WindowClient.prototype.focus = async function () { return this; };
  const [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent('notificationclick', { notification }));
})()`;

/** Simulates a press on the notification in the worker, as a test cannot press it. */
async function press(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error('no worker is at work');
  await worker.evaluate(PRESS);
}

test('a seller asks to be told, is told, and is led to the notices', async ({ browser }) => {
  const context = await browser.newContext({ permissions: ['notifications'] });
  const page = await context.newPage();
  await page.addInitScript(subscribingHere, ENDPOINT);
  const asked = askedOf(page);
  await signUpToNotices(page, 'Balogun Bells');

  await page.getByRole('button', { name: ASK }).click();
  await expect(page.getByText('This device shows new orders')).toBeVisible();
  await expect
    .poll(() => asked)
    .toEqual(['POST /subscription/check-subscription', 'POST /subscription']);

  const devTools = await context.newCDPSession(page);
  const registrationId = await registrationOf(devTools);
  await atWork(page);
  await devTools.send('ServiceWorker.deliverPushMessage', {
    origin: market.url,
    registrationId,
    data: JSON.stringify({ message: 'New order for:Bag,Shoe' }),
  });
  await expect.poll(() => shown(page)).toEqual([{ title: 'Oja', body: 'New order for:Bag,Shoe' }]);

  await page.goto(`${market.url}/dashboard`);
  await press(context);
  await expect(page).toHaveURL(market.url + NOTICES);
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
});

test('the switch ends it, and so does a logout', async ({ browser }) => {
  const context = await browser.newContext({ permissions: ['notifications'] });
  const page = await context.newPage();
  await page.addInitScript(subscribingHere, `${ENDPOINT}-2`);
  const asked = askedOf(page);
  await signUpToNotices(page, 'Gbagi Gongs');

  await page.getByRole('button', { name: ASK }).click();
  await page.getByRole('button', { name: STOP }).click();
  await expect(page.getByRole('button', { name: ASK })).toBeEnabled();
  expect(asked.at(-1)).toBe('DELETE /subscription');

  await page.getByRole('button', { name: ASK }).click();
  await expect(page.getByRole('button', { name: STOP })).toBeEnabled();
  asked.length = 0;
  await page
    .getByRole('button', { name: /^log ?out$/i })
    .first()
    .click();
  await expect(page).toHaveURL(`${market.url}/`);
  expect(asked).toEqual(['DELETE /subscription', 'DELETE /v1/logout']);
});

test('whoever asked hears of orders again after the next login, and nobody else', async ({
  browser,
}) => {
  const context = await browser.newContext({ permissions: ['notifications'] });
  const page = await context.newPage();
  await page.addInitScript(subscribingHere, `${ENDPOINT}-3`);
  const asked = askedOf(page);
  const logOut = async () => {
    await page
      .getByRole('button', { name: /^log ?out$/i })
      .first()
      .click();
    await expect(page).toHaveURL(`${market.url}/`);
    asked.length = 0;
  };
  await signUpToNotices(page, 'Sabo Sirens');
  await page.getByRole('button', { name: ASK }).click();
  await expect(page.getByRole('button', { name: STOP })).toBeEnabled();

  await logOut();
  await signUpToNotices(page, 'Ojota Organs');
  await expect(page.getByRole('button', { name: ASK })).toBeEnabled();
  expect(asked).toEqual([]);

  await logOut();
  await page.goto(`${market.url}/login`);
  await page.getByLabel('Business Name').fill('Sabo Sirens');
  await page.getByLabel('Password', { exact: true }).fill('a long enough secret');
  await page.getByRole('button', { name: 'LOG IN' }).click();
  await expect(page).toHaveURL(`${market.url}/dashboard`);
  await expect
    .poll(() => asked)
    .toEqual(['POST /subscription/check-subscription', 'POST /subscription']);
});

test('nothing is asked without a press, and a no is said plainly', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    let permission: NotificationPermission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      document.documentElement.dataset.asked = 'yes';
      permission = 'denied';
      return permission;
    };
  });
  await signUpToNotices(page, 'Wuse Whistles');
  await expect(page.getByRole('button', { name: ASK })).toBeEnabled();
  await expect(page.locator('html')).not.toHaveAttribute('data-asked', 'yes');
  await page.getByRole('button', { name: ASK }).click();
  await expect(page.getByText(/Messages from Oja are blocked/)).toBeVisible();
  await expect(page.getByRole('button', { name: ASK })).toHaveCount(0);
});

test('a browser that cannot is told so, and a push service out of reach too', async ({
  browser,
}) => {
  const old = await (await browser.newContext()).newPage();
  await old.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'PushManager');
  });
  await signUpToNotices(old, 'Dugbe Drums');
  await expect(old.getByText(/cannot show messages while Oja is closed/)).toBeVisible();

  const far = await (await browser.newContext({ permissions: ['notifications'] })).newPage();
  await far.addInitScript(() => {
    PushManager.prototype.subscribe = async () => {
      throw new DOMException('Registration failed - push service error', 'AbortError');
    };
  });
  await signUpToNotices(far, 'Oyingbo Oboes');
  await far.getByRole('button', { name: ASK }).click();
  await expect(far.getByText(/could not reach its message service/)).toBeVisible();
  await expect(far.getByRole('button', { name: ASK })).toBeEnabled();
});
