import { LRUCache } from 'lru-cache';
import { pause } from '../../clock.js';
import type { Position } from '../port.js';
import { type LogPage, type LogSource, maxKeptPages } from '../subscription.js';
import { classifyFailure, describeError, pauseBefore } from './failures.js';
import { type ReadDeps, readAll } from './read.js';
import type { Tail } from './tail.js';

/** The largest number of events in a page. */
const pageEvents = 500;

interface SourceDeps {
  readonly reading: ReadDeps;
  readonly tail: Tail;
  /** Ends all waiting for the server. */
  readonly closing: AbortSignal;
  /** Called when the server does not answer, with the reason. */
  onResubscribe(why: string): void;
}

/**
 * The log for subscriptions: its end from the tail, earlier events in pages. Read models that catch up
 * share pages, so the server sends an event once. While one page is processed, the next is fetched.
 */
export function createSource({ reading, tail, closing, onResubscribe }: SourceDeps): LogSource {
  const pages = new LRUCache<string, Promise<LogPage>>({ max: maxKeptPages });

  async function read(after: Position | null): Promise<LogPage> {
    for (let failures = 0; ; failures += 1) {
      try {
        const events = [];
        for await (const event of readAll(reading, after, pageEvents, 'any')) events.push(event);
        return { events, seen: events.at(-1)?.position ?? null };
      } catch (error) {
        if (classifyFailure(error) !== 'retry' || closing.aborted) throw error;
        onResubscribe(describeError(error));
        await pause(pauseBefore(failures), closing);
      }
    }
  }

  /** Caches pages, because what follows a place never changes. Empty or failed pages may have events later. */
  function page(after: Position | null): Promise<LogPage> {
    const place = after ?? '';
    const known = pages.get(place);
    if (known !== undefined) return known;
    const coming = read(after);
    pages.set(place, coming);
    const forget = () => {
      if (pages.peek(place) === coming) pages.delete(place);
    };
    coming.then(({ seen }) => {
      if (seen === null) forget();
    }, forget);
    return coming;
  }

  async function readAfter(seen: Position | null): Promise<LogPage> {
    for (let empty = 0; ; empty += 1) {
      const found = await page(seen);
      if (found.seen !== null) {
        if (found.events.length === pageEvents) void page(found.seen);
        return found;
      }
      // The tail may have started after events that this read did not see yet; nobody would report those.
      if (!tail.isStanding() || closing.aborted) return found;
      const near = tail.pageAfter(seen);
      if (near !== null) return near;
      // The node that is read lags behind the leader, which the tail has asked.
      await pause(pauseBefore(empty), closing);
    }
  }

  return {
    watch: (onNews) => tail.watch(onNews),
    pageAfter: (seen) => tail.pageAfter(seen) ?? readAfter(seen),
  };
}
