import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any form here has. */
const STOPS = 60;

/**
 * Goes on with Tab until this has the focus. At every stop on the way the focus can be seen, as it can with a mouse
 * lost.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    await expectSeen(page);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Whatever has the focus has a ring, and stands in the window once the page has scrolled there. */
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
    // Where a page that has just come begins to be read: no stop of Tab.
    if (element.matches('h1[tabindex="-1"]')) return { what: 'the heading', isSeen: true };
    // A control that its label or its frame draws has the ring there.
    const drawn = [element, element.closest('label, search form')].filter((one) => one !== null);
    // A link that a whole panel opens has it around the panel.
    const boxes = drawn.flatMap((one) => [getComputedStyle(one), getComputedStyle(one, '::after')]);
    const ring = boxes.some(
      ({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none',
    );
    const inWindow = drawn.some((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    });
    return { what: element.outerHTML.slice(0, 200), isSeen: ring && inWindow };
  });

/** Presses by keyboard alone what copies something, and looks whether it was this. */
export async function copyBy(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole('button', { name }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${text} copied`)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
}

/** Presses by keyboard alone what prints, and looks whether it does. */
export async function printBy(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await tabTo(page, page.getByRole('button', { name }));
  await page.keyboard.press('Enter');
  await expect(page.locator('body[data-printed]')).toBeAttached();
}

/** Types into whatever is found by Tab. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}
