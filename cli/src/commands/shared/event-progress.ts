import type { EventStore, Position } from '@oja/platform';

/** Counts events after a position, of all or the given types, for a progress bar; null when there is no terminal. */
export async function countEvents(
  eventStore: EventStore,
  after: Position | null,
  signal: AbortSignal,
  types?: readonly string[],
): Promise<number | null> {
  if (process.stderr.isTTY !== true) return null;
  let events = 0;
  for await (const { type } of eventStore.readAll({ after })) {
    signal.throwIfAborted();
    if (types === undefined || types.includes(type)) events += 1;
  }
  return events;
}

/** Wraps an event store so that `onEvent` gets the number of events read so far in a subscription. */
export function withReadCount(eventStore: EventStore, onEvent: (read: number) => void): EventStore {
  return {
    ...eventStore,
    async *subscribe(options) {
      let read = 0;
      for await (const item of eventStore.subscribe(options)) {
        if (item.kind === 'event') onEvent(++read);
        yield item;
      }
    },
  };
}
