import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.js';
import { endsWithUs } from './janitor.js';

export { freePort };

const ROOT = join(import.meta.dirname, '../..');
const OJA = join(ROOT, 'cli/bin/oja.js');

/** A new temporary folder, and a function that removes it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'oja-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Every letter in a market's data folder, as text in which lines are not broken for transport. */
export function lettersIn(dataDir: string): readonly string[] {
  const mail = join(dataDir, 'mail');
  if (!existsSync(mail)) return [];
  return readdirSync(mail, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(mail, name), 'utf8'))
    .map((text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
}

export interface Running {
  readonly process: ChildProcess;
  /** Every line it has printed. */
  readonly lines: readonly string[];
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  /** Resolves with the first line that matches; rejects if the process ends before. */
  line(pattern: RegExp): Promise<string>;
  /** Sends SIGINT, as Ctrl-C does. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, as a power cut would. */
  kill(): Promise<number | null>;
}

/** Runs `oja` of this or another build with a clean environment: none of this process's Oja variables. */
export const runOja = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  build = OJA,
): Running => run(process.execPath, [build, ...args], env);

/** Runs a command with only this environment, in a process group of its own that ends with this process. */
export function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Running {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to the whole group, as from a terminal, because npm does not pass signals on.
    detached: true,
  });
  endsWithUs(child);
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const heard = (line: string) => {
    lines.push(line);
    for (const look of waiting) look();
  };
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', heard);
  let ended = false;
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      ended = true;
      for (const look of waiting) look();
      resolve(code);
    }),
  );
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && !ended) process.kill(-child.pid, name);
    return exited;
  };
  return {
    process: child,
    lines,
    exited,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => pattern.test(line));
          if (found === undefined && !ended) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`it ended without ${pattern}:\n${lines.join('\n')}`));
        };
        waiting.add(look);
        look();
      }),
    stop: () => signal('SIGINT'),
    kill: () => signal('SIGKILL'),
  };
}

export interface Market extends Running {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
}

async function opened(running: Running, port: number, dataDir: string): Promise<Market> {
  await running.line(/^Oja is open at /);
  return { ...running, url: `http://localhost:${port}`, port, dataDir };
}

/** Opens a whole market on the folder, on a free port unless `on` names one; resolves when it is open. */
export async function openMarket(
  dataDir: string,
  on?: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Market> {
  const port = on ?? (await freePort());
  return opened(runOja(['start'], { ...env, PORT: `${port}`, DATA_DIR: dataDir }), port, dataDir);
}

/** Opens a market with `npm start`, as the README says. */
export async function openByNpm(dataDir: string): Promise<Market> {
  const port = await freePort();
  return opened(run('npm', ['start'], { PORT: `${port}`, DATA_DIR: dataDir }), port, dataDir);
}
