import {
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  eventTypeFilter,
  type Position as ServerPosition,
  START,
} from '@eventstore/db-client';
import type { Position } from '../port.js';
import { Intake, readAhead } from './read.js';

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
const ours = eventTypeFilter({ regex: '^[^$].*', maxSearchWindow: 1_000 });

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
  const stream = client.subscribeToAll({ fromPosition: from ?? START, filter: ours }, readAhead);
  const intake = new Intake<AllStreamResolvedEvent>(stream);
  const wake = () => intake.wake();
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      const resolved = intake.take();
      if (resolved !== null) yield resolved;
      else if (intake.isOver()) return;
      else if ((await intake.wait(times.silenceMs)) === 'silence') {
        if (!isBehind(options.seen(), await options.head())) continue;
        if ((await intake.wait(times.graceMs)) === 'silence') return;
      }
    }
  } finally {
    signal.removeEventListener('abort', wake);
    stream.unsubscribe().catch(() => undefined);
  }
}
