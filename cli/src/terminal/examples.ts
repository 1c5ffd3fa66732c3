/** What stands below a command's help: how it is typed. */
export const examples = (...lines: readonly string[]): string =>
  `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  oja ${line}\n`).join('')}`;
