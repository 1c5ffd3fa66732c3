import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';

const JANITOR = join(import.meta.dirname, 'janitor-process.mjs');

/** A process in a group of its own that never ends by itself; resolves once it runs. */
async function endless(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout) await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

it('ends what runs when its parent is gone, and nothing that has ended for it', async () => {
  const [left, other] = await Promise.all([endless(), endless()]);
  const ended = once(left, 'exit');
  const janitor = spawn(process.execPath, [JANITOR], { stdio: ['pipe', 'inherit', 'inherit'] });
  const closed = once(janitor, 'exit');
  // Closing its stdin is what happens when the parent is killed.
  janitor.stdin.end(`begun ${left.pid}\nbegun ${other.pid}\nended ${other.pid}\n`);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await closed).toEqual([0, null]);
  expect(other.exitCode ?? other.signalCode).toBe(null);
});
