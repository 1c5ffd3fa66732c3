import { expect, type Locator, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { type AdminMarket, HEAD_ADMIN, openAdminMarket, signIn } from './support/admin.js';
import { boxOf } from './support/layout.js';
import { closePages } from './support/pages.js';
import { cards, shopperPage, waitForHydration } from './support/shopper.js';

/** Layout tests: positions and sizes are measured, not compared with screenshots. */
let market: AdminMarket;
test.afterEach(closePages);
test.beforeAll(async () => {
  market = await openAdminMarket();
});
test.afterAll(async () => market?.close());

const WIDTHS = [360, 768, 1280] as const;

/** Makes the server report more notices than the badge has room for. */
async function manyNotices(page: Page): Promise<void> {
  const notifications = Array.from({ length: 120 }, (_, n) => ({ transaction_id: `t-${n}` }));
  await page.route('**/v1/notifications/unread**', async (route) => {
    const answer = await (await route.fetch()).json();
    const list = Object.keys(answer).find((key) => Array.isArray(answer[key]));
    if (list === undefined) throw new Error('there is no list of notices');
    await route.fulfill({ json: { ...answer, [list]: notifications } });
  });
}

test('whoever is signed in has one line of signs that ends where the page ends', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  const header = page.getByRole('banner');
  const logo = header.getByRole('link', { name: 'Oja, home' });
  const options = header.getByRole('button', { name: /, options$/ });
  for (const path of ['/', '/dashboard', '/upload-product', '/admin-dashboard']) {
    await page.goto(market.url + path);
    await expect(options).toBeVisible();
    const last = path === '/' ? header.getByRole('link', { name: /^Cart/ }) : options;
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 });
      await expect
        .poll(
          async () => {
            const [own, first, end] = [await boxOf(options), await boxOf(logo), await boxOf(last)];
            const edge = await page
              .locator('[data-header-bar]')
              .evaluate((bar) => bar.getBoundingClientRect().right);
            return {
              line:
                Math.abs(own.middle - first.middle) <= 2 &&
                Math.abs(end.middle - first.middle) <= 2,
              atEnd: Math.abs(edge - end.right) <= 2,
            };
          },
          { message: `${path}, ${width} px`, timeout: 15_000 },
        )
        .toEqual({ line: true, atEnd: true });
    }
  }
});

test('more than 99 notices are told beside the bell, not over it', async ({ browser }) => {
  const page = await signIn(browser, market, HEAD_ADMIN);
  await manyNotices(page);
  await page.goto(`${market.url}/upload-product`);
  const bell = page
    .getByRole('banner')
    .getByRole('link', { name: /^Notifications, \d{3} unread$/ });
  const badge = bell.getByText('99+', { exact: true });
  for (const width of [320, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 740 });
    await expect(badge).toBeVisible();
    const [sign, figure] = [await boxOf(bell.locator('svg')), await boxOf(badge)];
    const swatch = await boxOf(
      page
        .getByRole('button', { name: /, options$/ })
        .locator('svg, span')
        .first(),
    );
    expect(figure.x, `${width} px: half of the bell is free`).toBeGreaterThanOrEqual(
      sign.x + sign.width / 2,
    );
    expect(figure.right, `${width} px: the next sign is free`).toBeLessThanOrEqual(swatch.x);
    expect(figure.y).toBeGreaterThanOrEqual(0);
  }
});

const shapes = [
  [300, 400],
  [400, 300],
  [640, 360],
  [8, 8],
] as const;

test('photos of any shape fill their square', async ({ browser }) => {
  const photos = await Promise.all(
    shapes.map(([width, height]) =>
      sharp({ create: { width, height, channels: 3, background: '#806040' } })
        .webp()
        .toBuffer(),
    ),
  );
  const { page } = await shopperPage(browser);
  let asked = 0;
  await page.route('**/v1/image/**', async (route) => {
    const body = photos[asked % photos.length];
    asked += 1;
    if (body === undefined) throw new Error('there is no photo');
    await route.fulfill({ contentType: 'image/webp', body });
  });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`${market.url}/category/Fashion`);
    await waitForHydration(page);
    const pictures = cards(page).locator('a > img');
    await expect(pictures.first()).toBeVisible();
    const kinds = await pictures.evaluateAll((all) => [
      ...new Set(
        all.map((one) => {
          const box = one.getBoundingClientRect();
          return `${getComputedStyle(one).objectFit} ${Math.abs(box.width - box.height) < 1}`;
        }),
      ),
    ]);
    expect(kinds, `${width} px`).toEqual(['cover true']);
  }
  expect(asked).toBeGreaterThan(shapes.length);
});

test('what is new on Oja is a strip that covers neither the footer nor the round buttons', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(market.url);
  const strip = page.getByRole('dialog', { name: 'New on Oja' });
  await expect(strip).toBeVisible();
  const float = page.getByRole('button', { name: 'Price and Delivery' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    const [own, button] = [await boxOf(strip), await boxOf(float)];
    expect(own.height, `${width} px`).toBeLessThan(112);
    expect(button.y + button.height, `${width} px`).toBeLessThanOrEqual(own.y);
    const footer = page.getByRole('contentinfo');
    await footer.scrollIntoViewIfNeeded();
    const link = footer.getByRole('link', { name: 'My orders' });
    await link.focus();
    await expect(link).toBeInViewport({ ratio: 1 });
    const [above, focused] = [await boxOf(strip), await boxOf(link)];
    expect(above.y + above.height, `${width} px`).toBeLessThanOrEqual(focused.y);
    await page.evaluate(() => scrollTo({ top: 0 }));
  }
  // All gaps between the footer links must be equal.
  const ways = await page.getByRole('contentinfo').locator('a, li > span').all();
  const boxes = await Promise.all(ways.map(boxOf));
  const gaps = boxes.slice(1).map((box, i) => Math.round(box.x - (boxes[i]?.right ?? 0)));
  expect(new Set(gaps).size, `${gaps}`).toBe(1);
});

test('a page of one of the own products stays in the frame of the dashboard', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN, {
    viewport: { width: 1280, height: 800 },
  });
  const { result } = await page.evaluate(async () => {
    const asked = await fetch('/v1/products/search?seller=Adunni+Textiles&condition=all&limit=1');
    return asked.json();
  });
  const [{ subcategory_id, product_id }] = result;
  await page.goto(`${market.url}/single-product/${subcategory_id}/${product_id}`);
  const frame = page.getByRole('navigation', { name: 'Dashboard', exact: true });
  await expect(frame.getByRole('link', { name: 'All Products' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByRole('banner').getByRole('button', { name: /, options$/ })).toBeVisible();
});

test('a product is printed on white, alone and without what is there to be pressed', async ({
  browser,
}) => {
  const { page } = await shopperPage(browser, { colorScheme: 'dark' });
  await page.goto(`${market.url}/category/Fashion`);
  const path = await cards(page).locator('a:has(img)').first().getAttribute('href');
  await page.goto(`${market.url}${path}`);
  await waitForHydration(page);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 718, height: 1040 });
  const name = page.getByRole('heading', { level: 1 });
  const light = () =>
    name.evaluate((one) => {
      const [r = 0, g = 0, b = 0] =
        getComputedStyle(one)
          .color.match(/[\d.]+/g)
          ?.map(Number) ?? [];
      return Math.max(r, g, b);
    });
  await expect.poll(light).toBeLessThan(100);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Similar Products' })).toBeHidden();
  await expect(page.getByRole('button')).toHaveCount(0);
  expect((await boxOf(page.getByRole('main').locator('img').first())).width).toBeLessThan(360);
});

/** Plaques with one motif whose mask is cut; a tile is 48 px where no size is set. */
const cutMotifs = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('span[data-motif]')]
      .filter((one) => one.dataset.motif !== 'quilt' && one.getClientRects().length > 0)
      .flatMap((one) => {
        const { width, height, maskSize } = getComputedStyle(one, '::before');
        const tile = Number.parseFloat(maskSize) || 48;
        const over = [width, height].map((side) => (Number.parseFloat(side) / tile) % 1);
        return over.every((part) => Math.min(part, 1 - part) < 0.02)
          ? []
          : [`${one.className}: ${width} by ${tile}`];
      }),
  );

/** Texts on plain cloth that overflow the patterned cloth behind them or the window. */
const cutPlaques = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-motif]')].flatMap((cloth) => {
      const ground = getComputedStyle(cloth).backgroundColor;
      const { left, right, top, bottom } = cloth.getBoundingClientRect();
      return [...cloth.querySelectorAll<HTMLElement>('*')]
        .filter((one) => !one.matches('[data-motif], article *'))
        .filter((one) => getComputedStyle(one).backgroundColor === ground)
        .filter((one) => {
          const box = one.getBoundingClientRect();
          const inside = box.left >= left && box.right <= right && box.top >= top;
          return box.width > 0 && !(inside && box.bottom <= bottom && box.left >= 0);
        })
        .map((one) => one.outerHTML.slice(0, 120));
    }),
  );

test('motifs and the plaques on them stand whole at every width', async ({ browser }) => {
  const { page } = await shopperPage(browser);
  for (const path of ['/', '/about', '/saved', '/category/Fashion', '/login']) {
    await page.goto(market.url + path);
    await expect(page.locator('[data-motif]').first()).toBeAttached();
    for (const width of [320, ...WIDTHS]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await cutMotifs(page), `${path}, ${width} px`).toEqual([]);
      expect(await cutPlaques(page), `${path}, ${width} px`).toEqual([]);
    }
  }
});

/** How each select is drawn: without the browser's own arrow, with a chevron in the text colour. */
const carets = (page: Page) =>
  page.locator('select').evaluateAll((all) =>
    all.map((one) => {
      const { appearance, backgroundImage, color, paddingRight } = getComputedStyle(one);
      const strokes = backgroundImage.split(color).length - 1;
      return { appearance, drawn: strokes >= 2, room: Number.parseFloat(paddingRight) >= 30 };
    }),
  );

/** The contrast ratio of a button's text and its background. */
const contrastOf = (button: Locator): Promise<number> =>
  button.evaluate((one) => {
    const shade = (color: string) => {
      const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
        const c = Number(part) / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const { color, backgroundColor } = getComputedStyle(one);
    const [light = 0, dark = 0] = [shade(color), shade(backgroundColor)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  });

test('selects have one caret, and the quiet button can be read in the dark', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN, { reducedMotion: 'reduce' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/dashboard/orders', '/admin-dashboard/sellers?view=buyers']) {
      await page.goto(market.url + path);
      await expect(page.locator('select').first()).toBeVisible();
      const all = await carets(page);
      expect(all, `${path}, ${colorScheme}`).toEqual(
        all.map(() => ({ appearance: 'none', drawn: true, room: true })),
      );
    }
    await page.goto(`${market.url}/search-items?query=bag`);
    await waitForHydration(page);
    expect(await carets(page), colorScheme).toEqual([
      { appearance: 'none', drawn: true, room: true },
    ]);
    const quiet = cards(page).getByRole('button', { name: 'Single order' }).first();
    expect(await contrastOf(quiet), colorScheme).toBeGreaterThan(7);
    await quiet.hover();
    await expect.poll(() => contrastOf(quiet), { message: colorScheme }).toBeGreaterThan(7);
    await page.mouse.move(0, 0);
  }
});

test('the review form stays in sight while the comments pass by', async ({ browser }) => {
  const { page } = await shopperPage(browser, { viewport: { width: 1280, height: 800 } });
  await page.goto(`${market.url}/ratings-and-reviews`);
  const form = page.getByRole('region', { name: 'Your experience' });
  const comments = page.getByRole('region', { name: "Users' Comments" }).getByRole('listitem');
  await expect(comments.first()).toBeVisible();
  await comments.last().scrollIntoViewIfNeeded();
  await expect(form).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('region', { name: 'Ratings' })).not.toBeInViewport();
});

test('what is chosen is told apart where the system’s colours replace all others', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN, { forcedColors: 'active' });
  const ground = (one: Locator) => one.evaluate((drawn) => getComputedStyle(drawn).backgroundColor);
  const expectApart = async (chosen: Locator, other: Locator, what: string) => {
    await expect(chosen, what).toBeVisible();
    const selected = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.background = 'SelectedItem';
      const { backgroundColor } = getComputedStyle(probe);
      probe.remove();
      return backgroundColor;
    });
    expect(await ground(chosen), what).toBe(selected);
    expect(await ground(other), what).not.toBe(selected);
  };
  await page.goto(`${market.url}/admin-dashboard/sellers`);
  const main = page.getByRole('main');
  const link = (name: string) => main.getByRole('link', { name, exact: true });
  await expectApart(link('Sellers'), link('Buyers'), 'the view');
  const nav = page.getByRole('navigation', { name: 'Dashboard', exact: true });
  await expectApart(
    nav.getByRole('link', { name: 'Total Sellers' }),
    nav.getByRole('link', { name: 'Total Admins' }),
    'the page',
  );
  await page.goto(`${market.url}/search-items?query=bag`);
  await waitForHydration(page);
  const toggle = cards(page).getByRole('button', { name: /cart/ });
  await toggle.first().click();
  await expect(toggle.first()).toHaveAccessibleName(/^Remove from cart/);
  await expectApart(toggle.first(), toggle.nth(1), 'the cart');
  await page.goto(`${market.url}/payment-form`);
  const steps = page.getByRole('list', { name: 'Order steps' });
  await expectApart(steps.locator('b').nth(1), steps.locator('b').nth(2), 'the step');
});

test('a ring tells the focused field apart where the system’s colours replace all others', async ({
  browser,
}) => {
  const page = await signIn(browser, market, HEAD_ADMIN, { forcedColors: 'active' });
  const expectRing = async (field: Locator, drawn = field) => {
    await field.focus();
    // Shadows are gone, and the border has the system's colour with the focus and without.
    await expect(drawn).toHaveCSS('outline-style', 'solid');
  };
  await page.goto(`${market.url}/upload-product`);
  const main = page.getByRole('main');
  await expectRing(main.getByRole('button', { name: /^Category/ }));
  await expectRing(main.getByLabel('Product name'));
  await page.goto(`${market.url}/search-items?query=bag`);
  await waitForHydration(page);
  await expectRing(page.getByLabel('Search', { exact: true }), page.locator('search form'));
  await expectRing(page.getByLabel('Sort'));
  await expectRing(page.getByLabel('Price from, in naira'));
});

test('the name on a card runs from right to left where its script does', async ({ browser }) => {
  const { page } = await shopperPage(browser);
  await page.goto(market.url);
  await waitForHydration(page);
  const places = await cards(page)
    .first()
    .getByRole('heading')
    .evaluate((name) => {
      name.textContent = 'هاتف (128 GB) جديد';
      const leftOf = (word: string) => {
        const range = document.createRange();
        const text = name.firstChild;
        const at = name.textContent.indexOf(word);
        if (text === null || at < 0) throw new Error(`${word} is not there`);
        range.setStart(text, at);
        range.setEnd(text, at + word.length);
        return range.getBoundingClientRect().left;
      };
      return { first: leftOf('هاتف'), last: leftOf('جديد') };
    });
  expect(places.first).toBeGreaterThan(places.last);
});
