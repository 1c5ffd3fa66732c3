import type { EventStore } from '@oja/platform';

/** Where a process shall die: before or right after an event of this type is written. */
export interface Fault {
  readonly type: string;
  readonly when: 'before' | 'after';
}

/** Not an answer of any engine: the process is gone. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/** A log that dies once where it is told to. */
export function faulty(log: EventStore): {
  eventStore: EventStore;
  faults: { next: Fault | null };
} {
  const faults: { next: Fault | null } = { next: null };
  const eventStore: EventStore = {
    logId: () => log.logId(),
    readStream: (stream, options) => log.readStream(stream, options),
    readAll: (options) => log.readAll(options),
    readLast: (limit) => log.readLast(limit),
    head: () => log.head(),
    subscribe: (options) => log.subscribe(options),
    close: () => log.close(),
    async append(stream, expected, events) {
      const fault = events.some(({ type }) => type === faults.next?.type) ? faults.next : null;
      if (fault !== null) faults.next = null;
      if (fault?.when === 'before') throw new Crash(`before ${fault.type}`);
      const appended = await log.append(stream, expected, events);
      if (fault !== null) throw new Crash(`after ${fault.type}`);
      return appended;
    },
  };
  return { eventStore, faults };
}
