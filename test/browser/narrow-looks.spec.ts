import type { Order, Product } from '@oja/contracts';
import { AUTH_STORAGE } from '@oja/contracts/wire';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { Client } from '../support/client.js';
import * as walk from '../thread/walk.js';
import { type AdminMarket, HEAD_ADMIN, openAdminMarket, signIn } from './support/admin.js';
import { boxOf, expectSumsWhole, LARGE_SUM, makeSumsLarge } from './support/layout.js';
import { closePages } from './support/pages.js';
import { addToCart, cards, shopperPage, waitForHydration } from './support/shopper.js';

/** Layout where there is least room: on the narrowest phones, and on a phone on its side. */
let market: AdminMarket;
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openAdminMarket();
});
test.afterAll(async () => market?.close());

const BUYERS = '/admin-dashboard/sellers?view=buyers';

test('sums of ten million with kobo stand whole on the narrowest phone', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 320, height: 640 } });
  await makeSumsLarge(page);
  await page.goto(`${market.url}/search-items?query=bag`);
  await waitForHydration(page);
  // Server-rendered cards show real prices; another sort order makes the browser fetch the list.
  await page.getByLabel('Sort').selectOption('Z-A');
  await expect(cards(page).first()).toContainText(LARGE_SUM);
  await expectSumsWhole(page, 'cards');
  await addToCart(page, 0);
  for (const [path, heading] of [
    ['/cart-contents/multiple-order', 'Your cart'],
    ['/payment-form', 'Where should it go?'],
  ] as const) {
    await page.goto(market.url + path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expectSumsWhole(page, path);
  }

  const admin = await signIn(browser, market, HEAD_ADMIN);
  await makeSumsLarge(admin);
  for (const [path, text] of [
    ['/dashboard', 'Held for you'],
    ['/admin-dashboard', 'Collected'],
    [BUYERS, 'All details'],
  ] as const) {
    await admin.setViewportSize({ width: 320, height: 640 });
    await admin.goto(market.url + path);
    await expect(admin.getByText(text).first()).toBeVisible();
    await expectSumsWhole(admin, path);
  }
});

/** Expects that neither the page nor a dialog over it can be scrolled sideways. */
async function isAsWideAsThePhone(page: Page, what: string): Promise<void> {
  const beyond = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog[open]')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    ),
  );
  expect(Math.max(...beyond), what).toBeLessThanOrEqual(0);
}

test('names of one long word leave room for what admins press on the narrowest phone', async ({
  browser,
}) => {
  const admin = await signIn(browser, market, HEAD_ADMIN);
  await admin.setViewportSize({ width: 320, height: 640 });
  const word = 'W'.repeat(60);
  await admin.route(/\/v1\/user\/getAllUsers/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text())
      .replace(/"name":"[^"]*"/g, `"name":"${word}"`)
      .replace(/"businessName":"([^"]*)"/g, `"businessName":"${word} $1"`);
    await route.fulfill({ response: answer, body: text });
  });
  await admin.goto(`${market.url}/admin-dashboard/sellers`);
  await admin
    .getByRole('button', { name: /^Make Admin/ })
    .first()
    .click();
  for (const name of ['Close', 'Not now', 'Yes, make an admin'])
    await expect(admin.getByRole('dialog').getByRole('button', { name })).toBeInViewport();
  await isAsWideAsThePhone(admin, 'the question');
  await admin.keyboard.press('Escape');
  await admin.route(/\/v1\/timeline\//, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace(/"actor":"[^"]*"/g, `"actor":"${word}"`);
    await route.fulfill({ response: answer, body: text });
  });
  await admin
    .getByRole('button', { name: /^History of/ })
    .first()
    .click();
  await expect(admin.getByRole('dialog').getByText(word).nth(1)).toBeInViewport();
  await isAsWideAsThePhone(admin, 'the history');
  await admin.keyboard.press('Escape');
  await admin.getByPlaceholder('filter by BusinessName/ID...').fill('ww');
  await expect(admin.getByRole('button', { name: 'Show all' })).toBeVisible();
  await isAsWideAsThePhone(admin, 'the suggested names');
  await admin.route(/\/v1\/transactions\//, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace(/"prod_name":"[^"]*"/g, `"prod_name":"${word}"`);
    await route.fulfill({ response: answer, body: text });
  });
  await admin.goto(market.url + BUYERS);
  await admin
    .getByRole('link', { name: /^Transaction / })
    .first()
    .click();
  await expect(admin.getByText('The seller receives').first()).toBeVisible();
  await expect(admin.getByText(word).first()).toBeVisible();
  await isAsWideAsThePhone(admin, 'an order');
});

test('an account name of one long word leaves the profile as wide as the narrowest phone', async ({
  browser,
}) => {
  const seller = await signIn(browser, market, HEAD_ADMIN);
  await seller.setViewportSize({ width: 320, height: 640 });
  let word = 'w'.repeat(100);
  await seller.route('**/v1/user/payout-account', (route) => {
    const account = { account_name: word, account_number: '0123456789', bank_code: '058' };
    return route.fulfill({ json: { success: true, account } });
  });
  await seller.goto(`${market.url}/dashboard/profile`);
  await expect(seller.getByText(word)).toBeVisible();
  await isAsWideAsThePhone(seller, 'the account');
  await seller.getByRole('button', { name: 'Change', exact: true }).click();
  await seller.getByLabel('Account number').fill('9876543210');
  word = 'v'.repeat(100);
  await seller.getByRole('button', { name: 'Save bank details' }).click();
  await expect(seller.getByRole('alert').getByText(word)).toBeVisible();
  await isAsWideAsThePhone(seller, 'the account that another page has set');
});

test('long words in names leave the payment form as wide as the phone', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 320, height: 640 } });
  const word = 'w'.repeat(39);
  await page.route(/\/v1\/products\/(search|by-ids)/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace(/"prod_name":"[^"]*"/g, `"prod_name":"${word}"`);
    await route.fulfill({ response: answer, body: text });
  });
  await page.goto(`${market.url}/search-items?query=bag`);
  await waitForHydration(page);
  await page.getByLabel('Sort').selectOption('Z-A');
  const card = cards(page).filter({ hasText: word }).first();
  await card.getByRole('button', { name: /^Add to cart/ }).click();
  for (const path of ['/cart-contents/multiple-order', '/payment-form']) {
    await page.goto(market.url + path);
    await expect(page.getByText(word).first()).toBeVisible();
    const { wide, room } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      room: document.documentElement.clientWidth,
    }));
    expect(wide, path).toBeLessThanOrEqual(room);
  }
  const gone = [{ product_id: 'gone', prod_name: 'w'.repeat(120) }];
  await page.route('**/v1/transaction/initialize', (route) =>
    route.fulfill({ status: 409, json: { success: false, message: 'Gone', gone } }),
  );
  for (const [label, text] of [
    ['Full Name', 'Tunde Bello'],
    ['Email address', 'tunde@example.com'],
    ['Home Address', '12 Bode Thomas Street, Surulere'],
    ['Phone number', '07000000010'],
  ] as const)
    await page.getByLabel(label).fill(text);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('alert')).toContainText('No longer available');
  await isAsWideAsThePhone(page, 'goods that are gone');
});

/** Orders and pays goods of two sellers; returns the order's key. */
async function paidOrder(): Promise<string> {
  const shopper = new Client(market.url);
  const { result } = await shopper.get<{ result: Product[] }>('/v1/products/search?query=bag');
  const one = result[0];
  const other = result.find(({ user_id }) => user_id !== one?.user_id);
  if (one === undefined || other === undefined) throw new Error('two sellers have bags');
  const { payAt, transactionId } = await walk.placeOrder(shopper, [one, other]);
  await walk.verify(shopper, await walk.pay(payAt));
  return transactionId;
}

test('names of one long word leave the pages of an order as wide as the narrowest phone', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 320, height: 640 } });
  const prod_name = 'w'.repeat(120);
  const businessName = 'W'.repeat(60);
  const email_hint = `w•••@${'w'.repeat(63)}.edu.ng`;
  let change: Partial<Order> = {};
  let statuses: readonly Order['shares'][number]['status'][] = ['held', 'held'];
  await page.route(
    (url) => /^\/v1\/orders\/[^/]+$/.test(url.pathname),
    async (route) => {
      const answer = await route.fetch();
      const { order, ...rest } = (await answer.json()) as { order: Order };
      const lines = order.lines.map((line) => ({ ...line, prod_name, businessName }));
      const shares = order.shares.map((share, place) => ({
        ...share,
        businessName,
        status: statuses[place] ?? share.status,
      }));
      const json = { ...rest, order: { ...order, ...change, lines, shares } };
      await route.fulfill({ response: answer, json });
    },
  );
  const [other, key] = [await paidOrder(), await paidOrder()];
  const reference = key.split('.')[0];
  const confirmation = '/payment/verify/delivery-confirmation';
  const open = async (path: string, text: string | RegExp) => {
    // Without the blank page a hash alone would load nothing again.
    await page.goto('about:blank');
    await page.goto(market.url + path);
    await expect(page.getByText(text).first()).toBeVisible();
  };
  await open(`${confirmation}#${other}`, prod_name);
  await open(`${confirmation}#${key}`, prod_name);
  await expect(page.getByRole('region', { name: 'Your other orders' })).toContainText(prod_name);
  await isAsWideAsThePhone(page, 'another order below the question');

  change = { may_report_problem: true };
  await open(`${confirmation}#${key}`, prod_name);
  await page.getByRole('button', { name: 'Report a problem' }).click();
  await expect(page.getByRole('dialog').getByText(businessName).first()).toBeVisible();
  await isAsWideAsThePhone(page, 'the report of a problem');

  for (const [status, recieved, told] of [
    ['disputed', 'DISPUTED', 'We are looking into the goods of'],
    ['refunded', 'PENDING', 'What the goods of'],
    ['released', 'PENDING', 'The money for the goods of'],
  ] as const) {
    change = { recieved };
    statuses = [status, 'held'];
    await open(`${confirmation}#${key}`, told);
    await isAsWideAsThePhone(page, `one ${status}, the other held`);
    await open('/orders', told);
    await isAsWideAsThePhone(page, `my orders, one ${status}`);
    await open(`/payment/verify?reference=${reference}`, 'The money for goods of');
    await isAsWideAsThePhone(page, `the payment, one ${status}`);
  }
  for (const [status, recieved, told] of [
    ['disputed', 'DISPUTED', 'We are looking into your problem'],
    ['refunded', 'DELIVERED', 'The money went to'],
  ] as const) {
    change = { recieved, email_hint };
    statuses = [status, 'released'];
    await open(`${confirmation}#${key}`, told);
    await isAsWideAsThePhone(page, `one ${status}, the other released`);
    await open(`/payment/verify?reference=${reference}`, told);
    await isAsWideAsThePhone(page, `the payment, one ${status}, the other released`);
    await open(`/orders/${reference}`, prod_name);
    await isAsWideAsThePhone(page, `the receipt, one ${status}`);
  }
  await page.getByRole('button', { name: `Send receipt to ${email_hint}` }).click();
  await expect(page.getByText(`Receipt sent to ${email_hint}`)).toBeVisible();
  await isAsWideAsThePhone(page, 'the receipt that was sent');
});

test('words of names leave the search and the reviews as wide as the narrowest phone', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { viewport: { width: 320, height: 640 } });
  const word = 'w'.repeat(60);
  const other = { did_you_mean: word, word_forms: null as string | null };
  await page.route(/\/v1\/products\/suggest/, (route) =>
    route.fulfill({
      json: { success: true, ...other, goods: [], shelves: [], stores: [] },
    }),
  );
  await page.goto(`${market.url}/search-items?query=${word}v`);
  await expect(page.getByRole('link', { name: word })).toBeVisible();
  await isAsWideAsThePhone(page, 'another spelling');
  Object.assign(other, { did_you_mean: null, word_forms: word });
  await page.route(/\/v1\/products\/search\?.*query=w/, async (route) =>
    route.fulfill({ response: await route.fetch({ url: `${market.url}/v1/products/search` }) }),
  );
  await page.goto(`${market.url}/search-items?query=${word}v`);
  await expect(page.getByRole('heading', { name: `Also found for “${word}”` })).toBeVisible();
  await isAsWideAsThePhone(page, 'another form of the words');

  const seller = await signIn(browser, market, HEAD_ADMIN);
  await seller.setViewportSize({ width: 320, height: 640 });
  // Before the next page runs: the present one may still write what it has read.
  await seller.addInitScript(
    ([name, businessName]) => {
      const stored = JSON.parse(localStorage.getItem(name) ?? '');
      stored.state.user.businessName = businessName;
      localStorage.setItem(name, JSON.stringify(stored));
    },
    [AUTH_STORAGE, word] as const,
  );
  await seller.goto(`${market.url}/ratings-and-reviews`);
  await expect(seller.getByText(`Shown as ${word}.`)).toBeVisible();
  await isAsWideAsThePhone(seller, 'the form of a review');
});

/** Words that are broken over two lines. */
const brokenWords = (part: Locator): Promise<readonly string[]> =>
  part.evaluateAll((all) =>
    all.flatMap((one) => {
      const texts = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      return texts.flatMap((text) =>
        [...(text.textContent ?? '').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        }),
      );
    }),
  );

test('the button on a card stands in one line on phones', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 320, height: 640 } });
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 640 });
    await page.goto(`${market.url}/search-items?query=bag`);
    await waitForHydration(page);
    const lines = await cards(page)
      .first()
      .getByRole('button', { name: 'Single order' })
      .evaluate((button) => {
        const words = document.createRange();
        words.selectNodeContents(button);
        return new Set([...words.getClientRects()].map(({ top }) => top)).size;
      });
    expect(lines, `${width}`).toBe(1);
  }
});

test('the names of shelves stand whole on the narrowest phone', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 320, height: 640 } });
  for (const name of ['Fashion', 'Electronics', 'Beauty-and-Skincare', 'Phones-and-Laptop']) {
    await page.goto(`${market.url}/category/${name}`);
    const words = page.getByRole('main').locator('ul b');
    await expect(words.first()).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    expect(await brokenWords(words), name).toEqual([]);
  }
});

test('what belongs together in a dashboard stands in one line, and a phone on its side keeps room', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN, {
    viewport: { width: 1280, height: 800 },
  });
  await page.goto(`${market.url}/admin-dashboard/sellers`);
  const csv = await boxOf(page.getByRole('button', { name: 'CSV' }));
  const find = await boxOf(page.getByRole('textbox', { name: /^filter by/ }));
  expect(Math.abs(csv.middle - find.middle)).toBeLessThanOrEqual(2);
  await page.goto(`${market.url}/admin-dashboard/admins?view=audit`);
  expect((await boxOf(page.getByRole('combobox', { name: 'Kind of action' }))).width).toBeLessThan(
    400,
  );
  await page.goto(`${market.url}/dashboard`);
  const several = await boxOf(page.getByRole('button', { name: 'Choose several' }));
  const show = await boxOf(page.getByRole('navigation', { name: 'Which products' }));
  expect(show.x - several.right).toBeLessThanOrEqual(16);
  await page.goto(`${market.url}/admin-dashboard`);
  await page.setViewportSize({ width: 740, height: 360 });
  const tabs = page
    .getByRole('navigation', { name: 'Dashboard pages' })
    .getByRole('link', { name: 'Buyers' });
  await expect.poll(async () => (await boxOf(tabs)).height).toBeLessThanOrEqual(44);
  expect(await brokenWords(tabs)).toEqual([]);
});

test('a phone on its side keeps most of its height for the goods', async ({ browser }) => {
  const screen = { width: 740, height: 360 };
  const { page } = await shopperPage(browser, { viewport: screen });
  await page.goto(`${market.url}/category/Fashion`);
  await waitForHydration(page);
  const product = await cards(page).first().locator('a:has(img)').getAttribute('href');
  await addToCart(page, 0);
  const header = page.getByRole('banner');
  for (const [path, bar] of [
    ['/', undefined],
    [product, page.getByRole('region', { name: 'Order', exact: true })],
    ['/cart-contents/multiple-order', page.getByRole('region', { name: 'Checkout' })],
  ] as const) {
    await page.goto(market.url + path);
    await waitForHydration(page);
    await bar?.waitFor();
    for (const top of [0, 200]) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
      await expect(page.locator('header[data-stuck]')).toHaveCount(top === 0 ? 0 : 1);
      const [above, below] = [await boxOf(header), bar && (await boxOf(bar))];
      const room = (below?.y ?? screen.height) - (above.y + above.height);
      expect(room, `${path}, ${top}`).toBeGreaterThan(0.6 * screen.height);
    }
  }
});

test('headings stand in whole words on a phone whose page is enlarged to twice its size', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await page.setViewportSize({ width: 180, height: 400 });
  for (const [path, name] of [
    ['/nowhere', 'Unexpected Application Error!'],
    ['/dashboard/notifications', 'Notifications'],
  ] as const) {
    await page.goto(market.url + path);
    const heading = page.getByRole('heading', { level: 1, name });
    await expect(heading).toBeVisible();
    expect(await brokenWords(heading), path).toEqual([]);
  }
});
