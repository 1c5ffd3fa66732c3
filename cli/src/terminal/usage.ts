import { editDistance } from '@oja/domain/rules/text';
import { InvalidArgumentError } from 'commander';
import { type Exit, usageExit } from './exit.js';

/** The error for an unknown command below the command `under`. */
export function noSuchCommand(
  under: string,
  name: string,
  known: Iterable<{ name(): string }>,
): Exit {
  const hint = nearestHint(
    name,
    [...known].map((command) => command.name()),
  );
  return usageExit(`There is no command '${under} ${name}'${hint}.`);
}

/** A usage error of commander, as one sentence. */
export function usageSentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\(Did you mean (.+)\?\)$/, '; the nearest is $1')
    .replace(/\.$/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} (see --help).`;
}

/** The most letters that may be wrong for a candidate to be near. */
const MAX_MISTAKES = 3;
/** Of so few letters only one may be wrong: two would make a word near to nearly any other. */
const FEW_LETTERS = 4;
/** For a whole name: two letters in five. */
const maxMistakesInWhole = ({ length }: string) =>
  Math.min(length <= FEW_LETTERS ? 1 : MAX_MISTAKES, Math.round(length * 0.4));
/** For a part of a name: one letter in five, since a few letters are near to some part of every long name. */
const maxMistakesInPart = ({ length }: string) => Math.min(MAX_MISTAKES, Math.floor(length / 5));
/** A shorter text is part of nearly every name, so it is compared with whole names only. */
const LEAST_PART = 3;

/** The candidate spelled most like the text; null when none is near. */
export function nearest(text: string, candidates: Iterable<string>): string | null {
  const wanted = text.toLowerCase();
  let best: string | null = null;
  let [least, leastWhole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    const part = editDistance(wanted, known, { within: true });
    const whole = editDistance(wanted, known);
    const isPart = wanted.length >= LEAST_PART && part <= maxMistakesInPart(wanted);
    if (!isPart && whole > maxMistakesInWhole(wanted)) continue;
    if (part < least || (part === least && whole < leastWhole))
      [best, least, leastWhole] = [candidate, part, whole];
  }
  return best;
}

/** `; the nearest is …`, or '' when none is near. */
export function nearestHint(text: string, candidates: Iterable<string>): string {
  const found = nearest(text, candidates);
  return found === null ? '' : `; the nearest is ${found}`;
}

/** More names than this are not listed. */
const MOST_LISTED = 12;

/** The error for an unknown name: it says the nearest, or all of a few when none is near. */
export function unknownName(what: string, name: string, names: readonly string[]): Exit {
  const hint = nearestHint(name, names);
  const all = hint === '' && names.length <= MOST_LISTED ? `: name one of ${names.join(', ')}` : '';
  return usageExit(`There is no ${what} '${name}'${hint}${all}.`);
}

/** Narrows a name to the known ones. @throws Exit 2 with a hint when it is unknown. */
export function requireKnown<T extends string>(what: string, name: string, names: readonly T[]): T {
  const found = names.find((each) => each === name);
  if (found === undefined) throw unknownName(what, name, names);
  return found;
}

/** A parser for an option that takes a whole number from `least` to `most`. */
export function wholeNumber(
  least: number,
  needs = `a whole number of at least ${least}`,
  most = Number.MAX_SAFE_INTEGER,
) {
  return (text: string): number => {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < least || number > most)
      throw new InvalidArgumentError(`It must be ${needs}.`);
    return number;
  };
}

/** A parser for a number of lines from `least`; 'all' is Infinity. */
export const lineCount =
  (least: number) =>
  (text: string): number =>
    text === 'all'
      ? Number.POSITIVE_INFINITY
      : wholeNumber(least, `a whole number of at least ${least}, or 'all'`)(text);

/** The examples at the end of a command's help. */
export const examples = (...lines: readonly string[]): string =>
  `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  oja ${line}\n`).join('')}`;
