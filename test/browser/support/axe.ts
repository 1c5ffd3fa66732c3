import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare const window: Window & { readonly axe?: typeof axe };

/** A small, cheap phone and a desktop. */
const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;
const schemes = ['light', 'dark'] as const;

/** Expects no violation of axe rules, light and dark, on a phone and on a desktop. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  // While the code of a page is on its way there is only the frame around it.
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  // Elements have other colours while they move or fade.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // `evaluate` works through DevTools, so the Content-Security-Policy does not block it.
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(SOURCE);
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      expect(
        await broken(page, colorScheme),
        `${screen}, ${colorScheme}, ${size.width} px`,
      ).toEqual([]);
    }
  }
}

/** Waits until every transition that the change has started is over. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const running = document.getAnimations().filter(({ effect }) => {
      const { endTime } = effect?.getComputedTiming() ?? {};
      return typeof endTime === 'number' && Number.isFinite(endTime);
    });
    await Promise.allSettled(running.map(({ finished }) => finished));
  });

/** In the dark scheme only colours differ, so only colour rules run a second time. */
const broken = (page: Page, scheme: (typeof schemes)[number]): Promise<readonly string[]> =>
  page.evaluate(
    async (options) => {
      if (window.axe === undefined) throw new Error('axe is not here');
      // What keeps a rule is not described: that would take longer than to find what breaks one.
      const { violations, passes } = await window.axe.run({
        ...options,
        resultTypes: ['violations'],
        selectors: false,
        preload: false,
      });
      if (passes.length === 0) throw new Error('axe found nothing to look at');
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    scheme === 'dark' ? { runOnly: ['color-contrast'] } : {},
  );
