import type { Position, RecordedEvent, SubscriptionItem } from '@oja/platform';

/** A batch of wanted events, and how far the log has been read. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  readonly upTo: Position;
  /** When the event at `upTo` was recorded; null if the engine does not know. */
  readonly time: string | null;
}

export interface BatchOptions {
  wanted(event: RecordedEvent): boolean;
  /** The largest number of wanted events in a batch. Asked again for each item. */
  size(): number;
  /** The largest number of events read for a batch, wanted or not. Default 5,000. */
  readonly scan?: number;
  /** Aborted when the consumer stops, to end the subscription. */
  readonly controller: AbortController;
  /** While live: the shortest time between two batches without wanted events, in ms. Default 10. */
  readonly idleMs?: number;
}

const DEFAULT_SCAN = 5_000;
/** About how many events a checkpoint item stands for: engines send one every few hundred. */
const EVENTS_PER_CHECKPOINT = 500;
/** Short, since a caller may wait for the checkpoint; not zero, since each batch costs a commit. */
const IDLE_MS = 10;
/** While catching up: how long to wait for the next item before a partial batch is yielded, in ms. */
const CATCH_UP_WAIT_MS = 250;
/** Turns of the microtask queue within which an engine that has read ahead hands over an item. */
const MICROTASK_TURNS = 4;

/**
 * Cuts a subscription into batches: by size while catching up, and once live as soon as anything
 * has arrived. Reads one item ahead, so that the engine works while the batch is committed.
 */
export async function* batchSubscription(
  items: AsyncIterable<SubscriptionItem>,
  options: BatchOptions,
): AsyncGenerator<EventBatch, void> {
  const { idleMs = IDLE_MS } = options;
  const iterator = items[Symbol.asyncIterator]();
  const builder = createBatchBuilder(options);
  let live = false;
  let yieldedAt = 0;
  const read = () => trackPending(iterator.next());
  const waitMs = () => {
    if (!live) return CATCH_UP_WAIT_MS;
    return builder.hasWanted() ? 0 : Math.max(0, idleMs - (performance.now() - yieldedAt));
  };
  let next = read();
  try {
    for (;;) {
      const item: IteratorResult<SubscriptionItem> | 'later' = builder.isEmpty()
        ? await next.value
        : await withinMs(next, waitMs());
      const isOver = item !== 'later' && item.done === true;
      if (item !== 'later' && item.done !== true) {
        next = read();
        live ||= item.value.kind === 'caught-up';
        builder.add(item.value);
        if (!builder.isFull()) continue;
      }
      const batch = builder.take();
      if (batch !== null) {
        yieldedAt = performance.now();
        yield batch;
      }
      if (isOver) return;
    }
  } finally {
    options.controller.abort();
    await iterator.return?.();
  }
}

/** What has been read since the last batch. */
interface BatchBuilder {
  add(item: SubscriptionItem): void;
  /** Whether the log has not been read any further. */
  isEmpty(): boolean;
  hasWanted(): boolean;
  isFull(): boolean;
  /** What was gathered, or null when the log has not been read any further. Begins anew. */
  take(): EventBatch | null;
}

function createBatchBuilder({ wanted, size, scan = DEFAULT_SCAN }: BatchOptions): BatchBuilder {
  let events: RecordedEvent[] = [];
  let upTo: Position | null = null;
  let time: string | null = null;
  let scanned = 0;
  return {
    add(item) {
      if (item.kind === 'event') {
        upTo = item.event.position;
        time = item.event.metadata.time;
        scanned++;
        if (wanted(item.event)) events.push(item.event);
      } else if (item.kind === 'checkpoint') {
        upTo = item.position;
        time = item.time;
        scanned += EVENTS_PER_CHECKPOINT;
      }
    },
    isEmpty: () => upTo === null,
    hasWanted: () => events.length > 0,
    isFull: () => events.length >= size() || scanned >= scan,
    take() {
      const batch = upTo === null ? null : { events, upTo, time };
      events = [];
      upTo = null;
      time = null;
      scanned = 0;
      return batch;
    },
  };
}

interface Pending<T> {
  readonly value: Promise<T>;
  isSettled: boolean;
}

/** Tracks whether a promise has settled. A rejection is thrown where the value is awaited, not before. */
function trackPending<T>(value: Promise<T>): Pending<T> {
  const pending = { value, isSettled: false };
  const settle = () => {
    pending.isSettled = true;
  };
  value.then(settle, settle);
  return pending;
}

/**
 * The value, or 'later' when it does not come in time. No timer is set for a value that is ready:
 * it would cost more than everything else that is done for an unwanted event.
 */
async function withinMs<T>(next: Pending<T>, ms: number): Promise<T | 'later'> {
  for (let turn = 0; turn < MICROTASK_TURNS && !next.isSettled; turn++) await undefined;
  if (next.isSettled) return next.value;
  return new Promise((resolve, reject) => {
    const cancel =
      ms === 0 ? onImmediate(() => resolve('later')) : onTimeout(ms, () => resolve('later'));
    next.value.then(resolve, reject).finally(cancel);
  });
}

function onImmediate(work: () => void): () => void {
  const handle = setImmediate(work);
  return () => clearImmediate(handle);
}

function onTimeout(ms: number, work: () => void): () => void {
  const handle = setTimeout(work, ms);
  return () => clearTimeout(handle);
}
