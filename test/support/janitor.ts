import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

let janitor: ChildProcess | null = null;

/** One for all children of this process; nothing waits for it, and no signal to this one's group reaches it. */
function open(): ChildProcess {
  const opened = spawn(process.execPath, [join(import.meta.dirname, 'janitor-process.mjs')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  opened.unref();
  opened.stdin?.on('error', () => undefined);
  // Node gives a socket, which alone would keep the process running.
  (opened.stdin as { unref?: () => void } | null)?.unref?.();
  return opened;
}

/**
 * The child, which heads a group of its own, ends with this process at the latest: also when this one is
 * killed, as a runner of tests does to a suite that is too late, so that it can do nothing itself.
 */
export function endsWithUs(child: ChildProcess): void {
  janitor ??= open();
  const { stdin } = janitor;
  stdin?.write(`begun ${child.pid}\n`);
  child.once('close', () => stdin?.write(`ended ${child.pid}\n`));
}
