import { expect, type Page } from '@playwright/test';

/** Text may be enlarged to twice its size (WCAG 1.4.4), also on a phone: nothing is cut off then. */
export const WAYS = [
  ['letters of twice their size', { width: 360, height: 740 }, '200%'],
  ['a page of twice its size', { width: 180, height: 370 }, '100%'],
] as const;

/** From now on the browser is set to letters of this size. */
export async function enlarge(page: Page, size: string): Promise<void> {
  await page.addInitScript((fontSize) => {
    new MutationObserver((_, seen) => {
      seen.disconnect();
      document.documentElement.style.fontSize = fontSize;
    }).observe(document, { childList: true });
  }, size);
}

/** Texts that run out of a box around them or of the window, and amounts that are broken over two lines. */
function cutTexts(): readonly string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const cut = scrollWidth > clientWidth ? ['the page scrolls sideways'] : [];
  const holds = (one: Element | null, box: DOMRect): boolean => {
    if (one === null) return true;
    const { display, overflowX } = getComputedStyle(one);
    if (overflowX === 'auto') return true;
    // It has no box of its own.
    if (display === 'contents') return holds(one.parentElement, box);
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
    for (const { 0: amount, index } of text.textContent?.matchAll(/\d+(,\d{3})+(\.\d+)?/g) ?? []) {
      range.setStart(text, index);
      range.setEnd(text, index + amount.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) cut.push(`${amount} on ${lines.size} lines`);
    }
  }
  return cut;
}

/** The narrowest phone, in px. */
const NARROWEST = 320;

/**
 * Expects that no text is cut off and no amount broken, and that the page does not scroll sideways: at the page's own
 * width, and on the narrowest phone, if that is less.
 */
export async function expectWhole(page: Page, what: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await expect.poll(() => page.evaluate(cutTexts), what).toEqual([]);
  const own = page.viewportSize();
  if (own === null || own.width <= NARROWEST) return;
  await page.setViewportSize({ ...own, width: NARROWEST });
  await expect.poll(() => page.evaluate(cutTexts), `${what}, ${NARROWEST} px`).toEqual([]);
  await page.setViewportSize(own);
}

/** Presses Tab this often. @returns what had the focus in the main part while the bar of this name lay over it */
export async function coveredBy(page: Page, bar: string, presses: number): Promise<string[]> {
  const covered: string[] = [];
  for (let n = 0; n < presses; n += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate((label) => {
      const [on, over] = [
        document.activeElement,
        document.querySelector(`[aria-label="${label}"]`),
      ];
      if (on === null || over === null || over.contains(on) || !on.closest('main')) return null;
      const { top, bottom } = on.getBoundingClientRect();
      const frame = over.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      return middle >= frame.top && middle < frame.bottom ? on.textContent || on.ariaLabel : null;
    }, bar);
    if (name !== null) covered.push(name);
  }
  return covered;
}
