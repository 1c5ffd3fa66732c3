import { InvalidArgumentError } from 'commander';
import { Exit, exitCodes } from './exit.js';

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

/**
 * Letters to change, add or drop to make one text the other, or with `within` a part of it: who types
 * the beginning of a name is near to the whole of it.
 */
function distance(text: string, candidate: string, within: boolean): number {
  let before = Array.from({ length: candidate.length + 1 }, (_, i) => (within ? 0 : i));
  for (let i = 1; i <= text.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= candidate.length; j += 1) {
      const changed = (before[j - 1] ?? 0) + (text[i - 1] === candidate[j - 1] ? 0 : 1);
      row.push(Math.min(changed, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = row;
  }
  return within ? Math.min(...before) : (before[candidate.length] ?? 0);
}

/** So many letters may be wrong at most for a candidate to be near. */
const MOST_WRONG = 3;
/** Of a whole name two in five. */
const wrongInWhole = ({ length }: string) => Math.min(MOST_WRONG, Math.round(length * 0.4));
/** Of its beginning or another part one in five: in a long name a few letters are near to some part or other. */
const wrongInPart = ({ length }: string) => Math.min(MOST_WRONG, Math.floor(length / 5));
/** So few letters are a part of nearly every name, and none of a name that is meant. */
const LEAST_PART = 3;

/** The candidate that is spelled most like the text; null where none is near. */
export function nearest(text: string, candidates: Iterable<string>): string | null {
  const wanted = text.toLowerCase();
  let best: string | null = null;
  let [least, leastWhole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    const part = distance(wanted, known, true);
    const whole = distance(wanted, known, false);
    const isPart = wanted.length >= LEAST_PART && part <= wrongInPart(wanted);
    if (!isPart && whole > wrongInWhole(wanted)) continue;
    if (part < least || (part === least && whole < leastWhole))
      [best, least, leastWhole] = [candidate, part, whole];
  }
  return best;
}

/** `; the nearest is …`, or nothing. */
export function nearestOf(text: string, candidates: Iterable<string>): string {
  const found = nearest(text, candidates);
  return found === null ? '' : `; the nearest is ${found}`;
}

/** Told of a name that is not there. */
export const unknown = (what: string, name: string, names: readonly string[]): Exit =>
  new Exit(exitCodes.usage, `There is no ${what} '${name}'${nearestOf(name, names)}.`);

/** The name, as it is known. @throws Exit 2 naming the nearest one. */
export function known<T extends string>(what: string, name: string, names: readonly T[]): T {
  const found = names.find((each) => each === name);
  if (found === undefined) throw unknown(what, name, names);
  return found;
}

/** Reads an option that takes a number. */
export function whole(least: number, needs = `a whole number from ${least} on`) {
  return (text: string): number => {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < least)
      throw new InvalidArgumentError(`It takes ${needs}.`);
    return number;
  };
}

/** What stands below a command's help: how it is typed. */
export const examples = (...lines: readonly string[]): string =>
  `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  oja ${line}\n`).join('')}`;
