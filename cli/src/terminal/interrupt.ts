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

function stopped(): never {
  process.stderr.write('Stopped before anything was done.\n');
  process.exit(INTERRUPTED);
}

/**
 * An action whose code is imported only when it runs, so that help, completion and usage errors need not load the
 * engines. Ctrl-C during the import ends the process; after it, the action handles Ctrl-C itself.
 */
export const lazyAction =
  <Args extends readonly unknown[]>(read: () => Promise<(...args: Args) => Promise<void>>) =>
  async (...args: Args): Promise<void> => {
    process.on('SIGINT', stopped);
    const act = await read();
    process.off('SIGINT', stopped);
    await act(...args);
  };
