import { defineProject } from 'vitest/config';
import { callAddresses } from './scripts/call-addresses.mjs';
import { css } from './scripts/class-names.mjs';

/** happy-dom, since jsdom lacks the native dialog and matchMedia. */
export default defineProject({
  root: import.meta.dirname,
  plugins: [callAddresses()],
  css,
  test: {
    name: 'web',
    environment: 'happy-dom',
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts', 'test/**/*.test.tsx'],
    setupFiles: ['./test/setup.ts'],
    /** Names of classes are those of the build. */
    css: { include: [/\.module\.css$/], modules: { classNameStrategy: 'scoped' } },
    /** Waits end with what they wait for; this is for machines that do much at once. */
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
