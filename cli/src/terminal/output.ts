/** What every command that shows something takes. */
export interface Output {
  readonly json?: boolean;
}

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** One JSON text for programs, or lines for people. */
export function show(output: Output, value: unknown, lines: () => readonly string[]): void {
  if (output.json) say(JSON.stringify(value));
  else for (const line of lines()) say(line);
}

const isColoured = () => process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';
const colour = (code: number) => (text: string) =>
  isColoured() ? `\x1b[${code}m${text}\x1b[0m` : text;

/** Colours on a terminal, plain text anywhere else. */
export const paint = { bad: colour(31), good: colour(32), warn: colour(33), dim: colour(2) };

/** Columns as wide as their widest cell; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** A time span for people, from seconds. */
export function span(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
