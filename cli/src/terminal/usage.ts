import { Exit, exitCodes } from '../market/exit.js';
import { nearestOf } from './nearest.js';

/** Told of a command that is not there; `under` the one it was looked for in. */
export function noSuchCommand(
  under: string,
  name: string,
  known: Iterable<{ name(): string }>,
): Exit {
  const hint = nearestOf(
    name,
    [...known].map((command) => command.name()),
  );
  return new Exit(exitCodes.usage, `There is no command '${under} ${name}'${hint}.`);
}

/** What commander says of a command that was typed wrong, as one sentence. */
export function usageSentence(told: string): string {
  const text = told
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\(Did you mean (.+)\?\)$/, '; the nearest is $1')
    .replace(/\.$/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} (--help shows what there is).`;
}
