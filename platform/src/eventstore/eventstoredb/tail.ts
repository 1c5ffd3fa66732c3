import { pause } from '../../clock.js';
import { type Position, type RecordedEvent, StoreUnavailable } from '../port.js';
import { type LogPage, NOTHING } from '../subscription.js';
import { describe, judge } from './failures.js';
import { type FollowOptions, follow } from './follow.js';
import type { ReadDeps } from './read.js';
import { isSystem, parsed, toServer } from './recorded-event.js';
import { pauseBefore } from './retry-policy.js';

export interface TailDeps
  extends Pick<FollowOptions, 'client' | 'times' | 'head'>,
    Pick<ReadDeps, 'onForeign'> {
  /** The server's subscription ended and is begun again. */
  onResubscribe(why: string): void;
}

/** Events kept, at least: more than subscriptions are apart that keep up. */
const kept = 1_000;

/**
 * The end of the log as it grows, kept up by one subscription of the server's for all in the process: each event is
 * sent and read once, whoever many read models want it. It lasts as long as anybody watches.
 */
export class Tail {
  readonly #listeners = new Set<() => void>();
  /** Every event after `from` that has come. Null: it does not stand yet, or not now. */
  #standing: { from: Position | null; readonly events: RecordedEvent[] } | null = null;
  #stopping: AbortController | null = null;
  /** Why it cannot stand, and will not. */
  #failure: { readonly error: unknown } | null = null;

  constructor(private readonly deps: TailDeps) {}

  /** Told when events have come, and when it stands: what came before that is in the log. */
  watch(onNews: () => void): () => void {
    // A listener of its own for each call, even when the same function watches twice.
    const listener = () => onNews();
    this.#listeners.add(listener);
    if (this.#stopping === null) {
      const stopping = new AbortController();
      this.#stopping = stopping;
      this.#failure = null;
      void this.#keepUp(stopping.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopping?.abort();
      this.#stopping = null;
      this.#standing = null;
    };
  }

  /**
   * The events after a place; null where it does not reach back so far: they are to be read.
   * @throws StoreUnavailable when the server does not let the log be followed.
   */
  pageAfter(seen: Position | null): LogPage | null {
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#standing === null) return null;
    const { from, events } = this.#standing;
    if (from !== null && (seen === null || seen < from)) return null;
    const last = events.at(-1);
    if (last === undefined || (seen !== null && seen >= last.position)) return NOTHING;
    return { events: events.slice(firstAfter(events, seen)), seen: last.position };
  }

  /** Whether it tells of what comes; else it will tell when it does. */
  isStanding(): boolean {
    return this.#standing !== null;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Begins at the log's end again whenever its subscription ends: what it missed there is read. */
  async #keepUp(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      let ending = 'it ended';
      try {
        for await (const event of this.#arriving(signal)) {
          failures = 0;
          this.#add(event);
        }
      } catch (error) {
        const verdict = judge(error);
        ending = describe(error);
        if (verdict !== 'retry' && !signal.aborted) {
          const refusal = `EventStoreDB does not let the log be followed: ${ending}`;
          this.#failure = {
            error: verdict === 'bug' ? error : new StoreUnavailable(refusal, true),
          };
          this.#tell();
          return;
        }
      }
      if (signal.aborted) return;
      this.#standing = null;
      this.deps.onResubscribe(ending);
      await pause(pauseBefore(failures), signal);
    }
  }

  async *#arriving(signal: AbortSignal): AsyncGenerator<RecordedEvent, void, void> {
    let seen = await this.deps.head();
    if (signal.aborted) return;
    this.#standing = { from: seen, events: [] };
    this.#tell();
    const from = seen === null ? null : toServer(seen);
    for await (const { event } of follow({ ...this.deps, from, signal, seen: () => seen })) {
      if (signal.aborted) return;
      if (event === undefined || isSystem(event)) continue;
      const recorded = parsed(event);
      if (recorded === null) this.deps.onForeign(event);
      else {
        seen = recorded.position;
        yield recorded;
      }
    }
  }

  #add(event: RecordedEvent): void {
    if (this.#standing === null) return;
    const { events } = this.#standing;
    events.push(event);
    if (events.length >= 2 * kept) {
      const dropped = events.splice(0, events.length - kept);
      this.#standing.from = dropped.at(-1)?.position ?? this.#standing.from;
    }
    this.#tell();
  }
}

/** The index of the first event after a place, of events in the order of the log. */
function firstAfter(events: readonly RecordedEvent[], seen: Position | null): number {
  if (seen === null) return 0;
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const event = events[middle];
    if (event !== undefined && event.position <= seen) low = middle + 1;
    else high = middle;
  }
  return low;
}
