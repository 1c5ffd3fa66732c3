import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HEIGHT = 800;
const WIDTHS = [360, 1280] as const;

/** What axe finds wrong. In the dark only colours differ, so nothing else is looked at twice. */
async function violations(page: Page, coloursOnly: boolean): Promise<readonly string[]> {
  const rules = coloursOnly ? "{ runOnly: ['color-contrast'] }" : '{}';
  const run = `axe.run(document, { resultTypes: ['violations'], ...${rules} })`;
  await page.evaluate(
    `globalThis.axe ??= (() => { const module = undefined; ${axe}; return axe; })(); 0`,
  );
  const results: AxeResults = await page.evaluate(run);
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** No rule of axe is broken by what is shown now: on a phone and a desk, in light and in the dark. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const found: Record<string, readonly string[]> = {};
  for (const width of WIDTHS)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found[`${what}, ${width}, ${colorScheme}`] = await violations(page, colorScheme === 'dark');
    }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
}
