import type { EventStore } from '@oja/platform';

/** Where the process dies: before or right after an event of this type is appended. */
export interface Fault {
  readonly type: string;
  readonly when: 'before' | 'after';
}

/** Stands for the death of the process; no engine throws it. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/** An event store that throws `Crash` once, at the fault set in `faults.next`. */
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
