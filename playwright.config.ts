import { defineConfig } from '@playwright/test';

/** Only full Chromium asks whether a page may send notifications, and lays text out as users' browsers do. */
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

/** Without a path Playwright uses its own: the headless shell, or full Chromium where `channel` says so. */
const browser = (executablePath: string | undefined) => ({
  launchOptions: { args: ARGS, ...(executablePath === undefined ? {} : { executablePath }) },
});

/** Browser tests start the real market themselves: see `test/support/market.ts`. */
export default defineConfig({
  testDir: 'test/browser',
  outputDir: 'test-results/browser',
  globalSetup: './test/browser/support/setup.ts',
  timeout: 120_000,
  // A busy machine renders late; an element that never appears still fails the test.
  expect: { timeout: 15_000 },
  // Each file starts a market of its own, and often waits for it or for the browser: two workers leave cores idle.
  workers: 3,
  // A shared CI machine may stall for longer than a test waits; the report lists what was retried.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  // Tracing costs half as much again as the test itself, so only a retried test is traced.
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
