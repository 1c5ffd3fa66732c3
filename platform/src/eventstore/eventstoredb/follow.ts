import {
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  excludeSystemEvents,
  type Position as ServerPosition,
  START,
} from '@eventstore/db-client';
import type { Position } from '../port.js';
import { Intake } from './intake.js';
import { Markers } from './markers.js';
import { readAhead } from './read.js';
import { isBehind, type WatchdogTimes } from './watchdog.js';

/** What one subscription of the client brings, in the order of the log. */
export type Arrival =
  | { readonly kind: 'event'; readonly resolved: AllStreamResolvedEvent }
  /** The server has looked at everything up to here, and there was nothing but what was sent. */
  | { readonly kind: 'scanned'; readonly position: ServerPosition }
  | { readonly kind: 'caught-up' }
  /** All that has come was handed out. */
  | { readonly kind: 'lull' };

/** How many of the server's own records it passes before it says how far it is. */
const maxSearchWindow = 1_000;

export interface FollowOptions {
  readonly client: Pick<EventStoreDBClient, 'subscribeToAll'>;
  readonly from: ServerPosition | null;
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
  const { client, from, signal, times } = options;
  const markers = new Markers<Arrival>();
  const announce = (marker: Arrival) => {
    markers.put(marker, intake.received);
    intake.wake();
  };
  const stream = client.subscribeToAll(
    {
      fromPosition: from ?? START,
      filter: excludeSystemEvents({
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
