/**
 * The cost of one interaction on a cheap phone: the time from the tap to the next paint, as the browser measures it
 * (Event Timing), with the CPU throttled four times, on home, search, cart and the admins' table of a market with
 * 10,000 goods and 500 orders. Baseline: a button on an empty page that does nothing, pressed in the same run.
 *
 *   npm run bench -- interactions [visits]
 */
import { chromium } from '@playwright/test';
import { chromiumPath } from '../scripts/lib/chromium.mjs';
import { line, ms, percentile } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { fillMarket, openMarket, runOja, settingsIn } from './lib/market.mjs';

const visits = Number(process.argv[2] ?? 5);
const THROTTLING = 4;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const DESK = { viewport: { width: 1280, height: 800 } };
/** One of the sample sellers, with the password that all of them have. */
const ADMIN = { name: 'Adunni Textiles', password: 'market-day' };
/** The browser does not report an event that is painted within one frame; it counts as one frame. */
const FRAME_MS = 16;

/** Records for each interaction the longest time, in ms, from one of its events to the next paint. */
const watching = (least) => {
  const longest = new Map();
  globalThis.presses = longest;
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration } of list.getEntries())
      if (id > 0) longest.set(id, Math.max(duration, longest.get(id) ?? 0));
  }).observe({ type: 'event', durationThreshold: least });
};

async function openPage(browser, options) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(watching, FRAME_MS);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING });
  return page;
}

/** Waits until nothing loads and the page is idle; a page that is never idle is waited for 5 s at most. */
async function quiet(page) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })),
  );
}

/** Time in ms until the page has painted the effect of one press. */
async function taken(page, press) {
  await quiet(page);
  await page.evaluate(() => globalThis.presses.clear());
  await press(page);
  await quiet(page);
  return page.evaluate((least) => Math.max(least, ...globalThis.presses.values()), FRAME_MS);
}

const named = (role, name) => (page) => page.getByRole(role, { name }).first();
/** Taps on a phone, clicks on a desktop. */
const press = (found) => async (page) => {
  const isPhone = await page.evaluate(() => navigator.maxTouchPoints > 0);
  return isPhone ? found(page).tap() : found(page).click();
};
const key = (found, what) => (page) => found(page).press(what);

const intoCart = named('button', /^Add to cart/);
const box = (page) => page.getByPlaceholder('I am looking for...').first();
const toFind = (page) => page.getByPlaceholder('Find a buyer, reference or ID');

const screens = {
  home: {
    path: '/',
    presses: {
      'the menu': press(named('button', 'Menu')),
      'a letter to search for': key(box, 'b'),
      'one more letter': key(box, 'a'),
      'into the cart': press(intoCart),
    },
  },
  search: {
    path: '/search-items?query=bag',
    presses: {
      'into the cart': press(intoCart),
      'another order': key((page) => page.getByLabel('Sort'), 'ArrowDown'),
      'the filters': press(named('button', /^Filters/)),
      'a condition': press(named('radio', 'New and Used')),
    },
  },
  cart: {
    path: '/cart-contents/multiple-order',
    async before(page, url) {
      await page.goto(`${url}/search-items?query=bag`);
      for (let n = 0; n < 3; n += 1) await press(intoCart)(page);
    },
    presses: {
      'one more of it': press(named('button', 'More')),
      'one fewer': press(named('button', 'Fewer')),
      'out of the cart': press(named('button', /^Remove /)),
      undo: press(named('button', 'Undo')),
    },
  },
  'admin table': {
    path: '/admin-dashboard/sellers?view=buyers',
    options: DESK,
    async before(page, url) {
      await page.goto(`${url}/login`);
      await page.getByLabel('Business Name').fill(ADMIN.name);
      await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
      await page.getByRole('button', { name: 'LOG IN' }).click();
      await page.waitForURL(/dashboard$/);
    },
    presses: {
      'another order': press((page) =>
        page.getByRole('columnheader', { name: 'Amount' }).getByRole('button'),
      ),
      'the next page': press(named('button', 'Next')),
      'a letter to find': key(toFind, 'a'),
      'one more letter': key(toFind, 'd'),
      'those that are delivered': key(named('combobox', 'Recieved'), 'ArrowDown'),
    },
  },
};

const browser = await chromium.launch({
  executablePath: await chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await inFolder(async (folder) => {
    const env = await settingsIn(folder);
    await fillMarket(env);
    if ((await runOja(['admin', 'grant', ADMIN.name], env).ended) !== 0)
      throw new Error('no admin');
    const market = await openMarket(env);
    try {
      await measure(market.url);
    } finally {
      await market.close();
    }
  });
} finally {
  await browser.close();
}

async function measure(url) {
  const empty = await openPage(browser, PHONE);
  await empty.goto(`${url}/healthz`);
  await empty.setContent('<button type="button">press</button>');
  const bare = [];
  for (let n = 0; n < visits * 2; n += 1)
    bare.push(await taken(empty, press(named('button', 'press'))));
  await empty.context().close();
  const baseline = percentile(bare, 0.5);
  line('a button of an empty page', ms(baseline));

  for (const [screen, { path, options = PHONE, before, presses }] of Object.entries(screens)) {
    const took = Object.fromEntries(Object.keys(presses).map((name) => [name, []]));
    for (let visit = 0; visit < visits; visit += 1) {
      const page = await openPage(browser, options);
      await before?.(page, url);
      await page.goto(url + path);
      for (const [name, one] of Object.entries(presses)) took[name].push(await taken(page, one));
      await page.context().close();
    }
    for (const [name, all] of Object.entries(took)) {
      const median = percentile(all, 0.5);
      line(`${screen}: ${name}`, `${ms(median)}, at most ${ms(Math.max(...all))}`, {
        value: median / baseline,
        of: 'an empty page',
      });
    }
  }
}
