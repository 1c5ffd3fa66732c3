import type { Browser } from '@playwright/test';

/** Ends what a test or a file has opened: pages left behind would go on turning their carousels under the next one. */
export async function closePages({ browser }: { readonly browser: Browser }): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
