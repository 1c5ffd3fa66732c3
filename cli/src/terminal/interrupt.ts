import { setImmediate as immediate } from 'node:timers/promises';

/** The exit code that shells use for SIGINT: 128 plus the signal's number. */
export const INTERRUPTED = 130;

/** Thrown by work that Ctrl-C has interrupted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

let controller: AbortController | null = null;

/**
 * A signal that aborts with Interrupted at the first SIGINT or SIGTERM, so that the work stops where the same command
 * can continue; a second one ends the process at once. Every call returns the same signal.
 */
export function interruptSignal(): AbortSignal {
  if (controller !== null) return controller.signal;
  const made = new AbortController();
  controller = made;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (made.signal.aborted) process.exit(signal === 'SIGINT' ? INTERRUPTED : 143);
      made.abort(new Interrupted('Stopped; run the same command again to continue.'));
    });
  return made.signal;
}

let isLoading = false;

/**
 * Ends the process at Ctrl-C when nobody else listens for it, as the system does by itself while there is no listener at
 * all: a shell ends its loop only if the command in it was ended by the signal. It stays until then: if the last listener
 * were removed between a signal and the turn of the event loop that delivers it, Node would drop the signal.
 */
function exitUnlessHandled(): void {
  if (process.listenerCount('SIGINT') > 1) return;
  if (isLoading) process.stderr.write('Stopped before anything was done.\n');
  process.off('SIGINT', exitUnlessHandled);
  process.kill(process.pid, 'SIGINT');
  // The first process of a container outlives a signal that it does not listen for.
  process.exit(INTERRUPTED);
}

/**
 * An action whose code is imported only when it runs, so that help, completion and usage errors need not load the
 * engines. Ctrl-C during the import ends the process; after it, the action handles Ctrl-C itself.
 */
export const lazyAction =
  <Args extends readonly unknown[]>(read: () => Promise<(...args: Args) => Promise<void>>) =>
  async (...args: Args): Promise<void> => {
    if (!process.listeners('SIGINT').includes(exitUnlessHandled))
      process.on('SIGINT', exitUnlessHandled);
    isLoading = true;
    const act = await read();
    // Code is loaded without a pause. A signal of that time is told of in the next turn of the event loop, which
    // is not over before the second of these.
    await immediate();
    await immediate();
    isLoading = false;
    await act(...args);
  };
