import type { Worker } from './port.js';

/** The workers of an engine that are still open. */
export function createOpenWorkers<W extends Worker>() {
  const open = new Set<W>();
  return {
    all: (): Iterable<W> => open,
    /** Keeps a worker until it is closed. */
    add(worker: W): Worker {
      open.add(worker);
      return {
        async close() {
          await worker.close();
          open.delete(worker);
        },
      };
    },
    async close(): Promise<void> {
      await Promise.all([...open].map((worker) => worker.close()));
      open.clear();
    },
  };
}
