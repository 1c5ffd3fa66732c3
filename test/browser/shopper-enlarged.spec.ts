import { type Browser, expect, type Page, test, type ViewportSize } from '@playwright/test';
import { closePages } from './support/pages.js';
import { addToCart, alive, cards, openShop, type Shop, shopperPage } from './support/shopper.js';

/** Text may be enlarged to twice its size (WCAG 1.4.4), also on a phone: nothing is cut off then. */
const WAYS = [
  ['letters of twice their size', { width: 360, height: 740 }, '200%'],
  ['a page of twice its size', { width: 180, height: 370 }, '100%'],
] as const;

let shop: Shop;
test.afterEach(closePages);
test.beforeAll(async () => {
  shop = await openShop();
});
test.afterAll(async () => shop?.close());

/** A phone whose browser is set to letters of this size. */
async function enlargedPage(browser: Browser, viewport: ViewportSize, size: string): Promise<Page> {
  const { page } = await shopperPage(browser, { viewport });
  await page.addInitScript((fontSize) => {
    new MutationObserver((_, seen) => {
      seen.disconnect();
      document.documentElement.style.fontSize = fontSize;
    }).observe(document, { childList: true });
  }, size);
  return page;
}

/** Texts that run out of a box around them or of the window. */
function cutTexts(): readonly string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const cut = scrollWidth > clientWidth ? ['the page scrolls sideways'] : [];
  const holds = (one: Element | null, box: DOMRect): boolean => {
    if (one === null) return true;
    const { display, overflowX } = getComputedStyle(one);
    if (overflowX === 'auto') return true;
    const frame = one.getBoundingClientRect();
    const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1;
    return (inside || display === 'inline') && holds(one.parentElement, box);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const around = text.parentElement;
    if (!around?.checkVisibility({ visibilityProperty: true })) continue;
    // Long names and places end in dots at every size, the carousel scrolls, and the skip link waits outside.
    if (getComputedStyle(around).textOverflow === 'ellipsis') continue;
    if (around.closest('[aria-roledescription=carousel], a[href="#main"]') !== null) continue;
    // Text for screen readers only is a pixel wide.
    if (around.getBoundingClientRect().width <= 1) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
    if (!boxes.every((box) => holds(around, box))) cut.push(text.textContent ?? '');
  }
  return cut;
}

async function expectWhole(page: Page, what: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await expect.poll(() => page.evaluate(cutTexts), what).toEqual([]);
}

for (const [what, viewport, size] of WAYS) {
  test(`${what}: nothing is cut off in the shop on a phone`, async ({ browser }) => {
    const page = await enlargedPage(browser, viewport, size);
    await page.goto(`${shop.url}/category/Fashion`);
    await alive(page);
    await expectWhole(page, 'category');
    const product = await cards(page).first().locator('a:has(img)').getAttribute('href');
    const store = await cards(page).first().locator('a:not(:has(img))').getAttribute('href');
    for (const n of [0, 1, 2]) await addToCart(page, n);
    await cards(page).first().getByRole('button', { name: /^Save/ }).click();
    for (const [path, text] of [
      ['/', 'CATEGORIES'],
      ['/search-items?query=bag', /products? found/],
      [product, 'Similar Products'],
      [store, 'Welcome to'],
      ['/saved', 'Single order'],
      ['/cart-contents/multiple-order', 'Cart Summary'],
      ['/about', 'Safest'],
      ['/ratings-and-reviews', 'How many stars'],
    ] as const) {
      await page.goto(`${shop.url}${path}`);
      await alive(page);
      await expect(page.getByText(text).first()).toBeAttached();
      await expectWhole(page, `${path}`);
    }
  });

  test(`${what}: the header keeps its search and its cart in sight`, async ({ browser }) => {
    const page = await enlargedPage(browser, viewport, size);
    await page.goto(shop.url);
    await alive(page);
    const header = page.getByRole('banner');
    for (const top of [0, 600]) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
      await expect(page.locator('header[data-stuck]')).toHaveCount(top === 0 ? 0 : 1);
      for (const part of [
        header.getByRole('button', { name: 'Search' }),
        header.getByRole('link', { name: /^Cart/ }),
      ])
        await expect(part, `${top}`).toBeInViewport({ ratio: 1 });
    }
  });
}
