import {
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  eventTypeFilter,
  type Position as ServerPosition,
  START,
} from '@eventstore/db-client';
import type { Position } from '../port.js';
import { Intake, readAhead } from './read.js';

/** Whether a subscription that has passed `seen` has missed what the log's head says is there. */
export function isBehind(seen: Position | null, head: Position | null): boolean {
  return head !== null && (seen === null || head > seen);
}

interface WatchdogTimes {
  /** How long a subscription may be silent before its position is compared with the head, in ms. */
  readonly silenceMs: number;
  /** How long an event that is in the log may take to arrive, in ms. */
  readonly graceMs: number;
}

/**
 * Keeps what the client announces beside its events in the events' order. The client announces as soon
 * as it hears, while events still wait to be taken: an announcement is due when all the events that came
 * before it have been taken, and not a moment earlier.
 */
export class Markers<M> {
  readonly #queue: { readonly after: number; readonly marker: M }[] = [];

  /** `received`: how many events had come before it. */
  put(marker: M, received: number): void {
    this.#queue.push({ after: received, marker });
  }

  /** The next one whose turn it is, once `taken` events have been taken; null: an event is next. */
  due(taken: number): M | null {
    const first = this.#queue[0];
    if (first === undefined || first.after > taken) return null;
    this.#queue.shift();
    return first.marker;
  }
}

/** What one subscription of the client brings, in the order of the log. */
export type Arrival =
  | { readonly kind: 'event'; readonly resolved: AllStreamResolvedEvent }
  /** The server has looked at everything up to here, and there was nothing but what was sent. */
  | { readonly kind: 'scanned'; readonly position: ServerPosition }
  | { readonly kind: 'caught-up' }
  /** All that has come was handed out. */
  | { readonly kind: 'lull' };

/** How many records the server passes over before it says how far it is. */
const maxSearchWindow = 1_000;

/** What the server sends: these types, or all but its own records. */
const typesAsked = (types: readonly string[] | null): string =>
  types === null
    ? '^[^$].*'
    : `^(?:${types.map((type) => type.replace(/[^\w]/g, '\\$&')).join('|')})$`;

export interface FollowOptions {
  readonly client: Pick<EventStoreDBClient, 'subscribeToAll'>;
  readonly from: ServerPosition | null;
  /** The server leaves out all others; null: none but its own records. */
  readonly types: readonly string[] | null;
  readonly signal: AbortSignal;
  readonly times: WatchdogTimes;
  /** The last position handed out, as whoever follows has handled it. */
  seen(): Position | null;
  head(): Promise<Position | null>;
}

/**
 * One subscription, until it ends in any way: the server ended it, the signal aborted, or it stood
 * still while the log went on.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<Arrival, void, void> {
  const { client, from, types, signal, times } = options;
  const markers = new Markers<Arrival>();
  const announce = (marker: Arrival) => {
    markers.put(marker, intake.received);
    intake.wake();
  };
  const stream = client.subscribeToAll(
    {
      fromPosition: from ?? START,
      filter: eventTypeFilter({
        regex: typesAsked(types),
        maxSearchWindow,
        // It must not throw: the subscription would stall.
        checkpointReached: (_, position) => announce({ kind: 'scanned', position }),
      }),
    },
    readAhead,
  );
  const intake = new Intake<AllStreamResolvedEvent>(stream);
  stream.on('caughtUp', () => announce({ kind: 'caught-up' }));
  const wake = () => intake.wake();
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      const marker = markers.due(intake.taken);
      const resolved = marker === null ? intake.take() : null;
      if (marker !== null) yield marker;
      else if (resolved !== null) yield { kind: 'event', resolved };
      else if (intake.isOver()) return;
      else {
        yield { kind: 'lull' };
        if ((await intake.wait(times.silenceMs)) === 'news') continue;
        if (!(await options.head().then((head) => isBehind(options.seen(), head)))) continue;
        if ((await intake.wait(times.graceMs)) === 'silence') return;
      }
    }
  } finally {
    signal.removeEventListener('abort', wake);
    stream.unsubscribe().catch(() => undefined);
  }
}
