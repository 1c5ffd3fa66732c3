import { setImmediate as immediate } from 'node:timers/promises';
import { printable } from '@oja/domain/rules/text';
import type { Answer, AnswerName, Failure } from '../answers/index.js';
import { failedExit } from './exit.js';

/** The option of every command that shows something. */
export interface Output {
  readonly json?: boolean;
}

let outputFailedHandler: ((error: NodeJS.ErrnoException) => void) | null = null;

/**
 * Gives failures of standard output to a handler, for who must put right what was begun; the process does not end by
 * itself meanwhile. Returns the function that ends this.
 */
export function onOutputFailed(handler: (error: NodeJS.ErrnoException) => void): () => void {
  outputFailedHandler = handler;
  return () => {
    outputFailedHandler = null;
  };
}

/** Tells the handler, if there is one, of a failure of standard output. Returns whether there is one. */
export function reportOutputFailed(error: NodeJS.ErrnoException): boolean {
  outputFailedHandler?.(error);
  return outputFailedHandler !== null;
}

export const outputFailedSentence = ({ message }: Error): string =>
  `The output could not be written: ${message}.`;

/**
 * Does work to its end, even if nobody reads what it says any more: stopped there, it would leave something half done.
 * @throws Exit 1 afterwards when its output could not be written for another reason.
 */
export async function finishUnread<T>(work: () => Promise<T>): Promise<T> {
  let failed: NodeJS.ErrnoException | null = null;
  const ended = onOutputFailed((error) => {
    if (error.code !== 'EPIPE') failed ??= error;
  });
  const done = await work().finally(async () => {
    // What is written last is said to have failed in the next turn of the event loop.
    await immediate();
    ended();
  });
  if (failed !== null) throw failedExit(outputFailedSentence(failed));
  return done;
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

/** The escape sequences that `paint` writes, and no others. */
const COLOURS = new RegExp(`(${ESCAPE}\\[(?:0|2|31|32|33)m)`);

/**
 * A line with control characters replaced: names and notes come from strangers, and could control the terminal.
 * The colours of `paint` stay.
 */
export const escapeControls = (line: string): string =>
  line
    .split(COLOURS)
    .map((part) => (isColoured() && COLOURS.test(part) ? part : printable(part)))
    .join('');

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON with every control character escaped: safe on a terminal, and a program still reads the original value. */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent)
    .split('\n')
    .map((line) => printable(line, escaped))
    .join('\n');
}

/** The width of a terminal in characters; null for a pipe or a file. */
const columnsOf = ({ isTTY, columns }: NodeJS.WriteStream): number | null =>
  isTTY === true ? columns || null : null;
const terminalWidth = () => columnsOf(process.stdout);

const INDENT = '  ';
/** A command to copy: it is never folded, because the terminal's own wrapping does not break the copied text. */
const COMMAND = /^\s*(\w+=\S+ )*oja /;

/**
 * Folds a line at spaces to fit `width` columns; continuation lines are indented one step more. A longer word stays
 * whole, and so does a command, because people copy them.
 */
export function foldLine(line: string, width: number | null): readonly string[] {
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

/** A line made safe and folded to the terminal's width. */
export const toTerminalLines = (line: string): readonly string[] =>
  foldLine(escapeControls(line), terminalWidth());

/** Prints a line to standard output; all text output of commands goes through here. */
export const printLine = (line: string): void => {
  for (const part of toTerminalLines(line)) process.stdout.write(`${part}\n`);
};

/** The width that help texts are written for, and other text where no terminal says another. */
const USUAL_WIDTH = 80;

/** Joins the lines of each paragraph, so that they can be folded to another width; lists and headings stay. */
export function joinParagraphs(text: string): string {
  const isProse = (line: string) => /^[^ ].*[^:]$/.test(line);
  const lines: string[] = [];
  let before = '';
  for (const line of text.split('\n')) {
    if (isProse(before) && isProse(line)) lines.push(`${lines.pop()} ${line}`);
    else lines.push(line);
    before = line;
  }
  return lines.join('\n');
}

/** Prints a help text, folded; to standard error when the user did not ask for it. */
export const printHelp = (text: string, stream: NodeJS.WriteStream = process.stdout): void => {
  const width = columnsOf(stream);
  const whole = width !== null && width < USUAL_WIDTH ? joinParagraphs(text) : text;
  const lines = whole.split('\n').flatMap((line) => foldLine(line, width));
  stream.write(lines.join('\n'));
};

/** Prints a shell script unchanged. */
export const printScript = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const printToStderr = (sentence: string): void => {
  const lines = foldLine(printable(sentence), columnsOf(process.stderr));
  process.stderr.write(`${lines.join('\n')}\n`);
};

/** Prints the JSON answer of the command named by the type argument; without that argument it does not compile. */
export const printJson = <N extends AnswerName = never>(value: Answer<N>, indent = 0): void => {
  process.stdout.write(`${jsonText(value, indent)}\n`);
};

/** Prints to standard error why a command failed: as a sentence, or with `json` as a `Failure`. */
export const printFailure = (sentence: string, code: number, json: boolean): void => {
  const failure: Failure = { error: sentence, exitCode: code };
  if (json) process.stderr.write(`${jsonText(failure)}\n`);
  else printToStderr(sentence);
};

/** Prints a note about the output to standard error. */
export const sayNote = printToStderr;

/** Prints the answer of the command named by the type argument: as JSON for programs, or as lines for people. */
export function printAnswer<N extends AnswerName = never>(
  output: Output,
  value: Answer<N>,
  lines: () => readonly string[],
): void {
  if (output.json) printJson<N>(value);
  else for (const line of lines()) printLine(line);
}

/**
 * Wraps text at spaces to `width` characters, the first line to `first`; a longer word is split. The first line is
 * empty when no word fits it.
 */
function wrapText(text: string, width: number, first = width): readonly string[] {
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

/** Wraps text to the terminal's width, and not at all without a terminal; every line is indented. */
export function wrapLines(
  text: string,
  indent = '',
  width: number | null = terminalWidth(),
): readonly string[] {
  const plain = escapeControls(text);
  const lines = width === null ? [plain] : wrapText(plain, Math.max(1, width - indent.length));
  return lines.map((line) => indent + line);
}

/**
 * One entry of a list on one line: its beginning, its message, and further details. When that is too wide for the
 * terminal, the rest follows below, indented.
 */
export function entryLines(
  { begins, says, about }: { begins: string; says: string; about: readonly string[] },
  width: number | null = terminalWidth(),
): readonly string[] {
  const text = escapeControls(says);
  const whole = `${begins} ${[text, ...about.map(escapeControls)].join('  ')}`;
  if (width === null || whole.length <= width) return [whole];
  const below = Math.max(1, width - 2 * INDENT.length);
  const [first = '', ...rest] = wrapText(text, below, Math.max(0, width - begins.length - 1));
  const more = about.length === 0 ? [] : wrapText(escapeControls(about.join(' ')), below);
  const indented = (line: string) => INDENT + INDENT + line;
  return [
    `${begins} ${first}`.trimEnd(),
    ...rest.map(indented),
    ...more.map((line) => paint.dim(indented(line))),
  ];
}

/** Each row as a paragraph: the first cell, and below it the others with the names of their columns. */
function paragraphs(rows: readonly (readonly string[])[], width: number): readonly string[] {
  const [names = [], ...others] = rows;
  return others.flatMap(([first = '', ...cells]) => [
    first,
    ...cells.flatMap((cell, i) => {
      if (cell === '') return [];
      const name = names[i + 1] ?? '';
      const text = name === '' ? cell : `${name}: ${cell}`;
      return wrapText(text, Math.max(1, width - INDENT.length)).map((line) => `${INDENT}${line}`);
    }),
  ]);
}

/**
 * Rows in columns as wide as their widest cell; the last column is not padded. The first row holds the headings. When
 * the columns do not fit the terminal, each row becomes a paragraph.
 */
export function formatTable(
  cells: readonly (readonly string[])[],
  width: number | null = terminalWidth(),
): readonly string[] {
  const rows = cells.map((row) => row.map(escapeControls));
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

/** Characters without which a column of values would be too narrow to read. */
const LEAST_COLUMN = 30;

/** Names and their values in two columns; each value below its name where the terminal leaves too little for a column. */
export function formatNamedValues(
  rows: readonly (readonly [name: string, value: string])[],
  width: number | null = terminalWidth(),
): readonly string[] {
  const widest = Math.max(...rows.map(([name]) => name.length));
  if (width === null || width - widest - INDENT.length >= LEAST_COLUMN)
    return formatTable(rows, null);
  return rows.flatMap(([name, value]) => [
    escapeControls(name),
    ...foldLine(`${INDENT}${escapeControls(value)}`, width),
  ]);
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** What is shown as 0.0 MB otherwise, in bytes. */
const LEAST_MEGABYTES = 50_000;

/** A size in MB, or in kB if it is a small part of one. */
export const formatMegabytes = (bytes: number): string =>
  bytes > 0 && bytes < LEAST_MEGABYTES
    ? `${Math.ceil(bytes / 1_000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Formats a duration in seconds for people. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}

/** Formats an estimated duration in seconds: 'about …'. */
export const formatRoughly = (seconds: number): string =>
  seconds < 1 ? formatDuration(seconds) : `about ${formatDuration(seconds)}`;
