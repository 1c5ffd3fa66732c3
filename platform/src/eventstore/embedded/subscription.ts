import { setImmediate as nextTurn } from 'node:timers/promises';
import { watch } from '../../sqlite/watch.js';
import {
  type Position,
  positionOf,
  type SubscribeOptions,
  type SubscriptionItem,
} from '../port.js';
import { type LogPage, NOTHING, rowOf } from './pages.js';

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

/**
 * Where the log was last seen to end. Whoever stands there need not ask it again before there is news, and every read
 * model stands there after every event.
 */
export interface LogEnd {
  at: bigint | null;
}

/**
 * The log from a position on, for as long as the signal lets it. It holds one page: whoever is slow
 * simply asks later, and what was appended meanwhile waits on disk. Types are chosen from the page, not by the
 * database: what others want of it has been read and parsed with it.
 */
export async function* subscription(
  pageAfter: (after: bigint) => LogPage,
  file: string,
  end: LogEnd,
  options: SubscribeOptions,
): AsyncGenerator<SubscriptionItem, void, void> {
  const { signal } = options;
  const wanted = options.types ? new Set(options.types) : null;
  let seen = rowOf(options.after);
  let caughtUp = false;
  if (signal.aborted) return;
  const news = new Latch();
  const onNews = () => {
    end.at = null;
    news.set();
  };
  const stopWatching = watch(file, onNews);
  // Nobody may have watched until now.
  onNews();
  try {
    while (!signal.aborted) {
      news.reset();
      const page = end.at === seen ? NOTHING : pageAfter(seen);
      if (page.seen === null) end.at = seen;
      let told: Position | null = null;
      for (const event of page.events) {
        if (wanted !== null && !wanted.has(event.type)) continue;
        if (signal.aborted) return;
        told = event.position;
        yield { kind: 'event', event };
      }
      if (page.seen !== null) {
        seen = page.seen;
        const position = positionOf(seen);
        if (signal.aborted) return;
        const time = page.events.at(-1)?.metadata.time ?? null;
        if (told !== position) yield { kind: 'checkpoint', position, time };
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
