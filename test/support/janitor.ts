import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** By the way from the root, as the compiler puts this file into another folder for the long tests. */
const PROGRAM = join(import.meta.dirname, '../..', 'test/support/janitor-process.mjs');

let janitor: ChildProcess | null = null;

/** One janitor for all children; signals to this process's group do not reach it. */
function open(): ChildProcess {
  const opened = spawn(process.execPath, [PROGRAM], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  opened.unref();
  opened.stdin?.on('error', () => undefined);
  // The pipe is a socket, which would keep this process running.
  (opened.stdin as { unref?: () => void } | null)?.unref?.();
  return opened;
}

/**
 * Makes a child, the leader of a process group, end with this process at the latest. This also
 * works when this process is killed, as a test runner does after a timeout.
 */
export function endsWithUs(child: ChildProcess): void {
  janitor ??= open();
  const { stdin } = janitor;
  stdin?.write(`begun ${child.pid}\n`);
  child.once('close', () => stdin?.write(`ended ${child.pid}\n`));
}
