import { yieldToEventLoop } from '../clock.js';
import type { Position, RecordedEvent, SubscribeOptions, SubscriptionItem } from './port.js';

/** Consecutive events of the log. */
export interface LogPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here has been read; null when nothing follows the requested place. */
  readonly seen: Position | null;
}

export const EMPTY_PAGE: LogPage = { events: [], seen: null };

/**
 * How many pages a source caches: about as far as subscriptions are apart while they catch up, which is two batches of a
 * load (`Documents.loadEvents`).
 */
export const maxKeptPages = 8;

/** What subscriptions read from. Subscriptions at the same place share a page. */
export interface LogSource {
  /** The next events after a place. May be called repeatedly for the same place. */
  pageAfter(seen: Position | null): LogPage | Promise<LogPage>;
  /** Calls `onNews` after possible appends, sometimes without need. Returns a function that stops it. */
  watch(onNews: () => void): () => void;
}

/** Keeps a wake-up until somebody waits for it, so that none is lost. */
class Latch {
  #set = false;
  #release: (() => void) | null = null;

  set(): void {
    this.#set = true;
    this.#release?.();
  }

  /** Call before reading: everything from now on counts as news. */
  reset(): void {
    this.#set = false;
  }

  /** Resolves when the latch is set or the signal aborts, at once if it is set already. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#set || signal.aborted) return;
    await new Promise<void>((resolve) => {
      // Remove the listener: the signal lives as long as the subscription, which waits here very often.
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

/** The result, or null as soon as the signal aborts; later results and errors are ignored. */
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
 * Yields the log after a position until the signal aborts. It holds one page, so a slow consumer just
 * asks later, and new events wait on disk. Types are filtered from the page, not by the engine: other
 * subscriptions share the page and may want the other events.
 */
export async function* subscription(
  source: LogSource,
  { after, signal, types }: SubscribeOptions,
): AsyncGenerator<SubscriptionItem, void, void> {
  const wanted = types ? new Set(types) : null;
  let seen = after;
  let caughtUp = false;
  const news = new Latch();
  const stopWatching = source.watch(() => news.set());
  try {
    while (!signal.aborted) {
      news.reset();
      const coming = source.pageAfter(seen);
      // A page at hand is used without await, which would cost a microtask for every live event.
      const page = coming instanceof Promise ? await unlessAborted(coming, signal) : coming;
      if (page === null) return;
      if (page.seen === null) {
        if (!caughtUp) yield { kind: 'caught-up' };
        caughtUp = true;
        await news.wait(signal);
        continue;
      }
      seen = page.seen;
      const events = wanted === null ? page.events : page.events.filter((e) => wanted.has(e.type));
      for (const event of events) {
        if (signal.aborted) return;
        yield { kind: 'event', event };
      }
      if (signal.aborted) return;
      const time = page.events.at(-1)?.metadata.time ?? null;
      if (events.at(-1)?.position !== seen) yield { kind: 'checkpoint', position: seen, time };
      // Yield to the event loop, so that a long catch-up does not block other work.
      await yieldToEventLoop();
    }
  } finally {
    stopWatching();
  }
}
