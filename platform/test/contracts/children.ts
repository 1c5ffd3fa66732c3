import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A child process that runs a script of `children/`. */
export interface Child {
  /** The lines that it prints. */
  readonly lines: AsyncIterable<string>;
  /** The next line that it prints. @throws Error when it ends without one. */
  nextLine(): Promise<string>;
  /** Kills it as a power failure would: no handler runs. */
  killHard(): Promise<void>;
  /** Waits until it exits. @throws Error when it failed. */
  finish(): Promise<void>;
}

export function startChild(script: string, ...args: readonly string[]): Child {
  const path = fileURLToPath(new URL(`./children/${script}`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  if (!child.stdout) throw new Error('The child has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    lines: { [Symbol.asyncIterator]: () => lines },
    async nextLine() {
      const next = await lines.next();
      if (next.done) throw new Error(`${script} ended without a further line`);
      return next.value;
    },
    async killHard() {
      child.kill('SIGKILL');
      await exited;
    },
    async finish() {
      const [code] = await exited;
      if (code !== 0) throw new Error(`${script} ended with ${code}`);
    },
  };
}
