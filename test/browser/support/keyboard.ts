import { expect, type Locator, type Page } from '@playwright/test';

/** More tab stops than any form here has. */
const STOPS = 60;

/** Presses Tab until the target has the focus. At every stop the focus must be visible. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    await expectSeen(page);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Goes on by the key, for so many stops. At each the focus must be visible. */
export async function tabAlong(page: Page, key: 'Tab' | 'Shift+Tab', stops: number): Promise<void> {
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press(key);
    await expectSeen(page);
  }
}

/** The focused element has a focus ring and can be seen in the window once the page has scrolled. */
async function expectSeen(page: Page): Promise<void> {
  await expect(async () => {
    const { what, isSeen } = await focused(page);
    expect(isSeen, `the focus can be seen on ${what}`).toBe(true);
  }).toPass({ timeout: 15_000 });
}

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return { what: 'nothing', isSeen: true };
    // The heading of a new page takes the focus for screen readers; it is no tab stop.
    if (element.matches('h1[tabindex="-1"]')) return { what: 'the heading', isSeen: true };
    // If a label or a search form draws the control, the ring is there.
    const drawn = [element, element.closest('label, search form')].filter((one) => one !== null);
    // A link that covers a whole panel draws the ring around the panel.
    const boxes = drawn.flatMap((one) => [getComputedStyle(one), getComputedStyle(one, '::after')]);
    const ring = boxes.some(
      ({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none',
    );
    // What lies over its centre may be a stuck header or a bar. Of a link in several lines, each has a box.
    const isOpen = drawn.some((one) =>
      [...one.getClientRects()].some(({ left, top, width, height }) =>
        one.contains(document.elementFromPoint(left + width / 2, top + height / 2)),
      ),
    );
    return { what: element.outerHTML.slice(0, 200), isSeen: ring && isOpen };
  });

/** Presses a copy button with the keyboard, and expects this text in the clipboard. */
export async function copyBy(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole('button', { name }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${text} copied`)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
}

/** Presses a print button with the keyboard, and expects window.print to be called. */
export async function printBy(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await tabTo(page, page.getByRole('button', { name }));
  await page.keyboard.press('Enter');
  await expect(page.locator('body[data-printed]')).toBeAttached();
}

/** Tabs to the field and types the text. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}
