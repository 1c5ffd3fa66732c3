import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests of the services run in Node against the built packages; those of the web run in happy-dom. */
export default defineConfig({
  test: {
    // The longest files wait for the processes they start: two share even two cores well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['*/src/**/*.test.ts', '*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['web/**', '**/node_modules/**', '**/dist/**'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      'web/vitest.config.{ts,mts}',
    ],
  },
});
