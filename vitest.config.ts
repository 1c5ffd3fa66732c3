import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const NEVER = ['web/**', '**/node_modules/**', '**/dist/**'];
/** Those that start whole markets, each of several processes. */
const MARKETS = ['cli/test/**/*.test.ts', 'test/**/*.test.ts'];

const node = {
  environment: 'node',
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // A second, which it would be, is short where two cores are shared with whole markets.
  expect: { poll: { timeout: 60_000 } },
} as const;

/** Tests of the services run in Node against the built packages; those of the web run in happy-dom. */
export default defineConfig({
  test: {
    // The longest files wait for the processes they start: two share even two cores well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...node,
          name: 'node',
          include: ['*/src/**/*.test.ts', '*/test/**/*.test.ts'],
          exclude: [...NEVER, ...MARKETS],
        },
      },
      {
        test: {
          ...node,
          name: 'markets',
          include: MARKETS,
          exclude: NEVER,
          globalSetup: 'test/support/setup.ts',
          // As with the browser's: a machine that others share may stall one of many processes for longer than a
          // test waits. The end of `npm test` says what was tried twice, and why.
          retry: process.env.CI ? 1 : 0,
        },
      },
      'web/vitest.config.{ts,mts}',
    ],
  },
});
