import { format } from 'node:util';
import { vi } from 'vitest';

/** What only the browser of the tests says: it does not know every element. */
const NOT_OURS = /^The tag <search> is unrecognized in this browser/;

let expected: readonly RegExp[] = [];
let logged: string[] = [];

/** Lets the running test's app log errors: each of `patterns` at least once, and none that no pattern matches. */
export function expectErrors(...patterns: readonly RegExp[]): void {
  expected = [...expected, ...patterns];
}

/** Keeps errors and warnings off the terminal, for `checkConsole`. A test may replace `console.error` by a spy of its own. */
export function watchConsole(): void {
  expected = [];
  logged = [];
  const record = (first: unknown, ...values: readonly unknown[]) => {
    const text = format(String(first), ...values.map(String));
    if (!NOT_OURS.test(text)) logged.push(text);
  };
  vi.spyOn(console, 'error').mockImplementation(record);
  vi.spyOn(console, 'warn').mockImplementation(record);
}

/**
 * Fails where the app, React or the mocked market complained of something that the test did not expect, or where an
 * error that it expects was not logged.
 */
export function checkConsole(): void {
  const unexpected = logged.filter((text) => !expected.some((pattern) => pattern.test(text)));
  if (unexpected.length > 0) throw new Error(`Unexpected in the console: ${unexpected.join('\n')}`);
  const missing = expected.filter((pattern) => !logged.some((text) => pattern.test(text)));
  if (missing.length > 0) throw new Error(`Expected in the console: ${missing.join(', ')}`);
}
