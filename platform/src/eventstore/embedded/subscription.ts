import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../sqlite/sql.js';
import { watch } from '../../sqlite/watch.js';
import type { SubscribeOptions, SubscriptionItem } from '../port.js';
import { positionOf } from '../position.js';
import { Latch } from './latch.js';
import { filteredPage, type LogPage, rowOf } from './pages.js';

/**
 * The log from a position on, for as long as the signal lets it. It holds one page: whoever is slow
 * simply asks later, and what was appended meanwhile waits on disk.
 */
export async function* subscription(
  sql: Sql,
  pageAfter: (after: bigint) => LogPage,
  file: string,
  options: SubscribeOptions,
): AsyncGenerator<SubscriptionItem, void, void> {
  const { signal } = options;
  const types = options.types ? JSON.stringify(options.types) : null;
  let seen = rowOf(options.after);
  let caughtUp = false;
  if (signal.aborted) return;
  const news = new Latch();
  const stopWatching = watch(file, () => news.set());
  try {
    while (!signal.aborted) {
      news.reset();
      const page = types === null ? pageAfter(seen) : filteredPage(sql, seen, types);
      for (const event of page.events) {
        if (signal.aborted) return;
        yield { kind: 'event', event };
      }
      if (page.seen !== null) {
        seen = page.seen;
        const position = positionOf(seen);
        if (signal.aborted) return;
        if (page.events.at(-1)?.position !== position) yield { kind: 'checkpoint', position };
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
