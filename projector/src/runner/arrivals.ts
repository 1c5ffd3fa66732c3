import type { Position, RecordedEvent, SubscriptionItem } from '@oja/platform';

/** What has arrived: the events that were wanted, and how far the log has been seen. */
export interface Arrival {
  readonly events: readonly RecordedEvent[];
  readonly upTo: Position;
  /** When the event at `upTo` was recorded; null where the engine does not know it. */
  readonly time: string | null;
}

export interface ArrivalOptions {
  wanted(event: RecordedEvent): boolean;
  /** Wanted events in one arrival, at most. Asked before each. */
  size(): number;
  /** Ends the subscription when the reader leaves. */
  readonly controller: AbortController;
  /** Live: the least time between two arrivals of events that match nothing, in ms. Default 10. */
  readonly idleMs?: number;
}

/** Events that match nothing are counted together up to this many while catching up. */
const SCAN = 5_000;
/** So many events a checkpoint stands for, about: engines say how far they are after some hundreds. */
const PASSED = 500;
/** Short, since someone may wait for the checkpoint; not zero, since each costs a commit. */
const IDLE_MS = 10;
/** Catching up: how long an engine may pause before what has come is worked on, in ms. */
const PAUSE_MS = 250;
/** Turns of the microtask queue within which an engine that has read ahead hands over an item. */
const AT_HAND_TURNS = 4;

/**
 * Cuts a subscription into batches: while catching up by size, live at once with whatever has
 * arrived. Reads one item ahead, so that the engine works while the batch is committed.
 */
export async function* arrivals(
  items: AsyncIterable<SubscriptionItem>,
  options: ArrivalOptions,
): AsyncGenerator<Arrival, void> {
  const iterator = items[Symbol.asyncIterator]();
  let events: RecordedEvent[] = [];
  let upTo: Position | null = null;
  let time: string | null = null;
  let scanned = 0;
  let live = false;
  let yieldedAt = 0;
  const read = () => upcoming(iterator.next());
  const patience = () => {
    if (!live) return PAUSE_MS;
    if (events.length > 0) return 0;
    return Math.max(0, (options.idleMs ?? IDLE_MS) - (performance.now() - yieldedAt));
  };
  let next = read();
  try {
    for (;;) {
      const item: IteratorResult<SubscriptionItem> | 'later' =
        upTo === null ? await next.value : await soon(next, patience());
      if (item !== 'later') {
        if (item.done !== true) {
          next = read();
          const value: SubscriptionItem = item.value;
          if (value.kind === 'event') {
            upTo = value.event.position;
            time = value.event.metadata.time;
            scanned++;
            if (options.wanted(value.event)) events.push(value.event);
          } else if (value.kind === 'checkpoint') {
            upTo = value.position;
            time = value.time;
            scanned += PASSED;
          } else {
            live = true;
          }
          if (events.length < options.size() && scanned < SCAN) continue;
        } else if (upTo === null) {
          return;
        }
      }
      if (upTo !== null) {
        yieldedAt = performance.now();
        yield { events, upTo, time };
      }
      if (item !== 'later' && item.done === true) return;
      events = [];
      upTo = null;
      time = null;
      scanned = 0;
    }
  } finally {
    options.controller.abort();
    await iterator.return?.();
  }
}

interface Upcoming<T> {
  readonly value: Promise<T>;
  isHere: boolean;
}

/** Marked once it is here. A failure is noticed where it is awaited; until then it ends nothing. */
function upcoming<T>(value: Promise<T>): Upcoming<T> {
  const next = { value, isHere: false };
  const here = () => {
    next.isHere = true;
  };
  value.then(here, here);
  return next;
}

/**
 * The value, or 'later' when it does not come in time. No timer is set for what is at hand: that would
 * cost more than all the rest of the way of an event that nobody wants.
 */
async function soon<T>(next: Upcoming<T>, ms: number): Promise<T | 'later'> {
  for (let turn = 0; turn < AT_HAND_TURNS && !next.isHere; turn++) await undefined;
  if (next.isHere) return next.value;
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
