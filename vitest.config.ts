import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const NEVER = ['web/**', '**/node_modules/**', '**/dist/**'];
/** Tests that start whole markets, each of several processes. */
const MARKETS = ['cli/test/**/*.test.ts', 'test/**/*.test.ts'];

const node = {
  environment: 'node',
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // The default of one second is too short when whole markets share two cores with the tests.
  expect: { poll: { timeout: 60_000 } },
} as const;

/** One more than cores on small machines: tests of services often wait, for processes, time limits and sweeps. */
const WORKERS = Math.max(3, availableParallelism());

/** A short file that takes longer than any other. */
const LONGEST = /\/spec-table\.test\.ts$/;

/** Larger files begin first, as elsewhere, and before them the one that would be waited for alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (LONGEST.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Tests of the services run in Node against the built packages; those of the web run in happy-dom. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    maxWorkers: WORKERS,
    projects: [
      {
        test: {
          ...node,
          name: 'node',
          include: ['*/src/**/*.test.ts', '*/test/**/*.test.ts'],
          exclude: [...NEVER, ...MARKETS],
          // To load the engines anew for every file costs a quarter of all their time. So nothing may outlast its test:
          // spies and variables are taken back here, timers by whoever faked them, and modules are never mocked.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        test: {
          ...node,
          name: 'markets',
          include: MARKETS,
          exclude: NEVER,
          globalSetup: 'test/support/setup.ts',
          // As for the browser tests: on a shared machine one of many processes may stall for
          // longer than a test waits. The end of `npm test` lists what was retried, and why.
          retry: process.env.CI ? 1 : 0,
        },
      },
      'web/vitest.config.{ts,mts}',
    ],
  },
});
