import { expect, it } from 'vitest';
import { noSuchCommand, usageSentence } from './usage.js';

it.each([
  [
    "error: unknown option '--jsn'\n(Did you mean --json?)\n",
    "Unknown option '--jsn'; the nearest is --json (see --help).",
  ],
  [
    "error: missing required argument 'folder'\n",
    "Missing required argument 'folder' (see --help).",
  ],
  [
    "error: option '-n' argument 'x' is invalid. It must be a whole number.\n",
    "Option '-n' argument 'x' is invalid. It must be a whole number (see --help).",
  ],
])('%j is told in one line', (told, sentence) => {
  expect(usageSentence(told)).toBe(sentence);
});

it('a command that is not there is answered with the nearest', () => {
  const known = ['tail', 'show', 'stats'].map((name) => ({ name: () => name }));
  expect(noSuchCommand('events', 'tial', known)).toMatchObject({
    code: 2,
    message: "There is no command 'events tial'; the nearest is tail.",
  });
});
