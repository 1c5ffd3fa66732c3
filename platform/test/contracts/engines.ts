import { describe, it } from 'vitest';

/** An engine of a port: how to make its fixture, or why it cannot be tested here. */
export type Engine<F> =
  | { readonly name: string; readonly make: () => Promise<F> }
  | { readonly name: string; readonly missing: string };

/**
 * Runs a port's contract against every available engine. A missing engine is reported as skipped, by
 * name: a green run must not look as if it had tested them all.
 */
export function runContract<F>(
  port: string,
  contract: (name: string, make: () => Promise<F>) => void,
  engines: readonly Engine<F>[],
): void {
  for (const engine of engines) {
    const name = `${port} on ${engine.name}`;
    if ('make' in engine) {
      contract(name, engine.make);
      continue;
    }
    console.info(`skipped: ${name} (${engine.missing})`);
    describe(name, () => {
      it.skip(`was not reached: ${engine.missing}`);
    });
  }
}
