import type { Browser, BrowserContext } from '@playwright/test';

/** Closes all pages of a test or file, as their carousels would keep running during the next one. */
export async function closePages({ browser }: { readonly browser: Browser }): Promise<void> {
  await Promise.all(browser.contexts().map(close));
}

/** Answers that a test changes and that are still under way would fail the next test, when their page is closed. */
async function close(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.all(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}
