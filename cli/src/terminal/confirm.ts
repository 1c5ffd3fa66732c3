import { createInterface } from 'node:readline/promises';
import { usageExit } from './exit.js';
import { Interrupted } from './interrupt.js';
import { toTerminalLines } from './output.js';

export interface ConfirmOptions {
  readonly yes?: boolean;
}

/**
 * Asks before something is destroyed. @throws Exit 2 when the answer is no, or without a terminal and `--yes`;
 * Interrupted at Ctrl-C.
 */
export async function confirm(question: string, { yes }: ConfirmOptions): Promise<void> {
  if (yes) return;
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    throw usageExit(`${question} Add --yes to confirm; nothing was changed.`);
  const lines = toTerminalLines(`${question} Type yes to continue:`);
  for (const line of lines.slice(0, -1)) process.stdout.write(`${line}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${lines.at(-1)} `).catch(() => null);
    if (answer === null) {
      // The cursor is still behind the question: begin a new line for the message.
      process.stdout.write('\n');
      throw new Interrupted('Nothing was changed.');
    }
    if (answer.trim().toLowerCase() === 'yes') return;
  } finally {
    terminal.close();
  }
  throw usageExit('Nothing was changed.');
}
