import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { type MoneyMarket, openMoneyMarket, STORE } from './support/money.js';
import { closePages } from './support/pages.js';
import { freshPage, logIn } from './support/seller.js';

/** Longer than an access token is valid. */
const EXPIRED_MS = 11 * 60_000;
const REFRESH = '**/v1/refresh-token';

let market: MoneyMarket;
let context: BrowserContext;
let tabs: readonly [Page, Page];

test.describe.configure({ mode: 'serial' });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openMoneyMarket();
  const first = await freshPage(browser);
  context = first.context();
  await first.goto(`${market.url}/login`);
  await logIn(first, STORE, 'market-day');
  const second = await context.newPage();
  tabs = [first, second];
});
test.afterEach(() => context.unrouteAll({ behavior: 'ignoreErrors' }));
test.afterAll(async () => {
  await context?.close();
  await market?.close();
});

/**
 * Lets the tokens of both tabs expire and holds refreshes back until both were answered 403.
 * @returns a function that counts the refreshes since then
 */
async function expireBoth(): Promise<() => number> {
  let refreshes = 0;
  const told = Promise.all(
    tabs.map((tab) => tab.waitForResponse((answer) => answer.status() === 403)),
  );
  await context.route(REFRESH, async (route) => {
    refreshes += 1;
    await told;
    await route.continue();
  });
  market.clock.pass(EXPIRED_MS);
  return () => refreshes;
}

/** Opens the dashboard in both tabs, each with its own token. */
async function openBoth(): Promise<void> {
  for (const tab of tabs) {
    await tab.goto(`${market.url}/dashboard`);
    await expect(tab.getByRole('article').first()).toBeVisible();
  }
}

/** Both tabs switch a product on or off at the same time. */
async function bothTurn(words: RegExp): Promise<void> {
  const switches = tabs.map((tab, place) =>
    tab.getByRole('button', { name: /^(Una|A)vailable/ }).nth(place),
  );
  await Promise.all(switches.map((one) => one.click()));
  for (const one of switches) await expect(one).toHaveAccessibleName(words);
  for (const tab of tabs) await expect(tab).toHaveURL(/\/dashboard$/);
}

test('two tabs whose tokens have expired refresh in turn, and both stay signed in', async () => {
  await openBoth();
  const refreshes = await expireBoth();
  await bothTurn(/^Unavailable/);
  expect(refreshes()).toBe(2);
});

test('two tabs without locks refresh at the same moment, and both stay signed in', async () => {
  // As in a browser without Web Locks: only the market then keeps the tabs' sessions apart.
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true }),
  );
  await openBoth();
  const refreshes = await expireBoth();
  await bothTurn(/^Available/);
  expect(refreshes()).toBe(2);
});

test('and both are restored when they are reloaded at once', async () => {
  market.clock.pass(EXPIRED_MS);
  await Promise.all(tabs.map((tab) => tab.reload()));
  for (const tab of tabs) await expect(tab.getByRole('article').first()).toBeVisible();
  await bothTurn(/^Unavailable/);
});
