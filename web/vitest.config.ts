import { defineProject } from 'vitest/config';
import { callAddresses } from './scripts/call-addresses.mjs';

/** happy-dom, since jsdom lacks the native dialog and matchMedia. */
export default defineProject({
  root: import.meta.dirname,
  plugins: [callAddresses()],
  test: {
    name: 'web',
    environment: 'happy-dom',
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts', 'test/**/*.test.tsx'],
    setupFiles: ['./test/setup.ts'],
    css: false,
    /** Waits end with what they wait for; this is for machines that do much at once. */
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
