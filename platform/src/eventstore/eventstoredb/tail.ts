import {
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  eventTypeFilter,
  type Position as ServerPosition,
  START,
} from '@eventstore/db-client';
import { pause } from '../../clock.js';
import { partitionPoint } from '../../partition-point.js';
import { type Position, type RecordedEvent, StoreUnavailable } from '../port.js';
import { EMPTY_PAGE, type LogPage } from '../subscription.js';
import { classifyFailure, describeError, pauseBefore } from './failures.js';
import { type ReadDeps, readAhead, StreamPuller } from './read.js';
import { isSystem, parsed, toServer } from './recorded-event.js';

export interface TailDeps
  extends Pick<FollowOptions, 'client' | 'times' | 'head'>,
    Pick<ReadDeps, 'onForeign'> {
  /** Called when the server's subscription ended and is restarted, with the reason. */
  onResubscribe(why: string): void;
}

/** The least number of events kept: more than active subscriptions are ever apart. */
const minKeptEvents = 1_000;

/**
 * The growing end of the log, kept by one server subscription for the whole process: each event is sent
 * and parsed once for all read models. It runs as long as somebody watches.
 */
export class Tail {
  readonly #listeners = new Set<() => void>();
  /** All events that arrived after `from`. Null while the subscription is not established. */
  #standing: { from: Position | null; readonly events: RecordedEvent[] } | null = null;
  #stopping: AbortController | null = null;
  /** Why the subscription failed for good. */
  #failure: { readonly error: unknown } | null = null;

  constructor(private readonly deps: TailDeps) {}

  /**
   * Calls `onNews` when events have arrived, and when the subscription is established: events before that
   * must be read from the log. Returns a function that stops watching.
   */
  watch(onNews: () => void): () => void {
    // A separate listener for each call, even when the same function watches twice.
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
   * The events after a place; null when the tail does not reach back so far and they must be read.
   * @throws StoreUnavailable when the server refuses the subscription.
   */
  pageAfter(seen: Position | null): LogPage | null {
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#standing === null) return null;
    const { from, events } = this.#standing;
    if (from !== null && (seen === null || seen < from)) return null;
    const last = events.at(-1);
    if (last === undefined || (seen !== null && seen >= last.position)) return EMPTY_PAGE;
    const first = seen === null ? 0 : partitionPoint(events, ({ position }) => position <= seen);
    return { events: events.slice(first), seen: last.position };
  }

  /** Whether new events are reported now. If not, the listeners are called once they are. */
  isStanding(): boolean {
    return this.#standing !== null;
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Restarts at the head of the log whenever the subscription ends; missed events are read from the log. */
  async #keepUp(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      let ending = 'it ended';
      try {
        for await (const event of this.#arriving(signal)) {
          failures = 0;
          this.#add(event);
        }
      } catch (error) {
        const verdict = classifyFailure(error);
        ending = describeError(error);
        if (verdict !== 'retry' && !signal.aborted) {
          const refusal = `EventStoreDB does not let the log be followed: ${ending}`;
          this.#failure = {
            error: verdict === 'bug' ? error : new StoreUnavailable('EventStoreDB', refusal, true),
          };
          this.#notify();
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
    this.#notify();
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
    if (events.length >= 2 * minKeptEvents) {
      const dropped = events.splice(0, events.length - minKeptEvents);
      this.#standing.from = dropped.at(-1)?.position ?? this.#standing.from;
    }
    this.#notify();
  }
}

/** Whether a subscription at `seen` has missed events that the head says exist. */
function isBehind(seen: Position | null, head: Position | null): boolean {
  return head !== null && (seen === null || head > seen);
}

/** In milliseconds. */
interface WatchdogTimes {
  /** How long a subscription may be silent before its position is compared with the head. */
  readonly silenceMs: number;
  /** How long an existing event may take to arrive. */
  readonly graceMs: number;
}

/** Everything except the server's own records. */
const ownEvents = eventTypeFilter({ regex: '^[^$].*', maxSearchWindow: 1_000 });

export interface FollowOptions {
  readonly client: Pick<EventStoreDBClient, 'subscribeToAll'>;
  readonly from: ServerPosition | null;
  readonly signal: AbortSignal;
  readonly times: WatchdogTimes;
  /** The last position that the caller has processed. */
  seen(): Position | null;
  head(): Promise<Position | null>;
}

/**
 * Yields the events of one subscription until the server ends it, the signal aborts, or it stalls while
 * the log grows.
 */
export async function* follow(
  options: FollowOptions,
): AsyncGenerator<AllStreamResolvedEvent, void, void> {
  const { client, from, signal, times } = options;
  const stream = client.subscribeToAll(
    { fromPosition: from ?? START, filter: ownEvents },
    readAhead,
  );
  const puller = new StreamPuller<AllStreamResolvedEvent>(stream);
  const wake = () => puller.wake();
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      const resolved = puller.take();
      if (resolved !== null) yield resolved;
      else if (puller.isOver()) return;
      else if ((await puller.wait(times.silenceMs)) === 'silence') {
        if (!isBehind(options.seen(), await options.head())) continue;
        if ((await puller.wait(times.graceMs)) === 'silence') return;
      }
    }
  } finally {
    signal.removeEventListener('abort', wake);
    stream.unsubscribe().catch(() => undefined);
  }
}
