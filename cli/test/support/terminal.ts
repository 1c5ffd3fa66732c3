import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const OJA = join(import.meta.dirname, '../../bin/oja.js');

/** Whether this machine can give a test a terminal. */
export const hasTerminal = spawnSync('script', ['--version']).error === undefined;

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** A command as somebody at a terminal of so many columns runs it. */
export function onTerminal(
  dataDir: string,
  args: readonly string[],
  { columns = 80, rows = 24, env = {} as Readonly<Record<string, string>> } = {},
) {
  const command = [process.execPath, OJA, ...args].map(quoted).join(' ');
  const child = spawn(
    'script',
    ['-qec', `stty cols ${columns} rows ${rows}; exec ${command}`, '/dev/null'],
    {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, TERM: 'xterm', ...env },
    },
  );
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (shown += part));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    /** All that was written to the terminal so far. */
    shown: () => shown,
    type: (keys: string) => child.stdin.write(keys),
    /** Resolves with the exit code. */
    ended,
  };
}
