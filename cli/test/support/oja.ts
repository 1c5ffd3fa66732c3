import { join } from 'node:path';
import { run, runOja } from '../../../test/support/market.js';

const OJA = join(import.meta.dirname, '../../bin/oja.js');

export interface Ran {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly text: string;
}

/** Runs a command on a data folder until it has ended. */
export async function oja(
  dataDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const running = runOja(args, { DATA_DIR: dataDir, ...env });
  const code = await running.exited;
  return { code, lines: running.lines, text: running.lines.join('\n') };
}

/** Runs a command whose output a shell sends elsewhere: `into` is '| head -n 1' or '> file'; `first` does before. */
export async function ojaInto(
  dataDir: string,
  args: readonly string[],
  into: string,
  first = '',
): Promise<Pick<Ran, 'code' | 'text'>> {
  const script = `${first}"$0" "$@" ${into}; exit $PIPESTATUS`;
  const running = run('bash', ['-c', script, process.execPath, OJA, ...args], {
    DATA_DIR: dataDir,
  });
  const code = await running.exited;
  return { code, text: running.lines.join('\n') };
}

/** What a command answers a program; it must have succeeded. */
export async function ojaJson<T>(dataDir: string, args: readonly string[]): Promise<T> {
  const { code, text } = await oja(dataDir, [...args, '--json']);
  if (code !== 0) throw new Error(`oja ${args.join(' ')}: ${code} ${text}`);
  return JSON.parse(text) as T;
}

export interface EventStats {
  readonly events: number;
  readonly streams: number;
  readonly types: Readonly<Record<string, number>>;
}

export const eventStats = (dataDir: string) => ojaJson<EventStats>(dataDir, ['events', 'stats']);
