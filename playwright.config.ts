import { defineConfig } from '@playwright/test';

/** Only the whole Chromium asks whether a page may notify, and lays text out as people's own browsers do. */
const WHOLE = /(push|looks)\.spec\.ts$/;

const { CHROMIUM, CHROMIUM_SHELL = CHROMIUM } = process.env;

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Without a path it is Playwright's own: its shell without windows, or the whole one where `channel` says so. */
const browser = (executablePath: string | undefined) => ({
  launchOptions: { args: ARGS, ...(executablePath === undefined ? {} : { executablePath }) },
});

/** Browser tests start the real market themselves: see `test/support/market.ts`. */
export default defineConfig({
  testDir: 'test/browser',
  outputDir: 'test-results/browser',
  globalSetup: './test/browser/support/setup.ts',
  timeout: 120_000,
  // A busy machine draws late; what does not come at all fails all the same.
  expect: { timeout: 15_000 },
  // Each file has a market of its own, and waits for it or for the browser most of the time.
  workers: 2,
  // A machine that others share may stall for longer than a test waits; the list says what was tried twice.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  // To watch costs half as much again as the test itself: only what failed is watched, when it is tried again.
  use: { trace: 'on-first-retry' },
  projects: [
    { name: 'pages', testIgnore: WHOLE, use: browser(CHROMIUM_SHELL) },
    {
      name: 'whole',
      testMatch: WHOLE,
      use: { ...browser(CHROMIUM), ...(CHROMIUM === undefined ? { channel: 'chromium' } : {}) },
    },
  ],
});
