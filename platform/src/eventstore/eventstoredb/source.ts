import { pause } from '../../clock.js';
import { type Position, StoreUnavailable } from '../port.js';
import type { LogPage, LogSource } from '../subscription.js';
import { describe } from './failures.js';
import { type ReadDeps, readAll } from './read.js';
import { pauseBefore } from './retry-policy.js';
import type { Tail } from './tail.js';

/** Events of a page, at most. */
const pageEvents = 500;

/** Pages kept: as many as subscriptions are usually apart while they catch up. */
const keptPages = 8;

export interface SourceDeps {
  readonly reading: ReadDeps;
  readonly tail: Tail;
  /** Ends what waits for the server. */
  readonly closing: AbortSignal;
  /** Of a server that does not answer. */
  onResubscribe(why: string): void;
}

/**
 * The log for subscriptions: its end as the tail has it, what stands before in pages. Read models that catch up
 * together read the same pages, so the server sends an event once, whoever many want it; the page behind the one that
 * is worked on is fetched meanwhile.
 */
export function createSource({ reading, tail, closing, onResubscribe }: SourceDeps): LogSource {
  const pages = new Map<Position | null, Promise<LogPage>>();

  async function read(after: Position | null): Promise<LogPage> {
    for (let failures = 0; ; failures += 1) {
      try {
        const events = [];
        for await (const event of readAll(reading, after, pageEvents)) events.push(event);
        return { events, seen: events.at(-1)?.position ?? null };
      } catch (error) {
        const passes = error instanceof StoreUnavailable && !error.permanent;
        if (!passes || closing.aborted) throw error;
        onResubscribe(describe(error));
        await pause(pauseBefore(failures), closing);
      }
    }
  }

  /** Kept, since what follows a place never changes: but where nothing did, or could be read, something may later. */
  function page(after: Position | null): Promise<LogPage> {
    const known = pages.get(after);
    if (known !== undefined) return known;
    const coming = read(after);
    pages.set(after, coming);
    for (const oldest of pages.keys()) {
      if (pages.size <= keptPages) break;
      pages.delete(oldest);
    }
    const forget = () => {
      if (pages.get(after) === coming) pages.delete(after);
    };
    coming.then(({ seen }) => {
      if (seen === null) forget();
    }, forget);
    return coming;
  }

  async function readAfter(seen: Position | null): Promise<LogPage> {
    for (;;) {
      const found = await page(seen);
      if (found.seen !== null) {
        if (found.events.length === pageEvents) void page(found.seen);
        return found;
      }
      // The tail may have begun behind events that came after this was read: then nobody will tell of them.
      if (!tail.isStanding() || closing.aborted) return found;
      const near = tail.pageAfter(seen);
      if (near !== null) return near;
    }
  }

  return {
    watch: (onNews) => tail.watch(onNews),
    pageAfter: (seen) => tail.pageAfter(seen) ?? readAfter(seen),
  };
}
