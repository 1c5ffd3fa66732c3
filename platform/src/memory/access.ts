/**
 * How callers reach an in-memory engine. Each access is one await: a simulation may run it now, later, in
 * another order, or never. The work itself is atomic.
 */
export type Access = <T>(what: string, work: () => T) => Promise<T>;

/** Runs each access at once, in order. */
export const runImmediately: Access = async (_, work) => work();

/** A list of listeners that wait for a change. */
export interface Notifier {
  listen(listener: () => void): () => void;
  notify(): void;
}

export function createNotifier(): Notifier {
  const listeners = new Set<() => void>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify() {
      for (const listener of [...listeners]) listener();
    },
  };
}

/** @throws TypeError when a name is not text, as from an untyped caller. */
export function checkText(what: string, text: string): void {
  if (typeof text !== 'string') throw new TypeError(`The ${what} is not text`);
}
