import { printable } from '@oja/domain/rules/text';
import type { Answer, AnswerName, Failure } from '../answers/index.js';

/** What every command that shows something takes. */
export interface Output {
  readonly json?: boolean;
}

const isColoured = () =>
  process.stdout.isTTY === true &&
  (process.env.NO_COLOR ?? '') === '' &&
  process.env.TERM !== 'dumb';
const ESCAPE = '\u001b';
const colour = (code: number) => (text: string) =>
  isColoured() ? `${ESCAPE}[${code}m${text}${ESCAPE}[0m` : text;

/** Colours on a terminal, plain text anywhere else. */
export const paint = { bad: colour(31), good: colour(32), warn: colour(33), dim: colour(2) };

/** What `paint` writes, and nothing else that a terminal obeys. */
const COLOURS = new RegExp(`(${ESCAPE}\\[(?:0|2|31|32|33)m)`);

/**
 * One line that shows and does nothing but what it says: names and notes were written by strangers, and
 * a terminal obeys what it is told. Our own colours stay.
 */
export const plainLine = (line: string): string =>
  line
    .split(COLOURS)
    .map((part) => (isColoured() && COLOURS.test(part) ? part : printable(part)))
    .join('');

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON in which every sign that a terminal obeys is escaped, so that a program still reads what was written. */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent)
    .split('\n')
    .map((line) => printable(line, escaped))
    .join('\n');
}

/** How wide a terminal is, in signs; null where nobody watches: a pipe has no edge. */
const widthOf = ({ isTTY, columns }: NodeJS.WriteStream): number | null =>
  isTTY === true ? columns || null : null;
const terminalWidth = () => widthOf(process.stdout);

const INDENT = '  ';
/** What is typed again as it stands: a terminal that breaks it lets it be copied whole. */
const COMMAND = /^\s*(\w+=\S+ )*oja /;

/**
 * One line as lines that a terminal of so many columns need not break: at spaces, the later ones indented one step
 * more. A word that is longer stays whole, and so does a command, for they are copied.
 */
export function folded(line: string, width: number | null): readonly string[] {
  const shown = (text: string) => text.replace(new RegExp(COLOURS, 'g'), '').length;
  if (width === null || shown(line) <= width || COMMAND.test(line)) return [line];
  const own = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let last = own;
  let isBegun = false;
  for (const part of line.slice(own.length).split(/(?<=[^ ])(?= )/)) {
    if (isBegun && shown(last) + shown(part) > width) {
      lines.push(last);
      last = own + INDENT + part.trimStart();
    } else last += part;
    isBegun = true;
  }
  return [...lines, last];
}

/** One line as the terminal has room for it. */
export const linesShown = (line: string): readonly string[] =>
  folded(plainLine(line), terminalWidth());

/** Every line of a command goes through here. */
export const say = (line: string): void => {
  for (const part of linesShown(line)) process.stdout.write(`${part}\n`);
};

/** The same of a whole help, which stands among the errors where it was not asked for. */
export const sayHelp = (text: string, stream: NodeJS.WriteStream = process.stdout): void => {
  const lines = text.split('\n').flatMap((line) => folded(line, widthOf(stream)));
  stream.write(lines.join('\n'));
};

/** What a shell reads: its lines are its own. */
export const sayScript = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const complain = (sentence: string): void => {
  const lines = folded(printable(sentence), widthOf(process.stderr));
  process.stderr.write(`${lines.join('\n')}\n`);
};

/** What the command that is named answers a program; without the name it does not compile. */
export const sayJson = <N extends AnswerName = never>(value: Answer<N>, indent = 0): void => {
  process.stdout.write(`${jsonText(value, indent)}\n`);
};

/** Why a command failed: a sentence, or with `json` the same for a program. */
export const sayFailed = (sentence: string, code: number, json: boolean): void => {
  const failure: Failure = { error: sentence, exitCode: code };
  if (json) process.stderr.write(`${jsonText(failure)}\n`);
  else complain(sentence);
};

/** Something to know about what is shown, apart from it. */
export const sayNote = complain;

/** One JSON text for programs, of the command that is named, or lines for people. */
export function show<N extends AnswerName = never>(
  output: Output,
  value: Answer<N>,
  lines: () => readonly string[],
): void {
  if (output.json) sayJson<N>(value);
  else for (const line of lines()) say(line);
}

/**
 * Text in lines of at most so many signs, the first of `first`, broken at spaces; a longer word is cut. The first line is
 * empty where it has no room for a word.
 */
function wrapped(text: string, width: number, first = width): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text
    .split(' ')
    .flatMap((long) => long.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > (lines.length === 0 ? first : width)) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

const USUAL_WIDTH = 80;

/** Text in lines that fit the terminal, of which the later ones are indented as well; 80 signs where nobody watches. */
export function fitted(
  text: string,
  indent = '',
  width: number = terminalWidth() ?? USUAL_WIDTH,
): readonly string[] {
  return wrapped(plainLine(text), Math.max(1, width - indent.length)).map((line) => indent + line);
}

/**
 * One thing of many, told in one line: how it begins, what it says, and what belongs to it. Where the terminal has no
 * room for that, the rest stands below, indented.
 */
export function entryLines(
  { begins, says, about }: { begins: string; says: string; about: readonly string[] },
  width: number | null = terminalWidth(),
): readonly string[] {
  const text = plainLine(says);
  const whole = `${begins} ${[text, ...about.map(plainLine)].join('  ')}`;
  if (width === null || whole.length <= width) return [whole];
  const below = Math.max(1, width - 2 * INDENT.length);
  const [first = '', ...rest] = wrapped(text, below, Math.max(0, width - begins.length - 1));
  const more = about.length === 0 ? [] : wrapped(plainLine(about.join(' ')), below);
  const indented = (line: string) => INDENT + INDENT + line;
  return [
    `${begins} ${first}`.trimEnd(),
    ...rest.map(indented),
    ...more.map((line) => paint.dim(indented(line))),
  ];
}

/** Each row as a paragraph, its cells under each other by the names of their columns. */
function paragraphs(rows: readonly (readonly string[])[], width: number): readonly string[] {
  const [names = [], ...others] = rows;
  return others.flatMap(([first = '', ...cells]) => [
    first,
    ...cells.flatMap((cell, i) => {
      if (cell === '') return [];
      const name = names[i + 1] ?? '';
      const text = name === '' ? cell : `${name}: ${cell}`;
      return wrapped(text, Math.max(1, width - INDENT.length)).map((line) => `${INDENT}${line}`);
    }),
  ]);
}

/**
 * Columns as wide as their widest cell; the last one is not padded. The first row names the columns: where
 * they do not fit a terminal beside each other, they stand under each other.
 */
export function table(
  cells: readonly (readonly string[])[],
  width: number | null = terminalWidth(),
): readonly string[] {
  const rows = cells.map((row) => row.map(plainLine));
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  const whole = widths.reduce((sum, each) => sum + each + INDENT.length, -INDENT.length);
  if (width !== null && whole > width && rows.length > 1) return paragraphs(rows, width);
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** A time span for people, from seconds. */
export function span(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}

/** The same of what is only reckoned. */
export const aboutSpan = (seconds: number): string =>
  seconds < 1 ? span(seconds) : `about ${span(seconds)}`;
