import { expect, type Locator, type Page } from '@playwright/test';

const HEIGHT = 800;
/** From the narrowest phones to wide desktops, and both sides of each breakpoint. */
const WIDTHS = [320, 360, 479, 480, 640, 767, 768, 991, 992, 1169, 1170, 1280, 1920] as const;
/** A page with more layout shift than this counts as jumping. */
const MOST_SHIFT = 0.02;

/** Where an element is drawn. @throws Error when it is not */
export async function boxOf(one: Locator) {
  const box = await one.boundingBox();
  if (box === null) throw new Error(`${one} is not drawn`);
  return { ...box, right: box.x + box.width, middle: box.y + box.height / 2 };
}

/** Elements that overflow the window, and header parts that overlap. */
function lookAround(): readonly string[] {
  const { clientWidth } = document.documentElement;
  const visible = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    element !== document.body &&
    element !== document.documentElement &&
    (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
  const name = (element: Element) => element.outerHTML.slice(0, 80);
  const beyond = [...document.body.querySelectorAll('*')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return (
      width > 0 && visible(element) && (right > clientWidth + 1 || left < -1) && !scrolls(element)
    );
  });
  const parts = [...document.querySelectorAll('[data-header-bar] > *')].filter(visible);
  const boxes = parts.map((part) => ({ part, box: part.getBoundingClientRect() }));
  const over = boxes.flatMap(({ part, box }, i) =>
    boxes
      .slice(i + 1)
      .filter(
        (other) =>
          box.right > other.box.left + 1 &&
          other.box.right > box.left + 1 &&
          box.bottom > other.box.top + 1 &&
          other.box.bottom > box.top + 1,
      )
      .map((other) => `${name(part)} over ${name(other.part)}`),
  );
  const wide =
    document.documentElement.scrollWidth > clientWidth ? ['the page scrolls sideways'] : [];
  // The skip link waits outside the window until it has the focus.
  return [...wide, ...beyond.filter((one) => !one.matches('a[href="#main"]')).map(name), ...over];
}

/** Expects that at no width anything overflows the window or header parts overlap. */
export async function expectInPlace(page: Page, what: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    // Parts of the app that depend on the width in script follow a moment later.
    await expect.poll(() => page.evaluate(lookAround), `${what}, ${width}`).toEqual([]);
  }
}

/** Records layout shifts from now on, except those right after a touch. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: { value: number; what: string }[] = [];
    Reflect.set(globalThis, 'shifts', seen);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, 'hadRecentInput') === true) continue;
        const sources: { node: Element | null }[] = Reflect.get(entry, 'sources');
        const what = sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(' | ');
        seen.push({ value: Number(Reflect.get(entry, 'value')), what });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Drops the layout shifts recorded so far. */
export const forgetShifts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Reflect.get(globalThis, 'shifts').length = 0;
  });

/** Resolves once the current document has been painted. */
export const painted = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
      ),
  );

export async function expectStill(page: Page, what: string): Promise<void> {
  const shifts: { value: number; what: string }[] = await page.evaluate(() =>
    Reflect.get(globalThis, 'shifts'),
  );
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, `${what}: ${JSON.stringify(shifts)}`).toBeLessThan(MOST_SHIFT);
}

/** A sum larger than most prices here, as it is displayed. */
export const LARGE_SUM = '10,000,000.55';
/** Fields in naira by their JSON names. Without `payable` after it, `held` is a count of orders. */
const SUMS =
  /"(price|amount|share|sum|payable|paid_out|month|year|all|cash|held(?=":[\d.]+,"payable))":[\d.]+/g;

/** From now on every sum in an API answer is the large sum. */
export async function makeSumsLarge(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/v1/') && !url.pathname.startsWith('/v1/image/'),
    async (route) => {
      try {
        const answer = await route.fetch();
        const body = (await answer.text()).replace(SUMS, '"$1":10000000.55');
        await route.fulfill({ response: answer, body });
      } catch (error) {
        // The page has navigated meanwhile and no longer needs this answer.
        if (!/disposed|closed/.test(String(error))) throw error;
      }
    },
  );
}

/** Where the sum overflows its element, is broken over two lines, or is cut off in its field. */
function cutSums(sum: string): readonly string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen: string[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const around = text.parentElement;
    const index = text.textContent?.indexOf(sum) ?? -1;
    if (index < 0 || !around?.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + sum.length);
    const boxes = [...range.getClientRects()];
    // Text for screen readers only is a pixel wide; a select's text is drawn by the browser.
    if (boxes.length === 0 || around.getBoundingClientRect().width <= 1) continue;
    const right = Math.max(...boxes.map((box) => box.right));
    const holds = (one: Element | null): boolean =>
      one === null ||
      ((getComputedStyle(one).display === 'inline' ||
        right <= one.getBoundingClientRect().right + 1) &&
        holds(one.parentElement));
    const whole = boxes.length === 1 && holds(around);
    seen.push(whole ? '' : (around.parentElement ?? around).outerHTML.slice(0, 200));
  }
  for (const field of document.querySelectorAll('input')) {
    if (!field.value.includes(sum)) continue;
    seen.push(field.scrollWidth > field.clientWidth ? field.outerHTML.slice(0, 200) : '');
  }
  return seen.length === 0 ? ['it is nowhere'] : seen.filter(Boolean);
}

/** Expects that on the narrowest phone the sum is readable in full everywhere. */
export async function expectSumsWhole(page: Page, what: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate(cutSums, LARGE_SUM), what).toEqual([]);
  expect(await page.evaluate(lookAround), what).toEqual([]);
}
