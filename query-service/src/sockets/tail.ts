import {
  type EventStore,
  type Logger,
  type Position,
  pause,
  type RecordedEvent,
} from '@oja/platform';

/** How long a tail that broke waits before it takes hold again, in milliseconds. */
const PAUSE_MS = 1_000;

interface TailOptions {
  readonly eventStore: Pick<EventStore, 'head' | 'subscribe'>;
  readonly types: readonly string[];
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** One at a time, in the order of the log. An event that it throws for is passed over. */
  heard(event: RecordedEvent): Promise<void>;
}

/** Hears what is appended from now on, of these types, until the signal aborts. */
export async function tail({ eventStore, types, logger, signal, heard }: TailOptions) {
  let after: Position | null = null;
  let knowsWhere = false;
  while (!signal.aborted) {
    try {
      if (!knowsWhere) after = await eventStore.head();
      knowsWhere = true;
      for await (const item of eventStore.subscribe({ after, signal, types })) {
        if (item.kind === 'caught-up') continue;
        after = item.kind === 'event' ? item.event.position : item.position;
        if (item.kind === 'event') await heard(item.event);
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error }, 'the tail of the log broke off');
      await pause(PAUSE_MS, signal);
    }
  }
}
