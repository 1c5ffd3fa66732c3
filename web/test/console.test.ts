import { afterEach, expect, it } from 'vitest';
import { checkConsole, expectErrors, watchConsole } from './console.js';

/** Nothing of these tests is left for the check that follows every test. */
afterEach(watchConsole);

it('complains of what no test expects, and of an error that was not logged', () => {
  console.warn('a key is %s', 'missing');
  expect(checkConsole).toThrow('Unexpected in the console: a key is missing');
  watchConsole();
  expectErrors(/no network/);
  expect(checkConsole).toThrow('Expected in the console: /no network/');
  console.error(new Error('no network'));
  expect(checkConsole).not.toThrow();
});
