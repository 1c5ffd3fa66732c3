import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position, RecordedEvent, SubscribeOptions, SubscriptionItem } from './port.js';

/** Some events of the log that follow one another. */
export interface LogPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here has been looked at; null: nothing stands behind the place that was asked for. */
  readonly seen: Position | null;
}

export const NOTHING: LogPage = { events: [], seen: null };

/** Pages that a source keeps: as many as subscriptions are usually apart while they catch up. */
export const keptPages = 8;

/** Where subscriptions read from. Many may stand at one place of it, and get the same page. */
export interface LogSource {
  /** The next events after a place; it may be asked again and again there. */
  pageAfter(seen: Position | null): LogPage | Promise<LogPage>;
  /** Tells of whatever may have been appended since the call, now and then without need. Returns what ends it. */
  watch(onNews: () => void): () => void;
}

/** Remembers that something happened until somebody has waited for it: no wake-up is lost. */
class Latch {
  #set = false;
  #release: (() => void) | null = null;

  set(): void {
    this.#set = true;
    this.#release?.();
  }

  /** Before looking: what happens from now on is news. */
  reset(): void {
    this.#set = false;
  }

  /** Resolves at once when it is set, else as soon as it is set or the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#set || signal.aborted) return;
    await new Promise<void>((resolve) => {
      // Taken off again: the signal lives as long as the subscription, and this is its every idle moment.
      const release = () => {
        signal.removeEventListener('abort', release);
        this.#release = null;
        resolve();
      };
      this.#release = release;
      signal.addEventListener('abort', release);
    });
  }
}

/** What was promised, or null as soon as the signal aborts: then nobody hears of it any more. */
async function unlessAborted<T>(promised: Promise<T>, signal: AbortSignal): Promise<T | null> {
  let stop = () => {};
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promised, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * The log from a position on, for as long as the signal lets it. It holds one page: whoever is slow simply asks later,
 * and what was appended meanwhile waits on disk. Types are chosen from the page, not by the engine: what others want
 * of it has been read and parsed with it.
 */
export async function* subscription(
  source: LogSource,
  { after, signal, types }: SubscribeOptions,
): AsyncGenerator<SubscriptionItem, void, void> {
  const wanted = types ? new Set(types) : null;
  let seen = after;
  let caughtUp = false;
  if (signal.aborted) return;
  const news = new Latch();
  const stopWatching = source.watch(() => news.set());
  try {
    while (!signal.aborted) {
      news.reset();
      const coming = source.pageAfter(seen);
      // What is at hand is not waited for: that would be a turn of the queue more for every live event.
      const page = coming instanceof Promise ? await unlessAborted(coming, signal) : coming;
      if (page === null) return;
      let told: Position | null = null;
      for (const event of page.events) {
        if (wanted !== null && !wanted.has(event.type)) continue;
        if (signal.aborted) return;
        told = event.position;
        yield { kind: 'event', event };
      }
      if (page.seen !== null) {
        seen = page.seen;
        if (signal.aborted) return;
        const time = page.events.at(-1)?.metadata.time ?? null;
        if (told !== seen) yield { kind: 'checkpoint', position: seen, time };
        // A long catch-up leaves room for everybody else's work.
        await nextTurn();
        continue;
      }
      if (!caughtUp) {
        caughtUp = true;
        yield { kind: 'caught-up' };
      }
      await news.wait(signal);
    }
  } finally {
    stopWatching();
  }
}
