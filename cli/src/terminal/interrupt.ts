/** As shells have it: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

/** Thrown by what was under way when Ctrl-C was pressed. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

let controller: AbortController | null = null;

/**
 * Aborts at the first Ctrl-C, so that what is under way ends at a place from which the same command
 * goes on; a second one ends the process at once.
 */
export function interruptSignal(): AbortSignal {
  if (controller !== null) return controller.signal;
  const made = new AbortController();
  controller = made;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (made.signal.aborted) process.exit(signal === 'SIGINT' ? INTERRUPTED : 143);
      made.abort(new Interrupted('Stopped; the same command goes on from here.'));
    });
  return made.signal;
}

function stopped(): never {
  process.stderr.write('Stopped before anything was done.\n');
  process.exit(INTERRUPTED);
}

/**
 * Does what another module says, read when it is asked for: help, completion and what is typed wrong wait
 * for no engine. How it stops once it is read is its own affair.
 */
export const readThen =
  <Args extends readonly unknown[]>(read: () => Promise<(...args: Args) => Promise<void>>) =>
  async (...args: Args): Promise<void> => {
    process.on('SIGINT', stopped);
    const act = await read();
    process.off('SIGINT', stopped);
    await act(...args);
  };
