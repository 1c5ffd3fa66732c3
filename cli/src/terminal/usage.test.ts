import { expect, it } from 'vitest';
import { noSuchCommand, requireKnown, usageSentence } from './usage.js';

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

it.each([
  ['projecter', ['projector', 'query-service'], '; the nearest is projector'],
  ['nope', ['projector', 'query-service'], ': name one of projector, query-service'],
  ['nope', Array.from({ length: 20 }, (_, at) => `command-${at}`), ''],
])('%j is answered with what there is', (name, names, hint) => {
  const message = `There is no service '${name}'${hint}.`;
  expect(() => requireKnown('service', name, names)).toThrow(
    expect.objectContaining({ code: 2, message }),
  );
});
