import type { Browser } from '@playwright/test';

/** Closes all pages of a test or file, as their carousels would keep running during the next one. */
export async function closePages({ browser }: { readonly browser: Browser }): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
